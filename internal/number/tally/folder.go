package tally

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/why"
)

// Folders are result files in upstream's form: one of upstream's result
// folders, one model's folder in it, or a run folder.
type Folders struct {
	// Dataset holds the questions and possible answers.
	Dataset *fixtures.Dataset
	// ResultDir holds one or more models' result files; see record.FindAll.
	ResultDir string
	// Models are the folder names of the models to read; empty means all.
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

	// ours says that an answer that upstream recorded for a failed request is an
	// infrastructure error, as in a replay, and that failures are explained. keep
	// keeps the answers then.
	ours, keep bool
	// only is the only case that is read; "" for all.
	only string
	// cases are those loaded so far; nil for none.
	cases loadedCases
}

// A reading is one model's result files on their way to a Run.
type reading struct {
	*Run
	folder   *record.Folder
	chosen   []*eval.Category
	settings eval.Settings
	judging  *judging
	rows     [][]record.Row // by part, until they are aligned with the dataset
}

// Read returns the runs that Each judges, with an *IncompleteError too.
func (f Folders) Read() (runs []*Run, notes []string, err error) {
	notes, err = f.Each(func(run *Run) error {
		runs = append(runs, run)
		return nil
	})
	return runs, notes, err
}

// Each judges the answers, each model's as a Run, and hands each to do before it
// reads the next: it keeps none in memory. Inference errors that upstream recorded
// count as wrong answers, as they do upstream. It first checks that every folder
// can be evaluated. An *IncompleteError names the categories without a score, of
// runs that have the others. The notes are remarks, such as which files were left
// out.
func (f Folders) Each(do func(*Run) error) (notes []string, err error) {
	folders, err := modelsIn(f.ResultDir, f.Models...)
	if err != nil {
		return nil, err
	}
	if f.Catalog == nil {
		if f.Catalog, err = catalog.Load(); err != nil {
			return nil, err
		}
	}
	if f.cases == nil {
		f.cases = loadedCases{}
	}
	r := &folderReader{Folders: f}
	defer r.loading.Wait() // others may have the same cases
	if len(folders) > 1 {
		r.references = &sync.Map{}
	}
	if r.sizes, err = Sizes(f.Dataset, f.Dataset.Name); err != nil {
		return nil, err
	}
	models := make([]*reading, len(folders))
	for i, folder := range folders {
		if models[i], err = r.open(folder); err != nil {
			return nil, err
		}
	}
	var lacks []Lack
	for i, m := range models {
		models[i] = nil
		if err := r.read(m); err != nil {
			return nil, err
		}
		var results []*eval.Result
		for _, result := range m.All() {
			results = append(results, result)
		}
		parallel.Each(len(results), func(i int) { m.judging.judge(results[i]) })
		if f.only == "" { // a single one shows its error
			m.unjudged(f.AllowErrors)
		}
		lacks = append(lacks, m.Lacks...)
		if err := do(m.Run); err != nil {
			return nil, err
		}
	}
	for _, remark := range f.Dataset.Remarks() {
		r.note(remark)
	}
	if len(lacks) > 0 {
		err = &IncompleteError{lacks}
	}
	return r.notes, err
}

// modelsIn finds the result files of the named models below a folder, or else of all.
func modelsIn(path string, names ...string) ([]*record.Folder, error) {
	folders, err := record.FindAll(path)
	if err != nil || len(names) == 0 {
		return folders, err
	}
	var out []*record.Folder
	for _, name := range names {
		at := slices.IndexFunc(folders, func(folder *record.Folder) bool { return folder.Name() == strings.ReplaceAll(name, "/", "_") })
		if at < 0 {
			return nil, option.Misuse("model %q has no folder in %s: it holds %s", name, path, held(folders))
		}
		out = append(out, folders[at])
	}
	return out, nil
}

func held(folders []*record.Folder) string {
	names := make([]string, len(folders))
	for i, folder := range folders {
		names[i] = cmp.Or(folder.Model, folder.Dir) // a run of ours, such as a shard, has no such name
	}
	return strings.Join(names, ", ")
}

// A folderReader reads several models' files, and loads each category's cases
// once for all.
type folderReader struct {
	Folders
	sizes      map[string]int
	notes      []string
	loading    sync.WaitGroup // of cases
	references *sync.Map      // *eval.Case to func() *multiturn.Reference; nil for one model
}

