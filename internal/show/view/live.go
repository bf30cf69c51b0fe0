package view

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// A live view is how far a run is at one moment.
type live struct {
	*Run
	State      string
	Done       int
	Total      int
	Share      float64 // share of cases that are done, in percent
	Right      string
	Facts      []fact
	Categories []row
	Kinds      []fact
	Failures   []failure
	Slowest    []engine.Seen
}

// A failure is a case that failed lately, with its cause in words.
type failure struct{ ID, Cause, Reason string }

type fact struct{ Name, Value string }

// A row is a category's line.
type row struct {
	engine.Count
	// Share is the share of cases that are done, in percent.
	Share float64
	// Right, Low and High are percentages of the judged cases; Right is -1 if
	// there are none.
	Right, Low, High float64
}

func progressOf(run *Run, now engine.Snapshot, at time.Time) *live {
	v := &live{Run: run, State: now.Text(at), Slowest: now.Slowest}
	for _, f := range now.Failures {
		v.Failures = append(v.Failures, failure{f.ID, cause.KindOf(f.ErrorType).Title(), f.Reason})
	}
	v.Done, v.Total, v.Share = now.Done, now.Total, percent(now.Done, now.Total)
	if judged := now.Passed + now.Failed; judged > 0 {
		i := stat.Wilson(now.Passed, judged, stat.Z95)
		v.Right = fmt.Sprintf("%.1f%% (%.1f to %.1f)", percent(now.Passed, judged), 100*i.Low, 100*i.High)
	}
	v.Facts = facts(now, at)
	for _, c := range now.Categories {
		r := row{Count: c, Share: percent(c.Done, c.Total), Right: -1}
		if judged := c.Passed + c.Failed; judged > 0 {
			i := stat.Wilson(c.Passed, judged, stat.Z95)
			r.Right, r.Low, r.High = percent(c.Passed, judged), 100*i.Low, 100*i.High
		}
		v.Categories = append(v.Categories, r)
	}
	for _, kind := range slices.Sorted(maps.Keys(now.Kinds)) {
		v.Kinds = append(v.Kinds, fact{kind, fmt.Sprint(now.Kinds[kind])})
	}
	return v
}

func facts(now engine.Snapshot, at time.Time) []fact {
	out := []fact{{"errors", fmt.Sprint(now.Errors)}, {"in flight", fmt.Sprint(now.InFlight)}, {"running for", at.Sub(now.Started).Round(time.Second).String()}}
	if rate := now.Rate(at); rate > 0 {
		out = append(out, fact{"rate", fmt.Sprintf("%.1f per second", rate)}, fact{"time left, about", now.Left(at).String()})
	}
	if now.Cost.Dollars > 0 {
		out = append(out, fact{"cost so far", now.Cost.Text(2)}, fact{"total cost, about", fmt.Sprintf("$%.2f", now.Projected())})
	}
	if now.Reused > 0 {
		out = append(out, fact{"recorded earlier", fmt.Sprint(now.Reused)})
	}
	return out
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
