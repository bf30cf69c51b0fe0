package record

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
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
	if r.Entry == nil {
		return ""
	}
	v, _ := r.Entry.GetStr(runField)
	mark, _ := v.(pyval.Str)
	return string(mark)
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

// statedMark returns the mark that the run.json of a result file's run folder
// explains; "" if there is none.
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