func (r *folderReader) note(text string) {
	if text != "" && !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// loadedCases are a dataset's by category, which are loaded once.
type loadedCases map[string]*loaded

// A loaded category has its cases, also by id.
type loaded struct {
	list []*eval.Case
	by   map[string]*eval.Case
	err  error
}

// load begins to load a category.
func (r *folderReader) load(cat *eval.Category) {
	if r.cases[cat.Name] != nil {
		return
	}
	l := &loaded{by: map[string]*eval.Case{}}
	r.cases[cat.Name] = l
	r.loading.Go(func() {
		l.list, l.err = r.Dataset.Cases(cat)
		for _, c := range l.list {
			l.by[c.ID] = c
		}
	})
}

// open checks what a model's folder says of itself, and which files are to be read.
func (r *folderReader) open(folder *record.Folder) (*reading, error) {
	chosen, unchosen := r.choose(folder)
	for _, cat := range chosen { // while the digest is computed
		r.load(cat)
	}
	stated := record.Run{Model: folder.Name(), Dataset: r.Dataset.Name, Trials: 1}
	var err error
	if stated.Digest, err = r.Dataset.Digest(); err != nil {
		return nil, err
	}
	if stated.Data, err = r.Dataset.Origin(); err != nil {
		return nil, err
	}
	if known := leaderboard.V1Model(stated.Model); r.Dataset.Release() == "v1" && known.InputPrice != nil {
		stated.Prices = &record.Prices{Input: *known.InputPrice, Output: *known.OutputPrice}
	}
	m := &reading{Run: newRun(stated, r.Dataset, r.sizes), folder: folder, chosen: chosen}
	m.Upstream, m.Path = true, folder.Dir
	if err := r.stated(m); err != nil {
		return nil, err
	}
	return m, unchosen
}

// read reads one model's result files in parallel.
func (r *folderReader) read(m *reading) (err error) {
	folder := m.folder
	rows, errs := make([][]record.Row, len(m.chosen)), make([]error, len(m.chosen))
	var wg sync.WaitGroup
	for i, cat := range m.chosen {
		wg.Go(func() { rows[i], errs[i] = record.Read(folder.Files[cat.Name], r.Partial) })
	}
	wg.Wait()
	r.loading.Wait()
	for i, err := range errs {
		if err != nil {
			m.lack(m.chosen[i].Name, err)
			continue
		}
		m.Parts, m.rows = append(m.Parts, Part{Category: m.chosen[i]}), append(m.rows, rows[i])
	}
	if m.settings, err = r.Catalog.Reading(folder, m.mode()); err != nil {
		return err
	}
	stated, err := folder.Run()
	dotted := err == nil && stated == nil && !r.Catalog.Knows(folder.Name()) && r.dotted(m)
	m.settings.UnderscoreToDot = m.settings.UnderscoreToDot && !dotted
	if r.Settings != nil {
		m.settings = r.Settings(m.settings)
	}
	if dotted && !m.settings.UnderscoreToDot {
		r.notes = append(r.notes, fmt.Sprintf("%s: its calls name functions with their dots, so the model is taken to have seen dots; --underscore-to-dot=yes takes it to have seen underscores", folder.Name()))
	}
	m.SetSettings(m.settings)
	m.settings.Executor = r.Executor
	m.judging = judgingOf(r.Dataset, m.settings)
	m.judging.plain, m.judging.keep, m.judging.model, m.judging.references = !r.ours, r.keep, m.Model, r.references
	for i, part := range slices.Clone(m.Parts) {
		results, note, err := r.align(part.Category, folder.Files[part.Category.Name], m.rows[i])
		if err != nil {
			m.lack(part.Category.Name, err)
		} else {
			m.Part(part.Category.Name).Results = results
		}
		if note != "" {
			r.notes = append(r.notes, note)
		}
	}
	m.rows = nil
	return nil
}

// dotted reports whether a model's tool calls name functions with their dots alone.
func (r *folderReader) dotted(m *reading) bool {
	dots, underscores := 0, 0
	for i, part := range m.Parts {
		for _, row := range m.rows[i] {
			if c := r.cases[part.Category.Name].by[row.ID]; c != nil && m.settings.Mode == eval.FC {
				with, without := why.Dotted(c, row.Result)
				dots, underscores = dots+with, underscores+without
			}
		}
	}
	return dots > 0 && underscores == 0
}

// choose returns the recorded categories that were selected, and notes what is left out.
func (r *folderReader) choose(folder *record.Folder) ([]*eval.Category, error) {
	recorded := func(c *eval.Category, named bool) error {
		if folder.Files[c.Name] == "" {
			return fmt.Errorf("category %q is not recorded: %s is missing", c.Name, record.FileName(c.Name))
		}
		if c.Executes && r.Executor == nil {
			return fmt.Errorf("category %q carries calls out: give recorded answers of the APIs with --replay", c.Name)
		}
		return r.Dataset.Offer(c, named)
	}
	names := r.Categories
	if names == "" {
		names = "all"
	}
	chosen, err := r.Dataset.Categories().Select(names, recorded)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder.Dir, err)
	}
	var gone []string
	for _, name := range slices.Sorted(maps.Keys(folder.Files)) {
		c := r.Dataset.Categories().Find(name)
		switch {
		case slices.Contains(chosen, c):
		case record.FromV3(folder.Files[name]) && r.Categories == "":
			gone = append(gone, name)
		case c == nil:
			r.notes = append(r.notes, fmt.Sprintf("%s is left out: this version has no category %q", folder.Files[name], name))
		case c.Executes && r.Executor == nil:
			r.note("categories that carry calls out are left out: they need recorded answers of the APIs (see --replay)")
		}
	}
	if len(gone) > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s: cases that dataset %q no longer has are left out: %s", folder.Name(), r.Dataset.Name, strings.Join(gone, ", ")))
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s has no result file for the categories %q of dataset %q", folder.Dir, names, r.Dataset.Name)
	}
	return chosen, nil
}

