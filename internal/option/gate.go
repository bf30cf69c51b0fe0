package option

import (
	"errors"
	"flag"
)

// A Gate says which rules decide on a run of the suite's test.
type Gate struct {
	// File is the gate file, and Baseline the run that it compares with; ""
	// for none.
	File, Baseline string
	// PassUndecided says that an undecided gate does not fail the test, which knows no
	// third outcome.
	PassUndecided bool
}

// Register defines the flags in a flag set.
func (g *Gate) Register(set *flag.FlagSet) {
	set.StringVar(&g.File, "gate", "", "let this gate `file` decide whether the suite passes, instead of each answer; bfcl gate --init prints one")
	set.StringVar(&g.Baseline, "baseline", "", "the `run` that the gate compares this one with, or none")
	set.Func("undecided", "whether an undecided gate fails the test: `fail or pass` (default fail)", func(s string) error {
		if g.PassUndecided = s == "pass"; s != "pass" && s != "fail" {
			return errors.New("want fail or pass")
		}
		return nil
	})
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
