package compare

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/cause"
)

// A Flip is a case on which the runs differ.
type Flip struct {
	Category string `json:"category"`
	ID       string `json:"id"`
	// A and B are the runs' measures, usually the shares of right trials: 0 or
	// 1 with one trial.
	A float64 `json:"a"`
	B float64 `json:"b"`
	// ErrorA and ErrorB are the error types of the first wrong trials; "" if no
	// trial was wrong.
	ErrorA string `json:"error_a,omitempty"`
	ErrorB string `json:"error_b,omitempty"`
	// Cause is why the run that did worse failed.
	Cause cause.Cause `json:"cause"`
	// Overlooked reports whether the run that did better has a right answer that
	// holds a call which was not read.
	Overlooked bool `json:"overlooked,omitempty"`
	// Points is what the case adds to the overall's difference.
	Points float64 `json:"points"`
}

func flip(category string, a, b *unit) Flip {
	f := Flip{Category: category, ID: a.id, A: a.value, B: b.value, ErrorA: a.errorType, ErrorB: b.errorType, Cause: a.cause, Overlooked: b.overlooked}
	if f.Lost() {
		f.Cause, f.Overlooked = b.cause, a.overlooked
	}
	return f
}

// Lost reports whether B did worse.
func (f Flip) Lost() bool { return f.B < f.A }

// Lost returns the cases on which B did worse.
func (c *Comparison) Lost() []Flip {
	return slices.DeleteFunc(slices.Clone(c.Flips), func(f Flip) bool { return !f.Lost() })
}

// Won returns the cases on which B did better.
func (c *Comparison) Won() []Flip { return slices.DeleteFunc(slices.Clone(c.Flips), Flip.Lost) }
