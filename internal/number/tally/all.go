package tally

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// A shelf keeps opened datasets with the cases selected from them: several runs
// are usually of the same ones, and reading them takes time and memory.
type shelf struct {
	opened   map[[2]string]*fixtures.Dataset // by data directory and name
	selected map[chosen]*suite.Selection
	loaded   map[*fixtures.Dataset]loadedCases // for upstream's result folders
}

// A chosen says which cases of a dataset a run has.
type chosen struct {
	dataset         *fixtures.Dataset
	categories, ids string
}

func newShelf() *shelf {
	return &shelf{map[[2]string]*fixtures.Dataset{}, map[chosen]*suite.Selection{}, map[*fixtures.Dataset]loadedCases{}}
}

// open returns a dataset of a data directory.
func (s *shelf) open(name, data string) (d *fixtures.Dataset, err error) {
	key := [2]string{data, name}
	if d = s.opened[key]; d == nil {
		if d, err = fixtures.Open(name, data); err == nil {
			s.opened[key], s.loaded[d] = d, loadedCases{}
		}
	}
	return d, err
}

// selection returns the cases that a run says it has. Nobody changes them.
func (s *shelf) selection(d *fixtures.Dataset, c *source) (one *suite.Selection, err error) {
	key := chosen{d, c.categories, c.ids}
	if one = s.selected[key]; one == nil {
		if one, err = suite.Select(d, c.categories, c.ids); err == nil {
			s.selected[key] = one
		}
	}
	return one, err
}

// ReadAll reads several runs. Each name is a JUnit file; a run folder; a folder
// with the shards of one run, or the shards' names separated by commas; or a
// result folder of upstream's, which is judged and gives a run for each of its
// models. ReadAll makes the names of the runs unique.
func ReadAll(names []string, o Options) ([]*Run, error) {
	if len(names) == 0 {
		return nil, errors.New("name a run: a JUnit file, a run folder or a result folder")
	}
	o.shelf = newShelf()
	var all []*Run
	var each sync.WaitGroup // while the next run is read
	defer each.Wait()
	for _, name := range names {
		var runs []*Run
		var err error
		if isDir(name) && !isRun(name) && shardsOf(name) == nil {
			runs, err = readUpstream(name, o)
		} else if run, failed := readRun([]string{name}, o); failed != nil {
			err = failed
		} else {
			run.Path, runs = name, []*Run{run}
		}
		if err != nil {
			return nil, err
		}
		for _, run := range runs {
			if each.Wait(); o.Each != nil {
				each.Go(func() { o.Each(run) })
			}
		}
		all = append(all, runs...)
	}
	each.Wait()
	tellApart(all)
	return all, nil
}

