// Package export writes runs as files for other programs: score.json, upstream's
// leaderboard tables, and JSON lines with the attribute names of
// OpenTelemetry's conventions for generative AI.
package export

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/say"
)

// Tables returns upstream's leaderboard files for runs of one dataset: six for
// V4, one for V1. Runs of other datasets are laid out like V4.
func Tables(runs []*tally.Run, allowErrors bool) ([]leaderboard.File, error) {
	var entries []leaderboard.Entry
	for _, run := range runs {
		e, err := entry(run, allowErrors)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", say.Plain(run.Name, 200), err)
		}
		entries = append(entries, e)
		if run.Digest != runs[0].Digest {
			return nil, fmt.Errorf("a table covers one dataset: %s was run on %q with digest %.12q, %s on %q with %.12q",
				say.Plain(runs[0].Name, 200), runs[0].Dataset, runs[0].Digest, say.Plain(run.Name, 200), run.Dataset, run.Digest)
		}
	}
	if len(runs) > 0 && runs[0].Layout() == score.V1 {
		return leaderboard.TablesV1(entries)
	}
	return leaderboard.Tables(entries)
}

func entry(run *tally.Run, allowErrors bool) (leaderboard.Entry, error) {
	s, err := run.Score(allowErrors)
	if err != nil {
		return leaderboard.Entry{}, err
	}
	known, terms := leaderboard.V1Terms(run.Model)
	e := leaderboard.Entry{Model: known, Accuracy: s.Accuracies()}
	e.Model.Name = strings.ReplaceAll(run.Name, ",", ";") // upstream's tables have no quotes
	if p := run.Prices; p != nil {
		e.Model.InputPrice, e.Model.OutputPrice = &p.Input, &p.Output
	}
	if part := run.Part(prompt.Category); part != nil {
		e.Format = part.Sensitivity(allowErrors)
		delete(e.Accuracy, prompt.Category)
	}
	u := usage(run)
	if len(u.Latency.Values) == 1 {
		u.Latency = leaderboard.Series{} // upstream's whole table would fail
	}
	if run.Layout() == score.V1 {
		e.Spend, err = u.SpendV1(e.Model, terms)
	} else {
		e.Spend, err = u.Spend(e.Model)
	}
	return e, err
}

// usage reads the usage from the recorded lines, if there are any, as upstream does.
func usage(run *tally.Run) leaderboard.Usage {
	var u leaderboard.Usage
	for _, r := range run.All() {
		if r.Entry != nil {
			u.Record(r.Entry)
			continue
		}
		if x := r.Latency.Seconds(); x > 0 {
			u.Latency.AddFloat(x)
		}
		if r.InputTokens > 0 {
			u.Input.AddInt(int64(r.InputTokens))
		}
		if r.OutputTokens > 0 {
			u.Output.AddInt(int64(r.OutputTokens))
		}
	}
	return u
}
