package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// hostileNames are names of folders that mean something elsewhere, or nothing in
// Python.
var hostileNames = []string{
	"2026-11-23", "gpt oss 120b", "gpt,oss", "m@fp8#2", "None", "-rf", "ünïcode-模型", "two\nlines", "%s%d", "m'); ls('", "live", "trial_2",
}

// hostileName gives the run another name.
func (r *courseRun) hostileName() error {
	r.run = filepath.Join(r.Dir, fmt.Sprintf("names-%d", r.random.IntN(1e9)), hostileNames[r.random.IntN(len(hostileNames))])
	if err := r.fresh(); err != nil {
		return err
	}
	if _, err := r.unsheet(); err != nil {
		return err
	}
	if !r.probe() {
		r.problem("a run in the folder %q has no number", filepath.Base(r.run))
	}
	if !r.mended() {
		r.problem("a run in the folder %q does not go on", filepath.Base(r.run))
	}
	return nil
}

// aborts is a server that gives up on some answers.
func (r *courseRun) aborts() error {
	reasons := []string{"abort", "aborted", "error", "cancelled", "ERROR"}
	r.server.abort(0.1+r.random.Float64()/2, reasons[r.random.IntN(len(reasons))])
	defer r.server.abort(0, "")
	got := r.tell(r.asking("-gate=gate.yaml")...)
	if got.code == 1 {
		r.problem("an outage closes the gate: %s", got.out)
	} else {
		r.number("a run with aborted answers", got, wholeScore)
	}
	r.server.abort(0, "")
	if !r.mended() {
		r.problem("aborted answers cannot be asked again")
	}
	r.probe()
	return nil
}

// foreignAnswers puts one or all of a category's answers of another model into
// the run, or into its second trial.
func (r *courseRun) foreignAnswers() error {
	other, err := r.ofOther()
	if err := errors.Join(err, r.fresh()); err != nil {
		return err
	}
	if r.random.IntN(3) == 0 && !r.mended("-trials=2") {
		r.problem("more trials are refused")
	}
	paths := resultFiles(r.run)
	to := paths[r.random.IntN(len(paths))]
	_, category, _ := strings.Cut(to, string(filepath.Separator)+"result"+string(filepath.Separator))
	text, err := os.ReadFile(filepath.Join(other, "result", category))
	own, ownErr := os.ReadFile(to)
	if err := errors.Join(err, ownErr); err != nil {
		return err
	}
	if r.random.IntN(2) == 0 { // one line only, with an id that is asked
		_, rest, _ := strings.Cut(string(own), "\n")
		id, _, _ := strings.Cut(string(own), ",")
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, id+",") {
				text = []byte(line + rest)
				break
			}
		}
	}
	if err := os.WriteFile(to, text, 0o644); err != nil {
		return err
	}
	r.untouched("-resume on another model's answers", "is an answer of another run", "-resume")
	if strings.Contains(to, "prereq") {
		return nil // which nothing scores
	}
	if err := os.Remove(filepath.Join(r.run, "junit.xml")); err != nil {
		return err
	}
	r.must("score of another model's answers", r.tell("score", "--json", r.run), "is an answer of another run")
	r.must("compare with another model's answers", r.tell("compare", "--json", r.calm, r.run), "is an answer of another run")
	return nil
}

