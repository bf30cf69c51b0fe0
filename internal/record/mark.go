package record

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// runField names, in a line, the run that it belongs to: see Run.Mark.
const runField = "run"

// NewID returns a random run id.
func NewID() string { return strings.ToLower(rand.Text()[:16]) }

// Mark returns the text that each line of a trial has: the run's id and a digest
// of what makes the trial's answers what they are, the model, its settings and
// the cases. What may differ when a run is continued is not part of it. Without
// an id, two runs with equal settings have the same mark.
func (r *Run) Mark(trial int) string {
	if r == nil {
		return ""
	}
	about, _ := json.Marshal(struct { // which has nothing that cannot be written
		Model           string
		Mode            eval.Mode
		UnderscoreToDot bool
		Dialect         string
		Parameters      map[string]string
		Wording, Digest string
		Trial           int
	}{r.Model, r.Mode, r.UnderscoreToDot, r.Dialect, r.Parameters, r.Wording, r.Digest, trial})
	digest := fmt.Sprintf("%x", sha256.Sum256(about))[:16]
	if r.ID == "" {
		return digest
	}
	return r.ID + "-" + digest[:8]
}

// WithoutID says that a run has no id; "" if it has one.
func (r *Run) WithoutID() string {
	if r.ID != "" {
		return ""
	}
	return "an older bfcl made the run, without a run id: copies of it, and answers of an equal run among its own, are not noticed"
}

// idJoin separates the ids of a merged run's shards.
const idJoin = "+"

// JoinIDs returns the id of the run that shards make together; "" if one has
// none.
func JoinIDs(ids []string) string {
	if slices.Contains(ids, "") {
		return ""
	}
	ids = slices.Sorted(slices.Values(ids))
	return strings.Join(slices.Compact(ids), idJoin)
}

// Shared returns the id that two runs share, whole or as shards; "" if they
// share none, or one has none.
func Shared(a, b *Run) string {
	own := strings.Split(b.ID, idJoin)
	for id := range strings.SplitSeq(a.ID, idJoin) {
		if id != "" && slices.Contains(own, id) {
			return id
		}
	}
	return ""
}

// Mark returns the mark of the run that recorded the line; "" if the line has
// none, as upstream's have none.
func (r Row) Mark() string {
	mark, _ := r.Entry.Text(runField)
	return mark
}

// Unmarked says how many answers of a run of ours have no mark; "" if all have
// one.
func (a Answers) Unmarked() string {
	n := 0
	for _, trial := range a {
		for _, row := range trial {
			if row.Mark() == "" {
				n++
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("answers that do not name the run that recorded them, as upstream's do not: %d; they count as this run's", n)
}

// A Foreign is the error for answers of another run.
type Foreign struct{ text string }

// Error names the answer and both runs.
func (f *Foreign) Error() string { return f.text }

// checkMarks returns a *Foreign if lines are of another run than the run.json
// above their file states, or of several runs.
func checkMarks(path string, rows []Row) error {
	want, stated := "", ""
	for _, row := range rows {
		mark := row.Mark()
		switch {
		case mark == "":
			continue
		case want == "":
			var err error
			if want, err = statedMark(path); err != nil {
				return err
			}
			if stated = "run.json states"; want == "" {
				want, stated = mark, "other lines are of"
			}
		}
		if mark != want {
			return &Foreign{fmt.Sprintf("%s:%d: %s is an answer of another run (%.30q) than %s (%q), or was given with other settings or in another trial; put the file of this run back, or ask again in another folder",
				path, row.Line, strconv.Quote(row.ID), mark, stated, want)}
		}
	}
	return nil
}

// statedMark returns the mark that the run.json above a result file explains; "" without one.
func statedMark(path string) (string, error) {
	dir, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range maxDepth {
		if dir = filepath.Dir(dir); filepath.Base(dir) == filepath.Base(ResultDir("", 0)) {
			break
		}
	}
	dir, trial := filepath.Dir(dir), 0
	if n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(dir), trialPrefix)); err == nil && isTrial(filepath.Base(dir)) {
		if _, err := os.Lstat(filepath.Join(dir, RunFile)); err != nil {
			dir, trial = filepath.Dir(dir), n-1
		}
	}
	run, err := ReadRun(dir)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return run.Mark(trial), nil
}

// A Difference is a setting that two runs do not share.
type Difference struct {
	// Field is the setting's name in run.json, without "parameters".
	Field string `json:"field"`
	// A and B are the values in the two runs; "" if it is not set.
	A string `json:"a"`
	B string `json:"b"`
}

// String returns the setting with both values.
func (d Difference) String() string {
	return fmt.Sprintf("%s (%s against %s)", d.Field, shownValue(d.A), shownValue(d.B))
}

func shownValue(value string) string {
	if value == "" {
		return "not set"
	}
	return strconv.Quote(value)
}

// The settings that some comparisons leave out.
const (
	modelField   = "model"
	trialsField  = "trials"
	versionField = "version"
	shardsField  = "shards"
)

// Differences returns the settings that can change an answer or its verdict and
// differ between two runs, in a fixed order. Which cases were asked, and how
// many at a time, does not count. If one of the runs is known only from JUnit,
// which has no mode, only what JUnit states is compared.
func Differences(a, b *Run) []Difference {
	var out []Difference
	add := func(field, x, y string) {
		if x != y {
			out = append(out, Difference{field, x, y})
		}
	}
	add(modelField, a.Model, b.Model)
	add("dataset", a.Dataset, b.Dataset)
	add("digest", a.Digest, b.Digest)
	add(trialsField, strconv.Itoa(a.Trials), strconv.Itoa(b.Trials))
	add(shardsField, shardsOf(a), shardsOf(b))
	if a.Mode == "" || b.Mode == "" {
		return out
	}
	add("wording", a.Wording, b.Wording)
	add("mode", string(a.Mode), string(b.Mode))
	add("underscore_to_dot", strconv.FormatBool(a.UnderscoreToDot), strconv.FormatBool(b.UnderscoreToDot))
	add("dialect", a.Dialect, b.Dialect)
	names := slices.AppendSeq(slices.Collect(maps.Keys(a.Parameters)), maps.Keys(b.Parameters))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		add(name, a.Parameters[name], b.Parameters[name])
	}
	add(versionField, a.Version, b.Version)
	return out
}