// shardsOf returns the shards that a name stands for: a list, or a folder of
// run folders and JUnit files; nil for anything else.
func shardsOf(name string) []string {
	var shards []string
	_, err := os.Stat(name)
	if err != nil && strings.Contains(name, ",") {
		for part := range strings.SplitSeq(name, ",") {
			if part = strings.TrimSpace(part); part != "" {
				shards = append(shards, part)
			}
		}
		return shards
	}
	if err != nil || isRun(name) {
		return nil
	}
	entries, _ := os.ReadDir(name)
	for _, entry := range entries {
		path := filepath.Join(name, entry.Name())
		if isRun(path) || !entry.IsDir() && filepath.Ext(path) == ".xml" {
			shards = append(shards, path)
		}
	}
	return shards
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isRun reports whether path is a run folder.
func isRun(path string) bool {
	if !isDir(path) {
		return false
	}
	_, err := record.ReadRun(path)
	_, noFile := os.Stat(filepath.Join(path, JUnitFile))
	return !errors.Is(err, os.ErrNotExist) || noFile == nil
}

// tellApart makes the names of runs unique: it adds their paths if two are of
// the same model, and their numbers if even the paths are the same.
func tellApart(runs []*Run) {
	for _, name := range []func(int, *Run) string{
		func(_ int, r *Run) string { return fmt.Sprintf("%s (%s)", r.Model, strings.TrimRight(r.Path, "/")) },
		func(i int, r *Run) string { return r.Name + " #" + strconv.Itoa(i+1) },
	} {
		count := map[string]int{}
		for _, r := range runs {
			count[r.Name]++
		}
		for i, r := range runs {
			if count[r.Name] > 1 {
				r.Name = name(i, r)
			}
		}
	}
}

// Sizes returns the dataset's numbers of cases per category, for score.Options.
func (r *Run) Sizes() map[string]int {
	if r.sizes == nil {
		return r.Layout().Sizes
	}
	return r.sizes
}

// Len returns the number of results.
func (r *Run) Len() int {
	n := 0
	for _, part := range r.Parts {
		n += len(part.Results)
	}
	return n
}

// Part returns the part of a category; nil if the category was not run.
func (r *Run) Part(category string) *Part {
	at := slices.IndexFunc(r.Parts, func(p Part) bool { return p.Category.Name == category })
	if at < 0 {
		return nil
	}
	return &r.Parts[at]
}

// Correct counts the results that passed.
func (p *Part) Correct() (n int) {
	for i := range p.Results {
		if p.Results[i].Passed() {
			n++
		}
	}
	return n
}

// Accuracy returns the share of the results that passed; 0 if there are none.
func (p *Part) Accuracy() float64 { return float64(p.Correct()) / float64(max(len(p.Results), 1)) }

// Sensitivity returns how much the accuracy depends on the prompt's format, which
// the cases' ids name; nil for categories with only one format. Infrastructure
// errors count as wrong if they are allowed.
func (p *Part) Sensitivity(allowErrors bool) *leaderboard.Sensitivity {
	if p.Category.Rule != eval.Varied {
		return nil
	}
	var configs []leaderboard.Config
	at := map[string]int{}
	for i := range p.Results {
		config, err := prompt.ConfigOf(p.Results[i].Case.ID)
		if err != nil || p.Results[i].Status == eval.Error && !allowErrors {
			continue // an id of another dataset; its answer is already wrong
		}
		name := config.String()
		k, known := at[name]
		if !known {
			k = len(configs)
			at[name], configs = k, append(configs, leaderboard.Config{Name: name})
		}
		configs[k].Total++
		if p.Results[i].Passed() {
			configs[k].Correct++
		}
	}
	return leaderboard.NewSensitivity(configs)
}

// Rehearse returns the run that a plan will be if every answer comes and is
// right: what it lacks no answers can give. Recordings may be an agent's, which
// is known only from them, so that it has what agents have.
func Rehearse(p *suite.Plan) (*Run, error) {
	answered := eval.Result{Level: cause.Values, Seen: true, Response: eval.Response{Latency: time.Second, InputTokens: 1, OutputTokens: 1}}
	if m := &p.Model; m.Kind.Agent || m.Whole && !m.Kind.Unwritten {
		answered.Effort = &eval.Effort{Steps: 1, Calls: 1, Wall: time.Second, Cost: 1}
	}
	return Of(p, func(cat *eval.Category, c *eval.Case, trial int) eval.Result {
		result := answered
		result.Category, result.Case, result.Trial = cat, c, trial
		return result
	})
}

// Of returns the run of a plan whose results are known.
func Of(p *suite.Plan, of func(cat *eval.Category, c *eval.Case, trial int) eval.Result) (*Run, error) {
	sizes, err := Sizes(p.Dataset, p.Run.Dataset)
	if err != nil {
		return nil, err
	}
	r := newRun(*p.Run, p.Dataset, sizes)
	r.Path = p.Dir
	for _, part := range p.Parts {
		results := make([]eval.Result, 0, len(part.Cases)*r.Trials)
		for _, c := range part.Cases {
			for trial := range r.Trials {
				results = append(results, of(part.Category, c, trial))
			}
		}
		r.Parts = append(r.Parts, Part{Category: part.Category, Results: results})
	}
	return r, nil
}

// aside matches the name of a folder that a later run moved aside.
var aside = pattern.Of(`^(.+)\.\d{8}-\d{6}(-\d+)?$`)

// Together returns those of several names, such as results/*/, that are read
// together, with a note about each other one: a folder without a run, an earlier run
// or a part of one that is named too, and a run of another dataset than most, unless
// mixed says that datasets may differ. If too few are left, it returns all: reading
// them says what is wrong.
func Together(names []string, mixed bool, least int) (kept, notes []string) {
	if len(names) < 2 {
		return names, nil
	}
	named := map[string]bool{}
	for _, name := range names {
		named[filepath.Clean(name)] = true
	}
	most, of := usual(names)
	for _, name := range names {
		if why := apart(name, named, of[name], most, mixed); why != "" {
			notes = append(notes, fmt.Sprintf("%s is left out: %s", say.Plain(name, 300), why))
			continue
		}
		kept = append(kept, name)
	}
	if len(kept) < least {
		return names, nil
	}
	return kept, notes
}

// usual returns the digest of the dataset that most runs have, of equally many the
// first, and what each run states.
func usual(names []string) (most string, of map[string]*record.Run) {
	of = map[string]*record.Run{}
	counts := map[string]int{}
	for _, name := range names {
		for _, folder := range append([]string{name}, shardsOf(name)...) {
			if run, err := record.ReadRun(folder); err == nil {
				of[name] = run
				counts[run.Digest]++
				break
			}
		}
	}
	for _, name := range names {
		if run := of[name]; run != nil && counts[run.Digest] > counts[most] {
			most = run.Digest
		}
	}
	return most, of
}

// apart says why a name is not read together with others; "" if it is.
func apart(name string, named map[string]bool, stated *record.Run, most string, mixed bool) string {
	path := filepath.Clean(name)
	if isDir(name) && !isRun(name) && shardsOf(name) == nil {
		if _, err := record.FindAll(name); err != nil {
			return "it holds no run"
		}
	}
	if m := aside().FindStringSubmatch(path); m != nil && named[m[1]] {
		return "it is an earlier run of " + say.Plain(m[1], 300)
	}
	if whole, part := strings.CutSuffix(path, "-part"); part && named[whole] {
		return "it is a part of the cases of " + say.Plain(whole, 300)
	}
	if stated != nil && stated.Digest != most && !mixed {
		return fmt.Sprintf("it is of another dataset, %s with digest %.12s", say.Plain(stated.Dataset, 200), say.Plain(stated.Digest, 80))
	}
	return ""
}