// cannotBegin refuses runs for many reasons, and nothing may have changed.
func (r *courseRun) cannotBegin() error {
	if err := r.fresh(); err != nil {
		return err
	}
	switch r.random.IntN(8) {
	case 0:
		r.untouched("no program", "nope", "-model=command:./nope", "-base-url=")
	case 1:
		r.untouched("another route", "headers", "-resume", "-header=X-Route: b")
	case 2:
		r.untouched("too many trials", "-trials must be at most", "-trials=99999999")
	case 3:
		r.untouched("no gate", "nope", "-gate=nope.yaml")
	case 4:
		r.untouched("no dataset", "nope", "-dataset=nope")
	case 5:
		more := []string{"-search=replay:nope"}
		if !slices.Contains(r.categories, "web_search_base") {
			more = append(more, "-dataset=starter", "-categories=web_search_base", "-mode=fc")
		}
		r.untouched("no recording", "nope", more...)
	default:
		spoilt := []func(lines []string) []string{
			func(lines []string) []string { return append([]string{"<<<<<<< HEAD"}, lines...) },
			func(lines []string) []string { return append([]string{"\ufeff" + lines[0]}, lines[1:]...) },
			func(lines []string) []string {
				return append([]string{"{", strings.TrimPrefix(lines[0], "{")}, lines[1:]...)
			},
		}
		err := r.change(spoilt[r.random.IntN(len(spoilt))])
		r.untouched("a spoilt line", "_result.json:1:", "-resume")
		return err
	}
	if !r.probe() {
		r.problem("a run that was left as it is has no number")
	}
	return nil
}

// untouched checks that a run is refused and that its folder is what it was.
func (r *courseRun) untouched(what, said string, more ...string) {
	before := r.content()
	got := r.tell(r.asking(more...)...)
	if got.code != 2 && got.code != 3 || !strings.Contains(got.errs, said) {
		r.problem("%s: ends with %d and does not say %q: %s", what, got.code, said, got.errs)
	}
	if !maps.EqualFunc(before, r.content(), bytes.Equal) {
		r.problem("%s: the refused run changed files", what)
	}
	r.account.Refused++
}

func (r *courseRun) content() map[string][]byte {
	out := map[string][]byte{}
	for _, path := range r.files() {
		out[path], _ = os.ReadFile(path)
	}
	return out
}

// editedReading changes what run.json says of the model, of how answers are read
// and of the cases.
func (r *courseRun) editedReading() error {
	if err := r.fresh(); err != nil {
		return err
	}
	path := filepath.Join(r.run, "run.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	stated := []*strings.Replacer{
		strings.NewReplacer(`"underscore_to_dot": true`, `"underscore_to_dot": false`, `"underscore_to_dot": false`, `"underscore_to_dot": true`),
		strings.NewReplacer(`"model": "m"`, `"model": "n"`), strings.NewReplacer(`"digest": "`, `"digest": "0`),
	}
	which := r.random.IntN(len(stated))
	flipped := stated[which].Replace(string(text))
	if err := errors.Join(os.WriteFile(path, []byte(flipped), 0o644), os.Remove(filepath.Join(r.run, "junit.xml"))); err != nil {
		return err
	}
	said := "is an answer of another run"
	if which == 2 {
		said = "digest"
	}
	r.must("score of an edited run.json", r.tell("score", "--json", r.run), said)
	return nil
}

// itself compares a run with itself under a gate.
func (r *courseRun) itself() error {
	if err := r.fresh(); err != nil {
		return err
	}
	if got := r.tell("gate", "--config", "gate.yaml", r.run, "--baseline", r.run); got.code != 3 || !strings.Contains(got.errs, "is its own baseline") {
		r.problem("a run as its own baseline ends with %d: %s", got.code, got.last())
	}
	twin := r.run + "-copy" // as a job that is run again may restore it
	if err := os.CopyFS(twin, os.DirFS(r.run)); err != nil {
		return err
	}
	if got := r.tell("gate", "--config", "gate.yaml", r.run, "--baseline", twin); got.code != 3 || !strings.Contains(got.errs, "or a copy of it") {
		r.problem("a copy as the baseline ends with %d: %s", got.code, got.last())
	}
	r.must("compare with a copy", r.tell("compare", r.run, twin), "are the same run")
	return nil
}

// deadServer asks a server that is gone, with a gate.
func (r *courseRun) deadServer() error {
	got := r.tell(r.asking("-gate=gate.yaml", "-base-url=http://127.0.0.1:1/v1", "-server-wait="+time.Millisecond.String())...)
	if got.code != 2 {
		r.problem("a server that is gone ends with %d: %s", got.code, got.last())
	}
	return nil
}
