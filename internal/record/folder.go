// Package record reads and writes what a model answered, in upstream's
// result-file format: result/<group>/BFCL_v4_<category>_result.json, one JSON
// object a line, so that upstream's evaluator reads our runs and we read its.
package record

import (
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const (
	filePrefix = "BFCL_v4_"
	fileSuffix = "_result.json"
)

// FileName returns the name of a category's result file.
func FileName(category string) string { return filePrefix + category + fileSuffix }

// A Folder is one model's result files.
type Folder struct {
	// Dir is the folder below which the files lie.
	Dir string
	// Model is upstream's folder name of the model; "" for our own runs.
	Model string
	// Files maps a category to its file.
	Files map[string]string
}

// Name returns the model's folder name: of a run of ours, that of the run's
// folder.
func (f *Folder) Name() string {
	if f.Model != "" {
		return f.Model
	}
	return filepath.Base(filepath.Dir(f.Dir))
}

// maxEntries bounds how many files a search looks at, so that a path such as / is an error.
const maxEntries = 100_000

// maxDepth is how deep a result file lies below its folder at most.
const maxDepth = 6

// Find locates the result files of one model: below dir, which may be a result
// folder of upstream's, of any release, a model's folder in it, or a run folder
// of ours.
// Several models in it are an error that names them.
func Find(dir string) (*Folder, error) {
	folders, err := FindAll(dir)
	if err != nil {
		return nil, err
	}
	if len(folders) == 1 {
		return folders[0], nil
	}
	models := make([]string, len(folders))
	for i, f := range folders {
		models[i] = f.Dir
	}
	return nil, fmt.Errorf("%s holds the results of %d models, name one of: %s", dir, len(folders), strings.Join(models, ", "))
}

// FindAll locates the result files of every model below dir, sorted by path.
func FindAll(dir string) ([]*Folder, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, option.Misuse("%s is not a folder of recorded results", dir)
	}
	s := &search{top: dir, found: map[string]*Folder{}}
	if err := s.folder(dir, nil); err != nil {
		return nil, err
	}
	if len(s.found) == 0 {
		return nil, option.Misuse("%s has no result files (%s<category>%s)", dir, filePrefix, fileSuffix)
	}
	return slices.SortedFunc(maps.Values(s.found), func(a, b *Folder) int { return strings.Compare(a.Dir, b.Dir) }), nil
}

// A search looks for result files.
type search struct {
	top   string
	seen  int
	found map[string]*Folder
}

// folder looks into a folder. It follows links to folders, except to a folder
// around it: above has the real paths of those.
func (s *search) folder(dir string, above []string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if slices.Contains(above, real) {
		return nil
	}
	above = append(slices.Clip(above), real)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if s.seen++; s.seen > maxEntries {
			return fmt.Errorf("%s holds more than %d files: name the result folder itself", s.top, maxEntries)
		}
		if err := s.entry(filepath.Join(dir, entry.Name()), entry, above); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) entry(path string, entry fs.DirEntry, above []string) error {
	isDir := entry.IsDir()
	if entry.Type()&fs.ModeSymlink != 0 {
		to, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("%s is a dangling link: remove it", path)
		}
		isDir = to.IsDir()
	}
	category, ok := categoryOf(entry.Name())
	result, err := os.Stat(ResultDir(path, 0))
	switch {
	case isDir && isTrial(entry.Name()) && err == nil && result.IsDir(): // and not a model's with such a name
		return nil
	case isDir:
		return s.folder(path, above)
	case !ok || eval.IsBefore(category):
		return nil // conversations before a memory's questions are not scored
	}
	return addFile(s.found, path, category)
}

// groupFolders are the folders that categories are filed under;
// "agentic/memory/kv" gives three. Some results lie in web_search, beside
// memory.
var groupFolders = func() map[string]bool {
	folders := map[string]bool{"web_search": true}
	for _, group := range eval.Groups() {
		for folder := range strings.SplitSeq(group, "/") {
			folders[folder] = true
		}
	}
	return folders
}()

func addFile(found map[string]*Folder, path, category string) error {
	model := filepath.Dir(path)
	for groupFolders[filepath.Base(model)] {
		model = filepath.Dir(model)
	}
	f := found[model]
	if f == nil {
		f = &Folder{Dir: model, Files: map[string]string{}}
		if base := filepath.Base(model); base != "result" {
			f.Model = base
		}
		found[model] = f
	}
	if other, dup := f.Files[category]; dup {
		return fmt.Errorf("category %s is recorded twice: %s and %s", category, other, path)
	}
	f.Files[category] = path
	return nil
}

// A Row is one line of a result file.
type Row struct {
	// ID is the case's id.
	ID string
	// Result is the answer: see eval.Response.
	Result pyval.Value
	// Entry is the whole line without the inference log; fields such as latency
	// are read from it later.
	Entry *pyval.Dict
	// Line is the line's number, from 1.
	Line int

	// Log is the inference log as a score file has it; "" without one. It is most
	// of a line and seldom looked at, so it is not parsed.
	Log string
}

