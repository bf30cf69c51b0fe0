// Package evaluate re-scores recorded answers as upstream's evaluator does:
// an upstream result folder in, upstream's score files and tables out.
package evaluate

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/record"
)

// Options select what to evaluate, and how.
type Options struct {
	// Dataset holds the questions and possible answers.
	Dataset *fixtures.Dataset
	// ResultDir holds one or more models' result files; see record.FindAll.
	ResultDir string
	// ScoreDir is where score files and tables go; "" writes none.
	ScoreDir string
	// Models are the folder names of the models to evaluate; empty means all.
	Models []string
	// Categories is a comma-separated list; "" means all recorded categories.
	Categories string
	// Partial accepts result files that lack cases: the accuracy is then over
	// the cases that they have.
	Partial bool
	// AllowErrors counts answers that cannot be judged as wrong, as upstream
	// does.
	AllowErrors bool
	// Catalog has the models by their folders' names: how their answers are
	// read, and what the tables say about them; nil for the built-in one.
	Catalog *catalog.Catalog
	// Settings override what the answers and their folder say about the model.
	Settings func(eval.Settings) eval.Settings
	// Executor carries out calls; if nil, the categories that need it are left
	// out.
	Executor eval.Executor
}

// Run evaluates the answers, and writes score files and tables if a score
// folder is given. Inference errors that upstream recorded count as wrong
// answers, as they do upstream. With an *IncompleteError, which names the
// categories without a score, Run also returns a report of the others.
func Run(o Options) (*Report, error) {
	report := &Report{v1: o.Dataset.Release() == "v1"}
	folders, err := find(o)
	if err != nil {
		return nil, err
	}
	if o.Catalog == nil {
		if o.Catalog, err = catalog.Load(); err != nil {
			return nil, err
		}
	}
	report.catalog = o.Catalog
	cases := &cases{o.Dataset, map[string]func() *loaded{}}
	for _, folder := range folders {
		m, err := report.read(o, folder, cases)
		if err != nil {
			return nil, err
		}
		report.Models = append(report.Models, m)
	}
	for _, loaded := range cases.parts { // those of answers that cannot be read may be under way
		loaded()
	}
	for _, remark := range o.Dataset.Remarks() {
		report.noteOnce(remark)
	}
	report.judge()
	report.unjudged(o.AllowErrors)
	report.count()
	if o.ScoreDir != "" {
		if err := report.write(o.ScoreDir); err != nil {
			return nil, err
		}
	}
	return report, report.incomplete()
}

func find(o Options) ([]*record.Folder, error) {
	folders, err := record.FindAll(o.ResultDir)
	if err != nil {
		return nil, err
	}
	if len(o.Models) == 0 {
		return folders, nil
	}
	var out []*record.Folder
	for _, name := range o.Models {
		found := false
		for _, f := range folders {
			if f.Name() == strings.ReplaceAll(name, "/", "_") {
				out, found = append(out, f), true
			}
		}
		if !found {
			return nil, misuse.Errorf("model %q has no folder in %s: it holds %s", name, o.ResultDir, strings.Join(modelNames(folders), ", "))
		}
	}
	return out, nil
}

func modelNames(folders []*record.Folder) []string {
	out := make([]string, len(folders))
	for i, f := range folders {
		out[i] = f.Name()
	}
	return out
}

