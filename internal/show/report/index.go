package report

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// An index is what the page's script needs to list, filter and compare cases.
type index struct {
	Runs       []string `json:"runs"`
	Categories []string `json:"cats"`
	Types      []string `json:"types"`
	// By case: id, place in Categories, the question's beginning, chunk and
	// place in it.
	IDs       []string `json:"ids"`
	Category  []int    `json:"cat"`
	Questions []string `json:"q"`
	Chunk     []int    `json:"chunk"`
	Place     []int    `json:"place"`
	// By run a letter for each case: p, f, e, x for trials that disagree, and
	// - where it was not asked; and the error type's place, -1 for none.
	Verdicts []string `json:"v"`
	Errors   [][]int  `json:"e"`
	// By function document: chunk and place.
	ToolChunk []int `json:"toolChunk"`
	ToolPlace []int `json:"toolPlace"`
}

// A caseKey names a case across runs.
type caseKey struct{ category, id string }

// A posed case is one with the results of every run.
type posed struct {
	category *eval.Category
	c        *eval.Case
	results  [][]*tally.Result // by run, then trial
}

// gather unites the cases of all runs, in the benchmark's order as far as the
// first run that has a category tells.
func gather(runs []*Entry) []*posed {
	var all []*posed
	at := map[caseKey]*posed{}
	for k, e := range runs {
		for _, part := range e.run.Parts {
			for i := range part.Results {
				result := &part.Results[i]
				key := caseKey{part.Category.Name, result.Case.ID}
				p := at[key]
				if p == nil {
					p = &posed{category: part.Category, c: result.Case, results: make([][]*tally.Result, len(runs))}
					at[key] = p
					all = append(all, p)
				}
				p.results[k] = append(p.results[k], result)
			}
		}
	}
	return all
}

// A book packs the cases.
type book struct {
	index
	runs    []*Entry
	packer  packer
	pool    *pool
	byName  map[string]int // categories
	byType  map[string]int // error types
	letters [][]byte
}

// newBook packs the cases of all runs: the index and the chunks.
func newBook(runs []*Entry) (*book, error) {
	b := &book{runs: runs, pool: newPool(), byName: map[string]int{}, byType: map[string]int{}, letters: make([][]byte, len(runs))}
	b.Errors = make([][]int, len(runs))
	for _, e := range runs {
		b.Runs = append(b.Runs, e.Name)
	}
	for _, p := range gather(runs) {
		if err := b.add(p); err != nil {
			return nil, err
		}
	}
	for _, letters := range b.letters {
		b.Verdicts = append(b.Verdicts, string(letters))
	}
	for _, doc := range b.pool.docs {
		chunk, place, err := b.packer.add(doc)
		if err != nil {
			return nil, err
		}
		b.ToolChunk, b.ToolPlace = append(b.ToolChunk, chunk), append(b.ToolPlace, place)
	}
	return b, nil
}

// question is how much of a question can be searched.
const question = 300

func (b *book) add(p *posed) error {
	d := newDetail(p.c, b.pool)
	d.Runs = make([][]answer, len(b.runs))
	for k, e := range b.runs {
		letter, errorType := byte('-'), -1
		for _, result := range p.results[k] {
			d.Runs[k] = append(d.Runs[k], newAnswer(p.category, result, e.run.Settings))
			letter = unite(letter, result)
			if result.ErrorType != "" {
				errorType = place(&b.Types, b.byType, safe.Printable(result.ErrorType, 120))
			}
		}
		b.letters[k] = append(b.letters[k], letter)
		b.Errors[k] = append(b.Errors[k], errorType)
	}
	chunk, at, err := b.packer.add(d)
	if err != nil {
		return err
	}
	b.Chunk, b.Place = append(b.Chunk, chunk), append(b.Place, at)
	b.IDs = append(b.IDs, safe.Printable(p.c.ID, 200))
	b.Category = append(b.Category, place(&b.Categories, b.byName, p.category.Name))
	b.Questions = append(b.Questions, strings.Join(strings.Fields(visible(p.c.Question(), question)), " "))
	return nil
}

func unite(before byte, r *tally.Result) byte {
	letter := r.Status.String()[0] // of pass, fail, error
	if before == '-' || before == letter {
		return letter
	}
	return 'x'
}

// place is where a name stands in a list, to which it is added if need be.
func place(list *[]string, at map[string]int, name string) int {
	i, ok := at[name]
	if !ok {
		i = len(*list)
		*list = append(*list, name)
		at[name] = i
	}
	return i
}