// Read reads a result file. If several lines have one id they must hold the
// same answer: the last line counts, at the place of the first. If their
// answers differ, it is not known which is the model's, and that is an error.
// Rows of upstream's first release are all kept, because their position says
// which case they belong to. If torn is set, a last line that is cut off is
// left out instead of being an error.
func Read(path string, torn bool) ([]Row, error) {
	file, err := plainfile.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := pyval.FileText(file)
	if err != nil {
		return nil, err
	}
	if err := UTF8(text[:min(len(text), 4)]); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text = strings.TrimPrefix(text, byteOrderMark)
	id, positional := idsOf(path)
	rows := make([]Row, 0, strings.Count(text, "\n")+1)
	at := make(map[string]int, cap(rows))
	for n := 1; text != ""; n++ {
		line, rest, ended := strings.Cut(text, "\n")
		if text = rest; strings.TrimSpace(line) == "" {
			continue
		}
		row, err := parseRow(line, n, id)
		if err != nil {
			if torn && !ended {
				break
			}
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if i, dup := at[row.ID]; dup && !positional {
			if pyval.Repr(rows[i].Result) != pyval.Repr(row.Result) {
				return nil, fmt.Errorf("%s:%d: %s has a different answer on line %d: remove one of them", path, n, strconv.Quote(row.ID), rows[i].Line)
			}
			rows[i] = row
			continue
		}
		at[row.ID] = len(rows)
		rows = append(rows, row)
	}
	return rows, checkMarks(path, rows)
}

// parseRow reads a line of a result file, given its number and what tells its id.
func parseRow(line string, n int, idOf func(entry *pyval.Dict, n int) string) (Row, error) {
	v, log, err := pyval.ParseJSONBut(line, "inference_log")
	if err != nil {
		return Row{}, fmt.Errorf("invalid JSON: %w", err)
	}
	entry, ok := v.(*pyval.Dict)
	if !ok {
		return Row{}, fmt.Errorf("expected a JSON object, got %s", pyval.ATypeName(v))
	}
	id := idOf(entry, n)
	if _, text := entry.Text("id"); id == "" && !text {
		return Row{}, fmt.Errorf(`"id" is missing or not a string`)
	}
	result, ok := entry.GetStr("result")
	if !ok {
		return Row{}, fmt.Errorf(`"result" of %q is missing`, id)
	}
	return Row{ID: id, Result: result, Entry: entry, Line: n, Log: log}, nil
}

// Response returns the recorded answer. Token counts and latencies of
// multi-turn records, which are lists, are added up; a value that is not a
// number counts as 0.
func (r Row) Response() eval.Response {
	finish, _ := r.Entry.Text(finishField)
	return eval.Response{
		Result:       r.Result,
		InputTokens:  int(r.number("input_token_count")),
		OutputTokens: int(r.number("output_token_count")),
		Latency:      duration(r.number("latency")),
		TTFT:         eval.MeanTTFT(durations(r.Entry)),
		CutOff:       r.marked(cutOffField),
		Malformed:    r.marked(malformedField),
		Finish:       finish,
		Effort:       r.effort(),
		Cost:         r.cost(),
		Entry:        r.Entry,
		Log:          r.Log,
	}
}

func duration(seconds float64) time.Duration {
	return time.Duration(math.Round(seconds * float64(time.Second)))
}

// durations returns the times to the first token; a single answer counts as one step.
func durations(entry *pyval.Dict) (turns [][]time.Duration) {
	v, known := entry.GetStr("ttft")
	list, ok := v.(*pyval.List)
	switch {
	case !known:
		return nil
	case !ok:
		return [][]time.Duration{{duration(sum(v, turnsOfSteps))}}
	}
	for _, turn := range list.Items {
		var steps []time.Duration
		if inner, ok := turn.(*pyval.List); ok {
			for _, step := range inner.Items {
				steps = append(steps, duration(sum(step, turnsOfSteps)))
			}
		}
		turns = append(turns, steps)
	}
	return turns
}

// cost returns what the line says that the answer cost.
func (r Row) cost() eval.Money {
	v, _ := r.Entry.GetStr(costField)
	d, _ := v.(*pyval.Dict)
	if d == nil {
		return eval.Money{}
	}
	return eval.Money{Dollars: figure(d, "dollars"), Requests: int(figure(d, "requests")), Unknown: int(figure(d, "unknown"))}.Sane()
}

// figure returns a number of a dict; what is none counts as 0.
func figure(d *pyval.Dict, name string) float64 {
	v, _ := d.GetStr(name)
	return sum(v, turnsOfSteps)
}

// marked reports whether one of our own marks is set on a line.
func (r Row) marked(field string) bool {
	if r.Entry == nil {
		return false
	}
	v, _ := r.Entry.GetStr(field)
	return v == pyval.Bool(true)
}

func (r Row) number(field string) float64 {
	v, _ := r.Entry.GetStr(field)
	return sum(v, 0)
}

// turnsOfSteps is how deep the numbers of a conversation lie.
const turnsOfSteps = 2

// sum returns a number or the sum of all steps; at the depth turnsOfSteps, a number only.
func sum(v pyval.Value, depth int) float64 {
	var f float64
	switch v := v.(type) {
	case pyval.Int:
		f, _ = v.Float64()
	case pyval.Float:
		f = float64(v)
	case *pyval.List:
		if depth < turnsOfSteps {
			for _, item := range v.Items {
				f += sum(item, depth+1)
			}
		}
	}
	if f >= 0 && f < 1e9 {
		return f
	}
	return 0
}
