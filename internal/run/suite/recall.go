package suite

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// ofTheMoment are flags that are about one start of a run. Headers are not
// recorded, because they may hold keys.
var ofTheMoment = []string{"run-dir", "resume", "header", "job"}

// flagsOf are the options that run.json states, as arguments.
func flagsOf(o Options) []string {
	return slices.DeleteFunc(o.Args(), func(arg string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		return slices.Contains(ofTheMoment, name)
	})
}

// starters are the models that are programs: a file must not start one unseen.
var starters = []string{"command:", "agent:"}

// Recall sets the flags that the run.json of the options' run folder states and
// the user does not give, and returns them. Without run.json, or for another
// model than its, there are none: making the plan then says what is wrong.
func Recall(o Options, given func(name string) bool, set func(name, value string) error) (recalled []string, err error) {
	if o.RunDir == "" && o.Model == "" {
		return nil, nil
	}
	run, err := record.ReadRun(RunDir(o))
	if err != nil || given("model") && o.Model != run.Model {
		return nil, nil
	}
	for _, arg := range run.Flags {
		name, value, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if given(name) || slices.Contains(ofTheMoment, name) {
			continue
		}
		if name == "model" && slices.ContainsFunc(starters, func(kind string) bool { return strings.HasPrefix(value, kind) }) {
			return nil, misuse.Errorf("run.json says that the model is the program %s: name it again with -model, so that no file starts a program unseen", say.Quote(value, 200))
		}
		if err := set(name, value); err != nil {
			return nil, misuse.Errorf("run.json: -%s: %w", say.Plain(name, 80), err)
		}
		recalled = append(recalled, arg)
	}
	return recalled, nil
}
