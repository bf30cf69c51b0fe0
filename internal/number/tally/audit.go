package tally

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/say"
)

// An Audit is what the list of errata leaves of a run's official score, which it
// does not change.
type Audit struct {
	// Listed counts the run's cases with a defect, by its kind, and Failed those
	// of them that failed.
	Listed map[errata.Kind]int `json:"listed"`
	Failed int                 `json:"failed"`
	// LeftOut are these cases. Telling is the score over the others.
	LeftOut []string     `json:"left_out"`
	Telling *score.Score `json:"telling"`
	// Amended is the score with amended keys where these are certain, without
	// the other defective cases; nil if the answers are not available. Righted
	// are the cases that only the amended keys accept.
	Amended *score.Score `json:"amended,omitempty"`
	Righted []string     `json:"righted,omitempty"`
}

// Defects returns the entries of the list that concern the run's cases and mode,
// by id; nil if its data is not upstream's.
func (r *Run) Defects() (map[string]*errata.Item, error) {
	list, err := errata.For(r.Digest)
	if err != nil || list == nil {
		return nil, err
	}
	out := map[string]*errata.Item{}
	for i := range list.Items {
		if item := &list.Items[i]; item.Defect() && item.Concerns(r.Mode) {
			out[item.ID] = item
		}
	}
	return out, nil
}

// Audit audits a run; nil if no entry concerns it. For the amended score the run
// must have been read with its answers.
func (r *Run) Audit(allowErrors bool) (*Audit, error) {
	defects, err := r.Defects()
	if err != nil {
		return nil, err
	}
	rest, left := r.Without(slices.Collect(maps.Keys(defects)))
	if len(left) == 0 {
		return nil, nil
	}
	a := &Audit{Listed: map[errata.Kind]int{}, LeftOut: left}
	for _, id := range left {
		a.Listed[defects[id].Kind]++
	}
	if a.Telling, err = rest.Answered(allowErrors); err != nil {
		return nil, err
	}
	known := true
	var leave []string
	judged := changed(r, func(x *eval.Result) bool {
		item, failed := defects[x.Case.ID], x.Status == eval.Fail
		if item != nil && failed && x.Trial == 0 {
			a.Failed++
		}
		switch {
		case item == nil || !failed && item.Amends():
			return false
		case !item.Amends():
			leave = append(leave, item.ID)
			return false
		case x.Result == nil:
			known = false
		case x.Amended:
			a.Righted = append(a.Righted, item.ID)
		}
		return x.Amended
	}, func(x *eval.Result) { x.Status, x.ErrorType = eval.Pass, "" })
	if judged == nil {
		judged = r
	}
	if amended, _ := judged.Without(leave); known {
		a.Amended, err = amended.Answered(allowErrors)
	}
	return a, err
}

// Write prints the audit beside the official score: the overall, and in full
// each group and category too.
func (a *Audit) Write(w io.Writer, official *score.Score, full bool) error {
	var kinds []string
	for _, kind := range errata.Kinds() {
		if n := a.Listed[kind]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
		}
	}
	var b strings.Builder
	head := fmt.Sprintf("Audited: %s listed as defective (%s; `bfcl errata`), and %d of them failed.", say.Count(len(a.LeftOut), "case is", "cases are"), strings.Join(kinds, ", "), a.Failed)
	b.WriteString("\n" + strings.Join(say.Wrap(head, 78), "\n") + "\n\n")
	t := &say.Table{Head: []string{"", "official", "audited", "95% interval", "cases", "amended"}}
	add := func(name string, part func(*score.Score) score.Part) {
		was, is, amended := part(official).Ran, part(a.Telling), "not known"
		if a.Amended != nil {
			amended = percent(part(a.Amended).Ran.Value)
		}
		if name == "overall" || was != is.Ran {
			t.Add(name, percent(was.Value), percent(is.Ran.Value), fmt.Sprintf("%.1f to %.1f", 100*is.Ran.Low, 100*is.Ran.High), fmt.Sprint(is.Cases), amended)
		}
	}
	add("overall", func(s *score.Score) score.Part { return s.Overall })
	if full {
		for _, name := range slices.Sorted(maps.Keys(official.Groups)) {
			add(name, func(s *score.Score) score.Part { return s.Groups[name] })
		}
		for _, name := range slices.Sorted(maps.Keys(official.Categories)) {
			add(name, func(s *score.Score) score.Part { return s.Categories[name] })
		}
	}
	t.Text(&b)
	b.WriteString("\naudited: without listed defects; amended: with the keys that these should have.\nOver half of such a gain comes of leaving out hard cases, defective or not. The\nofficial score stays as it is.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }
