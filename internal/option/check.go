package option

import (
	"fmt"
	"math"
	"time"
)

// mostTokens is more than any answer has, and fits into an int everywhere.
const mostTokens = 1 << 30

// MostTrials is how many trials a run may have: the verdicts of all are held at
// once when it is scored.
const MostTrials = 1000

// Check refuses numbers that make no sense: a NaN as budget would silently be
// no budget.
func (o *Options) Check() error {
	for _, c := range []struct {
		flag   string
		number float64
		least  float64
	}{
		{"trials", float64(o.Trials), 1},
		{"concurrency", float64(o.Concurrency), 0},
		{"rpm", float64(o.RPM), 0},
		{"tpm", float64(o.TPM), 0},
		{"max-cost", o.MaxCost, 0},
		{"temperature", o.Temperature.Value, 0},
	} {
		if math.IsNaN(c.number) || math.IsInf(c.number, 0) || c.number < c.least {
			return fmt.Errorf("-%s must be at least %g, not %g", c.flag, c.least, c.number)
		}
	}
	if o.Trials > MostTrials {
		return fmt.Errorf("-trials must be at most %d, not %d", MostTrials, o.Trials)
	}
	for _, c := range []struct {
		flag string
		long time.Duration
	}{{"request-timeout", o.Timeout}, {"server-wait", o.ServerWait}, {"agent-time", o.AgentTime}, {"grace", o.Grace}} {
		if c.long < 0 {
			return fmt.Errorf("-%s must be at least 0, not %v", c.flag, c.long)
		}
	}
	if n := o.MaxTokens; n.Given && (!(n.Value >= 1 && n.Value <= mostTokens) || n.Value != math.Trunc(n.Value)) {
		return fmt.Errorf("-max-tokens must be a whole number of at least 1, not %s", n.String())
	}
	return nil
}

// A word is a flag's text that must not be empty: in a script an empty text
// comes from an unset variable, and must not mean everything.
type word struct{ text *string }

// String returns the text.
func (w word) String() string {
	if w.text == nil {
		return ""
	}
	return *w.text
}

// Set sets the text.
func (w word) Set(s string) error {
	if s == "" {
		return fmt.Errorf("must not be empty; omit the flag for all")
	}
	*w.text = s
	return nil
}

// A budget is an amount in dollars above 0: a 0 would silently be no budget.
type budget struct{ dollars *float64 }

// String returns the amount.
func (b budget) String() string {
	if b.dollars == nil {
		return "0"
	}
	return fmt.Sprint(*b.dollars)
}

// Set reads an amount.
func (b budget) Set(s string) error {
	var n Number
	if err := n.Set(s); err != nil {
		return err
	}
	if !(n.Value > 0) || math.IsInf(n.Value, 0) {
		return fmt.Errorf("want a number of dollars above 0; omit the flag for no budget")
	}
	*b.dollars = n.Value
	return nil
}
