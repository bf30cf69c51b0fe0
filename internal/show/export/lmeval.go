package export

import (
	"bytes"
	"encoding/json"
	"math"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/version"
)

// lmResults is lm-evaluation-harness' results_<date>.json.
type lmResults struct {
	Results  map[string]map[string]any  `json:"results"`
	Groups   map[string][]string        `json:"group_subtasks"`
	Configs  map[string]map[string]any  `json:"configs"`
	Versions map[string]any             `json:"versions"`
	Shots    map[string]int             `json:"n-shot"`
	Higher   map[string]map[string]bool `json:"higher_is_better"`
	Samples  map[string]map[string]int  `json:"n-samples"`
	Config   map[string]any             `json:"config"`
	Hash     string                     `json:"git_hash"`
	Date     float64                    `json:"date"`
	Version  string                     `json:"lm_eval_version"`
	Source   string                     `json:"model_source"`
	Name     string                     `json:"model_name"`
	Safe     string                     `json:"model_name_sanitized"`
	Start    float64                    `json:"start_time"`
	End      float64                    `json:"end_time"`
	Took     string                     `json:"total_evaluation_time_seconds"`
}

// lmSample is a line of its samples_<task>_<date>.jsonl.
type lmSample struct {
	ID       int               `json:"doc_id"`
	Doc      map[string]string `json:"doc"`
	Target   string            `json:"target"`
	Resps    [][]string        `json:"resps"`
	Filtered []string          `json:"filtered_resps"`
	Filter   string            `json:"filter"`
	Metrics  []string          `json:"metrics"`
	Acc      float64           `json:"acc"`
}

var unsafeName = regexp.MustCompile(`[^A-Za-z0-9_.-]`)

// LMEval returns a run as lm-evaluation-harness writes one: a results file, and
// a file of samples for each category, in a folder named after the model.
// Infrastructure errors are left out.
func LMEval(run *tally.Run) ([]leaderboard.File, error) {
	dir := strings.Trim(unsafeName.ReplaceAllString(strings.ReplaceAll(run.Model, "/", "__"), "_"), ".")
	at := run.Started.UTC()
	stamp := strings.ReplaceAll(at.Format("2006-01-02T15:04:05.000000"), ":", "-")
	out := &lmResults{
		Results: map[string]map[string]any{}, Groups: map[string][]string{}, Configs: map[string]map[string]any{}, Versions: map[string]any{}, Shots: map[string]int{},
		Higher: map[string]map[string]bool{}, Samples: map[string]map[string]int{},
		Config: map[string]any{"model": run.Parameters["adapter"], "model_args": run.Parameters, "bfcl_version": version.String(), "dataset_digest": run.Digest},
		Hash:   run.Data.Commit, Date: seconds(at), Version: "bfcl " + version.String(), Source: run.Parameters["adapter"], Name: run.Model, Safe: dir,
		Start: seconds(at), End: seconds(run.Ended), Took: run.Ended.Sub(run.Started).String(),
	}
	var files []leaderboard.File
	units := run.Clusters()
	for _, part := range run.Parts {
		name := "bfcl_" + run.Dataset + "_" + part.Category.Name
		name = unsafeName.ReplaceAllString(name, "_")
		acc, stderr, n := accuracy(part, units)
		if n == 0 {
			continue
		}
		out.Results[name] = map[string]any{"alias": name, "acc,none": acc, "acc_stderr,none": stderr} // null for a single case
		out.Groups[name] = []string{}
		out.Configs[name] = map[string]any{"task": name, "dataset_path": run.Dataset, "output_type": "generate_until", "num_fewshot": 0, "metadata": map[string]any{"version": run.Digest}}
		out.Versions[name], out.Shots[name] = run.Dataset, 0
		out.Higher[name] = map[string]bool{"acc": true}
		out.Samples[name] = map[string]int{"original": run.Sizes()[part.Category.Name], "effective": n}
		text, err := samples(part)
		if err != nil {
			return nil, err
		}
		files = append(files, leaderboard.File{Name: path.Join(dir, "samples_"+name+"_"+stamp+".jsonl"), Text: text})
	}
	var b bytes.Buffer
	if err := say.EncodeJSON(&b, out, "  "); err != nil {
		return nil, err
	}
	return append(files, leaderboard.File{Name: path.Join(dir, "results_"+stamp+".json"), Text: b.String()}), nil
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// accuracy returns the share of right answers with its standard error over
// units, which is that over cases where each is its own: of n cases with p right
// sqrt(p(1-p)/(n-1)).
func accuracy(part tally.Part, of *eval.Clusters) (acc float64, stderr *float64, n int) {
	type unit struct{ right, n float64 }
	units, right := map[string]unit{}, 0.0
	for i := range part.Results {
		r := &part.Results[i]
		if r.Status == eval.Error {
			continue
		}
		key := of.Of(r.Case)
		u := units[key]
		if u.n++; r.Passed() {
			u.right++
			right++
		}
		units[key] = u
		n++
	}
	if n == 0 {
		return 0, nil, 0
	}
	acc = right / float64(n)
	if len(units) < 2 {
		return acc, nil, n
	}
	sum := 0.0
	for _, u := range units {
		d := u.right - acc*u.n
		sum += d * d
	}
	c := float64(len(units))
	x := math.Sqrt(sum*c/(c-1)) / float64(n)
	return acc, &x, n
}

// samples returns the lines of a category's answers.
func samples(part tally.Part) (string, error) {
	var b strings.Builder
	for i := range part.Results {
		r := &part.Results[i]
		if r.Status == eval.Error {
			continue
		}
		said, target := "", ""
		if r.Result != nil {
			said, _ = pyval.JSON(r.Result, pyval.JSONUnicode)
		}
		if r.Case.Answer != nil {
			target, _ = pyval.JSON(r.Case.Answer, pyval.JSONUnicode)
		}
		s := lmSample{ID: i, Doc: map[string]string{"id": r.Case.ID, "question": r.Case.Question()}, Target: target,
			Resps: [][]string{{said}}, Filtered: []string{said}, Filter: "none", Metrics: []string{"acc"}}
		if r.Passed() {
			s.Acc = 1
		}
		line, err := json.Marshal(s)
		if err != nil {
			return "", err
		}
		b.Write(say.JSON(line))
		b.WriteByte('\n')
	}
	return b.String(), nil
}