// align returns the recorded rows in the dataset's order and checks that they are
// the dataset's cases. The note names the rows of a file of the third release that
// today's data no longer has: they are left out.
func (r *folderReader) align(cat *eval.Category, path string, rows []record.Row) (out []eval.Result, note string, err error) {
	l := r.cases[cat.Name]
	if l.err != nil {
		return nil, "", l.err
	}
	if record.Positional(path) && len(rows) == len(l.list) { // paired line by line, as in upstream's first release
		for i := range rows {
			rows[i].ID = l.list[i].ID
		}
	}
	recorded := make(map[*eval.Case]*record.Row, len(rows)) // of several with one id, in a file of that release, the last
	var gone, missing []string
	for i := range rows {
		row := &rows[i]
		switch c := l.by[row.ID]; {
		case c != nil:
			recorded[c] = row
		case record.FromV3(path):
			gone = append(gone, row.ID)
		default:
			err = cmp.Or(err, fmt.Errorf("%s:%d: case %q is not in dataset %q", path, row.Line, row.ID, r.Dataset.Name))
		}
	}
	if len(gone) > 0 {
		note = fmt.Sprintf("%s: cases that dataset %q no longer has are left out: %s", path, r.Dataset.Name, some(gone))
	}
	out = make([]eval.Result, 0, len(recorded))
	for _, c := range l.list {
		switch row := recorded[c]; {
		case row == nil:
			missing = append(missing, c.ID)
		case r.only == "" || r.only == c.ID:
			out = append(out, eval.Result{Category: cat, Case: c, Response: row.Response()})
		}
	}
	if err == nil && len(missing) > 0 && !r.Partial {
		err = &Lack{Cases: missing, Why: fmt.Sprintf("%d of %d cases have no result (evaluate with --partial, or complete the run)", len(missing), len(l.list))}
	}
	return out, note, err
}

// mode returns how a model's answers carry their calls. An answer to a
// multi-turn case is a list in either mode; its steps are lists only in
// function-calling mode.
func (m *reading) mode() eval.Mode {
	for i, part := range m.Parts {
		for _, row := range m.rows[i] {
			if list, ok := row.Result.(*pyval.List); ok && (!part.Category.MultiTurn() || len(list.Items) > 0 && record.InFields(list)) {
				return eval.FC
			}
		}
	}
	return eval.Prompt
}

// stated checks a run's folder against its run.json: the run must be of this
// dataset, and a category that was run but has no file has lost its answers.
func (r *folderReader) stated(m *reading) error {
	run, err := m.folder.Run()
	if err != nil || run == nil {
		return err
	}
	if run.Trials > 1 {
		r.note(fmt.Sprintf("%s: only the first of the run's %d trials is evaluated; bfcl score uses all of them", m.folder.Dir, run.Trials))
	}
	if run.Digest != m.Digest {
		return fmt.Errorf("%s was run on other cases: its dataset %.100q had digest %.12q, %.100q has %.12q; name the run's own dataset with --dataset and --data (or evaluate a copy of only its result folder)", m.folder.Dir, run.Dataset, run.Digest, r.Dataset.Name, m.Digest)
	}
	if r.Categories != "" || r.Partial {
		return nil
	}
	for _, name := range run.Categories {
		if m.folder.Files[name] == "" {
			m.lack(name, errors.New("it was run but has no result file"))
		}
	}
	return nil
}
