package tally

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// Report returns the run as JUnit for people: a suite per category and an entry
// per case or trial, in the manifest's order. Its time is what passed until the run
// ended.
func (r *Run) Report() *JUnitReport {
	part := ""
	if s, err := r.Answered(false); err != nil || !s.Complete {
		s = cmp.Or(s, &score.Score{})
		part = fmt.Sprintf("%d of %d cases", s.Overall.Cases, s.Overall.Size)
	}
	out := &JUnitReport{Name: "bfcl", Time: r.Started, Properties: known(
		"model", r.Model, "dataset", r.Dataset, "digest", r.Digest, "origin", string(r.Data.State), "commit", r.Data.Commit, "part", part)}
	if !r.Started.IsZero() && r.Ended.After(r.Started) {
		out.Wall = r.Ended.Sub(r.Started)
	}
	signs := signsOf(r)
	for _, part := range r.Parts {
		s := JUnitSuite{Name: part.Category.Name}
		for i := range part.Results {
			result := &part.Results[i]
			s.File = shownFile(result.Case.File)
			s.Cases = append(s.Cases, entryOf(r, result, signs))
		}
		out.Suites = append(out.Suites, s)
	}
	return out
}

// Gated is Report for a run with a gate, whose rules are tests of their own: a
// wrong answer is skipped then, and the gate decides.
func (r *Run) Gated(rules []JUnitSuite) *JUnitReport {
	report := r.Report()
	for _, s := range report.Suites {
		for i := range s.Cases {
			c := &s.Cases[i]
			c.Failure, c.Error, c.Skipped = nil, nil, c.Reason()
		}
	}
	report.Suites = slices.Concat(rules, report.Suites)
	return report
}

// shownFile returns a case's file as a CI's test view may show it: the machine's paths
// do not belong in a report.
func shownFile(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	return cmp.Or(why.Near(path), filepath.Base(path))
}

func entryOf(r *Run, result *eval.Result, signs *signs) JUnitCase {
	c := JUnitCase{Name: result.Case.ID, Line: result.Case.Line, Seconds: JUnitSeconds(result.Seconds)}
	agent, trial := "", ""
	if result.Effort != nil {
		agent = result.Effort.String()
	}
	if r.Trials > 1 { // readers of JUnit need names without spaces and slashes
		trial = strconv.Itoa(result.Trial + 1)
		c.Name += "_trial_" + trial
	}
	latency, tokens := Took(&result.Response)
	c.Properties = known("error_type", result.ErrorType, "latency", latency, "agent", agent, "tokens", tokens, "cost", figure(result.Cost.Dollars, 6), "trial", trial)
	reason := &JUnitReason{Type: result.ErrorType, Message: result.Cause.Kind.Title() + ": " + result.Reason(reasonBytes), Text: result.Text}
	switch result.Status {
	case eval.Pass:
	case eval.Fail:
		c.Failure = reason
		if who, sign := signs.blame(result); who == say.Server || who == say.Benchmark {
			reason.Text += "\nevidence for the " + strings.TrimSuffix(who+": "+say.Plain(sign, 160), ": ") + "\n"
		}
	default:
		c.Error = reason
	}
	return c
}

// Took returns the attributes of what an answer took: seconds, and those to the
// first token, and tokens in and out; "" if they are not known.
func Took(r *eval.Response) (latency, tokens string) {
	latency = strings.TrimSuffix(figure(r.Latency.Seconds(), -1)+" "+figure(r.TTFT.Seconds(), -1), " ")
	if r.InputTokens > 0 || r.OutputTokens > 0 {
		tokens = fmt.Sprint(r.InputTokens, r.OutputTokens)
	}
	return latency, tokens
}

// figure writes a number; "" for one that is not known.
func figure(x float64, decimals int) string {
	if x <= 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// known makes properties of alternating names and values, without empty values.
func known(pairs ...string) (out JUnitProperties) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			out = append(out, JUnitProperty{Name: pair[0], Value: pair[1]})
		}
	}
	return out
}

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
func (r *Run) Defects() (map[string]*errata.Item, error) { return defectsOf(r.Digest, r.Mode) }

func defectsOf(digest string, mode eval.Mode) (map[string]*errata.Item, error) {
	list, err := errata.For(digest)
	if err != nil || list == nil {
		return nil, err
	}
	out := map[string]*errata.Item{}
	for i := range list.Items {
		if item := &list.Items[i]; item.Defect() && item.Concerns(mode) {
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

// Write prints the audit beside the official score.
func (a *Audit) Write(w io.Writer, official *score.Score) error {
	var kinds []string
	for _, kind := range errata.Kinds() {
		if n := a.Listed[kind]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
		}
	}
	var b strings.Builder
	head := fmt.Sprintf("Audited: %s listed as defective (%s; `bfcl errata`), and %d of them failed.", say.Count(len(a.LeftOut), "case is", "cases are"), strings.Join(kinds, ", "), a.Failed)
	b.WriteString("\n" + strings.Join(say.Wrap(head, 78), "\n") + "\n\n")
	was, is, amended := official.Overall.Ran, a.Telling.Overall, "not known"
	if a.Amended != nil {
		amended = percent(a.Amended.Overall.Ran.Value)
	}
	t := &say.Table{Head: []string{"", "official", "audited", "95% interval", "cases", "amended"}}
	t.Add("overall", percent(was.Value), percent(is.Ran.Value), fmt.Sprintf("%.1f to %.1f", 100*is.Ran.Low, 100*is.Ran.High), fmt.Sprint(is.Cases), amended)
	t.Text(&b)
	b.WriteString("\naudited: without listed defects; amended: with the keys that these should have.\nOver half of such a gain comes of leaving out hard cases, defective or not. The\nofficial score stays as it is.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }
