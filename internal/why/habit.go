package why

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A habit is what a server does to every answer, and a model to some at most.
type habit int

const (
	doubled habit = iota
	noArguments
	broken
	textNumbers
	floats
	numberTexts
	textObjects
	emptyObjects
	nulls
	defaults
	lowNames
	lowKeys
	lowTexts
)

// habits are the habits in words; least is how many places must show one, and
// share the least share of the places where it can show.
var habits = [...]struct {
	kind  string
	least int
	share float64
}{
	doubled:      {"every call arrives twice", 10, .9},
	noArguments:  {"calls arrive without their arguments", 10, .1},
	broken:       {"arguments are no JSON", 10, .3},
	textNumbers:  {"numbers arrive as texts", 20, .95},
	floats:       {"integers arrive as floats", 20, .95},
	numberTexts:  {"texts of digits arrive as numbers", 8, .95},
	textObjects:  {"objects and lists arrive as texts", 10, .95},
	emptyObjects: {"objects within arguments arrive empty", 4, .9},
	nulls:        {"parameters that are left out arrive as null", 20, .6},
	defaults:     {"parameters that are left out arrive with their default", 50, .97},
	lowNames:     {"names arrive in small letters", 4, .95},
	lowKeys:      {"parameters' names arrive in small letters", 3, .95},
	lowTexts:     {"texts arrive in small letters", 20, .95},
}

// Habits are those that a run's answers show, with their figures.
type Habits [len(habits)]struct{ places, shown int }

// Add adds an answer's.
func (h *Habits) Add(t *eval.Trace) {
	if t == nil {
		return
	}
	for i := range t.Places {
		h[i].places += int(t.Places[i])
		h[i].shown += int(t.Shown[i])
	}
}

// servers reports whether the run has a habit.
func (h *Habits) servers(i int) bool {
	return h[i].shown >= habits[i].least && float64(h[i].shown) >= habits[i].share*float64(h[i].places)
}

// Of returns the signs of an answer of the run, its own first.
func (h *Habits) Of(t *eval.Trace) []string {
	if t == nil {
		return nil
	}
	out := t.Signs
	for i, n := range t.Shown {
		if n > 0 && h.servers(i) {
			out = append(out[:len(out):len(out)], habits[i].kind)
		}
	}
	return out
}

// Figures says in how many places of the run a habit shows; "" for other signs,
// which speak for themselves.
func (h *Habits) Figures(kind string) string {
	for i, known := range habits {
		if known.kind == kind {
			return fmt.Sprintf("in %d of %d places", h[i].shown, h[i].places)
		}
	}
	return ""
}
