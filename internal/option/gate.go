package option

import (
	"flag"
	"fmt"
)

// A Gate says which rules decide on a run of the suite's test.
type Gate struct {
	// File is the gate file, and Baseline the run that it compares with; ""
	// for none.
	File, Baseline string
	// Undecided says whether an undecided gate fails the test.
	Undecided Undecided
}

// An Undecided is what an undecided gate does to the test, which knows
// no third outcome.
type Undecided string

// The values of -undecided.
const (
	Fails  Undecided = "fail"
	Passes Undecided = "pass"
)

// Register defines the flags in a flag set.
func (g *Gate) Register(set *flag.FlagSet) {
	set.StringVar(&g.File, "gate", "", "let this gate `file` decide whether the suite passes, instead of each answer; bfcl gate --init prints one")
	set.StringVar(&g.Baseline, "baseline", "", "the `run` that the gate compares this one with, or none")
	g.Undecided = Fails
	set.Var(&g.Undecided, "undecided", "whether an undecided gate fails the test: `fail or pass`")
}

// Args returns the flags as arguments.
func (g *Gate) Args() (args []string) {
	for _, flag := range []struct{ name, value string }{{"gate", g.File}, {"baseline", g.Baseline}} {
		if flag.value != "" {
			args = append(args, "-"+flag.name+"="+flag.value)
		}
	}
	return args
}

// String returns the value.
func (u *Undecided) String() string {
	if u == nil {
		return ""
	}
	return string(*u)
}

// Set reads a value.
func (u *Undecided) Set(s string) error {
	if *u = Undecided(s); *u != Fails && *u != Passes {
		return fmt.Errorf("want fail or pass")
	}
	return nil
}
