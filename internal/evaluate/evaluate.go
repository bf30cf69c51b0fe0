// Package evaluate re-scores recorded answers as upstream's evaluator does:
// an upstream result folder in, upstream's score files and tables out.
package evaluate

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/ladder"
	"github.com/gobfcl/bfcl/internal/prompt"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/score"
)

// Options say what to evaluate.
type Options struct {
	// Dataset holds the questions and possible answers.
	Dataset *fixtures.Dataset
	// ResultDir holds one or more models' result files; see record.FindAll.
	ResultDir string
	// ScoreDir is where score files and tables go; "" writes none.
	ScoreDir string
	// Models are the folder names of the models to evaluate; none means all.
	Models []string
	// Categories is a comma separated list; "" means what is recorded.
	Categories string
	// Partial accepts result files that lack cases: accuracy is then over
	// the cases that are there.
	Partial bool
	// Settings overrides what the answers themselves tell of the model.
	Settings func(eval.Settings) eval.Settings
	// Executor carries out calls; without one the categories that need it
	// are left out.
	Executor eval.Executor
}

// A Report is what an evaluation found.
type Report struct {
	Models []*Model
	// Notes are remarks, such as files that were left out.
	Notes []string

	v1 bool // of upstream's first release
}

// A Model is one model's part of a report.
type Model struct {
	// Name is the folder's name, as upstream writes it into score files.
	Name string
	// Settings are those its answers were judged with.
	Settings eval.Settings
	// Categories are in the benchmark's order.
	Categories []*Category

	folder    *record.Folder
	conversed *conversed
}

// A Category is one model's verdicts in one category.
type Category struct {
	*eval.Category
	// Correct and Total count the recorded cases.
	Correct, Total int
	// Verdicts are in the dataset's order.
	Verdicts []Verdict

	rows   []record.Row
	cases  []*eval.Case
	grades []ladder.Grade
	// lines are the score file's lines of the failed cases, in order.
	lines [][]byte
}

// An Answer is a recorded answer with what came of it.
type Answer struct {
	// Case is the dataset's.
	Case *eval.Case
	// Row is the answer as recorded.
	Row record.Row
	// Verdict and Grade are the answer's.
	Verdict eval.Verdict
	Grade   ladder.Grade
}

// Answered are the recorded answers in the dataset's order.
func (c *Category) Answered() []Answer {
	out := make([]Answer, c.Total)
	for i := range out {
		out[i] = Answer{c.cases[i], c.rows[i], c.Verdicts[i].Verdict, c.grades[i]}
	}
	return out
}

// A Verdict is one case's.
type Verdict struct {
	ID string
	eval.Verdict
}

// Sensitivity is how the accuracy depends on the prompt's format; nil for
// categories that are posed in one format.
func (c *Category) Sensitivity() *score.Sensitivity {
	if c.Name != prompt.Category {
		return nil
	}
	return Sensitivity(c.Verdicts)
}

// Sensitivity is how the accuracy of cases of the format-sensitivity category
// depends on the format, which their ids name.
func Sensitivity(verdicts []Verdict) *score.Sensitivity {
	var configs []score.Config
	at := map[string]int{}
	for _, v := range verdicts {
		config, err := prompt.ConfigOf(v.ID)
		if err != nil {
			continue // an id of another dataset's making; its answer is wrong already
		}
		name := config.String()
		i, known := at[name]
		if !known {
			i = len(configs)
			at[name], configs = i, append(configs, score.Config{Name: name})
		}
		configs[i].Total++
		if v.Passed() {
			configs[i].Correct++
		}
	}
	return score.NewSensitivity(configs)
}

// Accuracy is correct over total; 0 without cases.
func (c *Category) Accuracy() float64 {
	if c.Total == 0 {
		return 0
	}
	return float64(c.Correct) / float64(c.Total)
}

// Run evaluates, and writes score files and tables where a score folder is
// given. Upstream's own inference errors are answers here, and wrong ones, as
// upstream has it.
func Run(o Options) (*Report, error) {
	report := &Report{v1: o.Dataset.Release() == "v1"}
	folders, err := find(o)
	if err != nil {
		return nil, err
	}
	cases := newCases(o.Dataset)
	for _, folder := range folders {
		m, err := report.read(o, folder, cases)
		if err != nil {
			return nil, err
		}
		report.Models = append(report.Models, m)
	}
	report.judge()
	if err := report.unjudged(); err != nil {
		return nil, err
	}
	if o.ScoreDir == "" {
		return report, nil
	}
	return report, report.write(o.ScoreDir)
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
			if modelName(f) == strings.ReplaceAll(name, "/", "_") {
				out, found = append(out, f), true
			}
		}
		if !found {
			return nil, fmt.Errorf("model %q has no folder in %s: it holds %s", name, o.ResultDir, strings.Join(modelNames(folders), ", "))
		}
	}
	return out, nil
}

func modelName(f *record.Folder) string {
	if f.Model != "" {
		return f.Model
	}
	return filepath.Base(filepath.Dir(f.Dir))
}

func modelNames(folders []*record.Folder) []string {
	out := make([]string, len(folders))
	for i, f := range folders {
		out[i] = modelName(f)
	}
	return out
}

// read reads one model's result files at the same time.
func (r *Report) read(o Options, folder *record.Folder, cases *cases) (*Model, error) {
	m := &Model{Name: modelName(folder), folder: folder}
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
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, cat := range m.Categories {
		if err := cat.align(cases, folder.Files[cat.Name], o.Partial); err != nil {
			return nil, fmt.Errorf("%s: %w", folder.Files[cat.Name], err)
		}
	}
	return m, m.findSettings(o)
}

