package tally

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/say"
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

// shownFile returns a case's file as a CI's test view may show it: relative to
// the current folder if it is below it, so that views link to it, and otherwise
// only its name, because the machine's paths do not belong in a report.
func shownFile(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if here, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(short) {
			return filepath.ToSlash(short)
		}
	}
	return filepath.Base(path)
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