// read reads one model's result files in parallel.
func (r *Report) read(o Options, folder *record.Folder, cases *cases) (*Model, error) {
	m := &Model{Name: folder.Name(), folder: folder}
	note, err := m.stated(o)
	if err != nil {
		return nil, err
	}
	if note != "" {
		r.noteOnce(note)
	}
	chosen, err := r.choose(o, folder)
	if err != nil {
		return nil, err
	}
	m.Categories = make([]*Category, len(chosen))
	errs := make([]error, len(chosen))
	var wg sync.WaitGroup
	for i, cat := range chosen {
		cases.want(cat)
		wg.Go(func() {
			m.Categories[i] = &Category{Category: cat}
			m.Categories[i].rows, errs[i] = record.Read(folder.Files[cat.Name], o.Partial)
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			m.lack(chosen[i].Name, err)
		}
	}
	if err := m.findSettings(o); err != nil {
		return nil, err
	}
	for _, cat := range slices.Clone(m.Categories) {
		note, err := cat.align(cases, folder.Files[cat.Name], o.Partial)
		if err != nil {
			m.lack(cat.Name, err)
		}
		if note != "" {
			r.Notes = append(r.Notes, note)
		}
	}
	return m, nil
}

func (m *Model) findSettings(o Options) error {
	var err error
	if m.Settings, err = o.Catalog.Reading(m.folder, modeOf(m.Categories)); err != nil {
		return err
	}
	if o.Settings != nil {
		m.Settings = o.Settings(m.Settings)
	}
	m.Settings.Executor = o.Executor
	return nil
}

// choose returns the recorded categories that were selected.
func (r *Report) choose(o Options, folder *record.Folder) ([]*eval.Category, error) {
	recorded := func(c *eval.Category, named bool) error {
		if folder.Files[c.Name] == "" {
			return fmt.Errorf("category %q is not recorded: %s is missing", c.Name, record.FileName(c.Name))
		}
		if c.Executes && o.Executor == nil {
			return fmt.Errorf("category %q carries calls out: give recorded answers of the APIs with --replay", c.Name)
		}
		return o.Dataset.Offer(c, named)
	}
	names := o.Categories
	if names == "" {
		names = "all"
	}
	chosen, err := o.Dataset.Categories().Select(names, recorded)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder.Dir, err)
	}
	r.noteLeft(o, folder, chosen)
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s has no result file for the categories %q of dataset %q", folder.Dir, names, o.Dataset.Name)
	}
	return chosen, nil
}

// cases loads the dataset's categories once for all models.
type cases struct {
	dataset *fixtures.Dataset
	parts   map[string]func() *loaded
}

// A loaded category has its cases, and their places by id.
type loaded struct {
	at   map[string]int
	list []*eval.Case
	err  error
}

// want starts loading a category in the background.
func (c *cases) want(cat *eval.Category) {
	if c.parts[cat.Name] != nil {
		return
	}
	c.parts[cat.Name] = sync.OnceValue(func() *loaded {
		l := &loaded{at: map[string]int{}}
		l.list, l.err = c.dataset.Cases(cat)
		for i, item := range l.list {
			l.at[item.ID] = i
		}
		return l
	})
	go c.parts[cat.Name]()
}

// align sorts the recorded rows into the dataset's order and checks that they
// are the dataset's cases. The note says what was left out.
func (c *Category) align(cases *cases, path string, partial bool) (note string, err error) {
	l := cases.parts[c.Name]()
	if l.err != nil {
		return "", l.err
	}
	at, list := l.at, l.list
	note = c.dropped(at, path, cases.dataset.Name)
	if record.Positional(path) {
		c.rows = pairV1(c.rows, list)
	}
	for _, row := range c.rows {
		if _, ok := at[row.ID]; !ok {
			return note, fmt.Errorf("%s:%d: case %q is not in dataset %q", path, row.Line, row.ID, cases.dataset.Name)
		}
	}
	if len(c.rows) < len(list) && !partial {
		return note, c.missing(list)
	}
	sort.SliceStable(c.rows, func(i, j int) bool { return at[c.rows[i].ID] < at[c.rows[j].ID] })
	c.Total = len(c.rows)
	c.Answers = make([]Answer, c.Total)
	for i, row := range c.rows {
		c.Answers[i] = Answer{Case: list[at[row.ID]], Row: row}
	}
	c.rows = nil
	return note, nil
}

// missing returns an error that names the cases without a result.
func (c *Category) missing(list []*eval.Case) error {
	recorded := make(map[string]bool, len(c.rows))
	for _, row := range c.rows {
		recorded[row.ID] = true
	}
	l := &Lack{}
	for _, item := range list {
		if !recorded[item.ID] {
			l.Cases = append(l.Cases, item.ID)
		}
	}
	l.Why = fmt.Sprintf("%d of %d cases have no result (evaluate with --partial, or complete the run)", len(l.Cases), len(list))
	return l
}