func (m *Model) findSettings(o Options) error {
	run, err := m.folder.Run()
	if err != nil {
		return err
	}
	if run != nil {
		m.Settings = run.Settings()
	} else {
		mode := modeOf(m.Categories)
		var known bool
		if m.Settings, known = m.folder.V1Settings(mode); !known {
			m.Settings = eval.SettingsFor(mode)
		}
	}
	if o.Settings != nil {
		m.Settings = o.Settings(m.Settings)
	}
	m.Settings.Executor = o.Executor
	return nil
}

// choose finds which of the recorded categories are asked for.
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
	chosen, err := categories.Select(names, recorded)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder.Dir, err)
	}
	var left []string
	for name := range folder.Files {
		switch c := categories.Find(name); {
		case c == nil:
			left = append(left, name)
		case c.Executes && o.Executor == nil:
			r.noteOnce(notExecuted)
		}
	}
	sort.Strings(left)
	for _, name := range left {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: left out, this version has no category %q", folder.Files[name], name))
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s holds no result file of the categories %q of dataset %q", folder.Dir, names, o.Dataset.Name)
	}
	return chosen, nil
}

// cases loads the dataset's categories once for all models.
type cases struct {
	dataset *fixtures.Dataset
	parts   map[string]func() (map[string]int, []*eval.Case, error)
}

func newCases(d *fixtures.Dataset) *cases {
	return &cases{dataset: d, parts: map[string]func() (map[string]int, []*eval.Case, error){}}
}

// want begins to load a category in the background.
func (c *cases) want(cat *eval.Category) {
	if c.parts[cat.Name] != nil {
		return
	}
	type loaded struct {
		at   map[string]int
		list []*eval.Case
		err  error
	}
	result := sync.OnceValue(func() loaded {
		list, err := c.dataset.Cases(cat)
		at := make(map[string]int, len(list))
		for i, item := range list {
			at[item.ID] = i
		}
		return loaded{at, list, err}
	})
	go result()
	c.parts[cat.Name] = func() (map[string]int, []*eval.Case, error) {
		l := result()
		return l.at, l.list, l.err
	}
}

// align brings the recorded rows into the dataset's order and checks that
// they are the dataset's cases.
func (c *Category) align(cases *cases, path string, partial bool) error {
	at, list, err := cases.parts[c.Name]()
	if err != nil {
		return err
	}
	if record.Positional(path) {
		c.rows = pairV1(c.rows, list)
	}
	for _, row := range c.rows {
		if _, ok := at[row.ID]; !ok {
			return fmt.Errorf("line %d: case %q is not in dataset %q", row.Line, row.ID, cases.dataset.Name)
		}
	}
	if missing := len(list) - len(c.rows); missing > 0 && !partial {
		return fmt.Errorf("%d of %d cases have no result: evaluate with --partial, or complete the run", missing, len(list))
	}
	sort.SliceStable(c.rows, func(i, j int) bool { return at[c.rows[i].ID] < at[c.rows[j].ID] })
	c.Total = len(c.rows)
	c.Verdicts = make([]Verdict, c.Total)
	c.lines = make([][]byte, c.Total)
	c.grades = make([]ladder.Grade, c.Total)
	c.cases = make([]*eval.Case, c.Total)
	for i, row := range c.rows {
		c.cases[i] = list[at[row.ID]]
	}
	return nil
}

// batch is how many cases a worker takes at a time.
const batch = 32

// judge judges every case of every model, all processors at once.
func (r *Report) judge() {
	type task struct {
		m        *Model
		c        *Category
		from, to int
	}
	var tasks []task
	conversed := &conversed{several: len(r.Models) > 1}
	for _, m := range r.Models {
		m.conversed = conversed
		for _, c := range m.Categories {
			for from := 0; from < c.Total; from += batch {
				tasks = append(tasks, task{m, c, from, min(from+batch, c.Total)})
			}
		}
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(tasks); i = next.Add(1) - 1 {
				t := tasks[i]
				for k := t.from; k < t.to; k++ {
					t.c.judge(t.m, t.c.cases[k], k, r.scoreLine())
				}
			}
		})
	}
	wg.Wait()
	for _, m := range r.Models {
		for _, c := range m.Categories {
			for _, v := range c.Verdicts {
				if v.Passed() {
					c.Correct++
				}
			}
		}
	}
}

func (c *Category) judge(m *Model, item *eval.Case, k int, line scoreLiner) {
	row := c.rows[k]
	decoded, verdict := c.verdict(m, item, row.Result)
	c.Verdicts[k] = Verdict{row.ID, verdict}
	c.grades[k] = c.grade(m, item, row.Result, decoded, verdict)
	if !verdict.Passed() {
		c.lines[k] = line(m, c, item, row, decoded, verdict)
	}
}

// A scoreLiner writes a failed case as a release's evaluator does.
type scoreLiner func(m *Model, c *Category, item *eval.Case, row record.Row, decoded pyval.Value, v eval.Verdict) []byte

func (r *Report) scoreLine() scoreLiner {
	if r.v1 {
		return v1Line
	}
	return scoreLine
}

// write puts the score files where upstream puts them.
func (r *Report) write(dir string) error {
	if r.v1 {
		return r.writeV1(dir)
	}
	for _, m := range r.Models {
		for _, c := range m.Categories {
			path := filepath.Join(dir, m.Name, c.Group, "BFCL_v4_"+c.Name+"_score.json")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := record.WriteFile(path, c.scoreFile()...); err != nil {
				return err
			}
		}
	}
	return r.writeTables(dir)
}