// shardsOf returns the number of shards the run was divided into.
func shardsOf(r *Run) string {
	_, count, _ := strings.Cut(r.Shard, "/")
	return count
}

// without leaves settings out.
func without(all []Difference, fields ...string) []Difference {
	return slices.DeleteFunc(all, func(d Difference) bool { return slices.Contains(fields, d.Field) })
}

// otherVersion says that the runs were made by different versions of the
// harness; "" if they were not, or it is not known.
func otherVersion(a, b *Run) string {
	if a.Version == b.Version || a.Version == "" || b.Version == "" {
		return ""
	}
	return fmt.Sprintf("bfcl %s made one part of the run, bfcl %s the other", a.Version, b.Version)
}

// Resumable reports whether a run like want can continue in a folder that holds
// the run have; the error names what differs. More categories and trials may be
// asked for. The note says that another version of the harness continues the
// run.
func Resumable(have, want *Run) (note string, err error) {
	differ := without(Differences(have, want), trialsField, versionField)
	if shard := (Difference{"shard", have.Shard, want.Shard}); shard.A != shard.B {
		differ = append(without(differ, shardsField), shard)
	}
	if want.Job != "" && have.Job != "" && have.Job != want.Job {
		differ = append(differ, Difference{"job", have.Job, want.Job})
	}
	if len(differ) == 0 {
		return otherVersion(have, want), nil
	}
	said, fields := make([]string, len(differ)), make([]string, len(differ))
	for i, d := range differ {
		said[i], fields[i] = fmt.Sprintf("%s %q, not %q", d.Field, d.A, d.B), d.Field
	}
	if later := slices.IndexFunc(differ, func(d Difference) bool { return d.A == "" && (d.Field == "embedder" || d.Field == "search") }); later >= 0 {
		return "", fmt.Errorf("the run was begun without categories that need the %s, which is a setting of all its answers: ask the new categories in another -run-dir", differ[later].Field)
	}
	return "", fmt.Errorf("the run folder was made with %s: choose another -run-dir, or the same %s",
		strings.Join(said, "; "), strings.Join(fields, ", "))
}

// Mergeable reports whether two runs can be shards of one. differ is the first
// setting that prevents it; nil if they can. The note says that different
// versions of the harness made them.
func Mergeable(a, b *Run) (note string, differ *Difference) {
	if all := without(Differences(a, b), versionField); len(all) > 0 {
		return "", &all[0]
	}
	if a.Job != "" && b.Job != "" && a.Job != b.Job {
		return "", &Difference{"job", a.Job, b.Job}
	}
	return otherVersion(a, b), nil
}

// BesidesModel returns the settings, other than the model, that differ between
// two runs, with their values; "" if there are none. The same cases in another
// folder do not count as a difference.
func BesidesModel(a, b *Run) string {
	leave := []string{modelField, "id", shardsField}
	if a.Digest == b.Digest {
		leave = append(leave, "dataset")
	}
	var said []string
	for _, d := range without(Differences(a, b), leave...) {
		said = append(said, d.String())
	}
	if a.Proxy != b.Proxy {
		said = append(said, Difference{"proxy", a.Proxy, b.Proxy}.String())
	}
	if a.Server != b.Server && a.Server != "" && b.Server != "" {
		said = append(said, Difference{"server", a.Server, b.Server}.String())
	}
	return strings.Join(said, ", ")
}
