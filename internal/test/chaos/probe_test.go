package chaos

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A figure is the number of a category or of the overall.
type figure struct {
	Accuracy       float64
	Correct, Total int
}

// figures are the numbers by category, with the overall.
type figures map[string]figure

const overall = "overall"

// A shape is the form of a command's JSON output.
type shape int

const (
	wholeScore shape = iota // a score
	listed                  // a list with one score
	comparison              // a comparison of the calm run and this one
)

func readFigures(out string, s shape) (figures, error) {
	type scored struct {
		Overall    figure
		Categories map[string]figure
	}
	var one scored
	var err error
	switch s {
	case wholeScore:
		err = json.Unmarshal([]byte(out), &one)
	case listed:
		var all []scored
		if err = json.Unmarshal([]byte(out), &all); err == nil && len(all) != 1 {
			err = fmt.Errorf("%d scores are printed", len(all))
		}
		if err == nil {
			one = all[0]
		}
	case comparison:
		var c struct {
			Categories []struct {
				Name string
				B    float64
			}
		}
		err = json.Unmarshal([]byte(out), &c)
		one.Categories = map[string]figure{}
		for _, category := range c.Categories {
			one.Categories[category.Name] = figure{Accuracy: category.B}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("what is printed cannot be read: %w", err)
	}
	all := figures(one.Categories)
	if one.Overall != (figure{}) {
		all[overall] = one.Overall
	}
	return all, nil
}

// wrong says which figures differ from those of the undisturbed run. If whole
// is set, all of them must be there.
func (r *courseRun) wrong(got figures, whole bool) (out []string) {
	for _, name := range append(slices.Clone(r.categories), overall) {
		want := r.truth[name]
		have, printed := got[name]
		switch {
		case !printed && (!whole || name == overall):
		case !printed:
			out = append(out, name+" is not printed")
		case name == overall && !whole: // over fewer categories
		case math.Abs(have.Accuracy-want.Accuracy) > 1e-9:
			out = append(out, fmt.Sprintf("%s is %v, not %v", name, have, want))
		case have.Total > 0 && have.Total%want.Total != 0: // trials multiply it
			out = append(out, fmt.Sprintf("%s is of %d, not %d", name, have.Total, want.Total))
		}
	}
	return out
}

// number compares the numbers that a command printed with the truth. It reports
// whether any were printed.
func (r *courseRun) number(what string, got told, s shape) (printed bool) {
	switch got.code {
	case 0:
		found, err := readFigures(got.out, s)
		if err != nil {
			r.problem("%s: %v", what, err)
			return true
		}
		for _, text := range r.wrong(found, true) {
			r.problem("%s prints a wrong number: %s", what, text)
		}
		r.account.Right++
		return true
	case 2, 3:
		r.refused(what, got)
	default:
		r.problem("%s ends with %d: %s", what, got.code, got.last())
	}
	return false
}

// refused checks that no number is printed, and that the last line says why.
func (r *courseRun) refused(what string, got told) {
	r.account.Refused++
	if strings.Contains(got.out, "accuracy") {
		r.problem("%s refuses and prints numbers: %s", what, got.out)
	}
	if reason := got.last(); len(reason) < len("bfcl: a reason") {
		r.problem("%s refuses without a reason: %q", what, got.errs)
	}
}

// must checks that a command refuses.
func (r *courseRun) must(what string, got told, said ...string) {
	if got.code != 2 {
		r.problem("%s is not refused with 2, but ends with %d: %s", what, got.code, got.last())
		return
	}
	r.refused(what, got)
	for _, text := range said {
		if !strings.Contains(got.errs, text) {
			r.problem("%s does not say %q: %s", what, text, got.errs)
		}
	}
}

// probe asks for the run's number in every way. It reports whether there is
// one.
func (r *courseRun) probe() (scored bool) {
	scored = r.number("score", r.tell("score", "--json", r.run), wholeScore)
	r.number("score --allow-errors", r.tell("score", "--json", "--allow-errors", r.run), wholeScore)
	r.number("score of the sheet", r.tell("score", "--json", r.run+"/junit.xml"), wholeScore)
	r.number("report", r.tell("report", "--json", r.run), listed)
	r.number("compare", r.tell("compare", "--json", r.calm, r.run), comparison)
	r.evaluated(r.tell("evaluate", "--json", "--dataset", r.data, "--result-dir", r.run))
	switch got := r.tell("gate", "--config", "gate.yaml", r.run, "--baseline", r.calm); {
	case got.code == 3 && strings.Contains(got.errs, "is its own baseline, or a copy of it"): // the course began from a copy
	case got.code == 0 && !scored:
		r.problem("the gate passed on a run without a score: %s", got.out)
	case got.code == 1:
		r.problem("the gate failed on right answers: %s", got.out)
	case got.code != 0 && scored:
		r.problem("the gate ends with %d on a run with a score: %s %s", got.code, got.out, got.last())
	}
	return scored
}

// evaluated checks that complete categories are right and that others are
// named. If run.json is gone, only the files are known, and not what else was
// run.
func (r *courseRun) evaluated(got told) {
	_, err := os.Stat(filepath.Join(r.run, "run.json"))
	stated := err == nil
	if got.code == 3 || !strings.Contains(got.out, "{") {
		if got.code == 0 {
			r.problem("evaluate prints nothing and ends with 0")
		}
		r.account.Refused++
		return
	}
	found, err := readFigures(got.out, listed)
	if err != nil {
		r.problem("evaluate: %v", err)
		return
	}
	for _, text := range r.wrong(found, stated && got.code == 0) {
		r.problem("evaluate prints a wrong number: %s", text)
	}
	for _, name := range r.categories {
		if _, printed := found[name]; stated && !printed && !strings.Contains(got.errs, name) && got.code != 2 {
			r.problem("evaluate leaves %s out without a word", name)
		}
	}
	r.account.Right++
}

// mended continues the run, whose number must then be right or refused. It
// reports whether there is one.
func (r *courseRun) mended(more ...string) bool {
	return r.number("-resume", r.tell(r.asking(append([]string{"-resume"}, more...)...)...), wholeScore)
}
