package gate

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// Rehearse returns an error if the gate could not decide on the planned run,
// whatever the answers: a rule is about something that the run will not have,
// such as a category or an agent's figures, or the baseline has
// other cases. It is called before anything is asked, because afterwards it is
// too late to correct the file. Nil is no gate.
func (g *Gate) Rehearse(p *suite.Plan) error {
	if g == nil {
		return nil
	}
	run, err := tally.Rehearse(p)
	if err != nil {
		return err
	}
	if run.Len() == 0 {
		return nil // a shard may be empty
	}
	d, err := g.Decide(run)
	if err != nil {
		return misuse.Errorf("the gate could not decide on this run, so nothing is asked: %w", err)
	}
	var lines []string
	for _, c := range d.Rules {
		if c.lacks && !c.Aside {
			lines = append(lines, g.place(c)+": "+say.Plain(c.Why, 3*longestName))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return misuse.Errorf("the gate could not decide on this run, whatever the answers, so nothing is asked:\n%s", strings.Join(lines, "\n"))
}

// place returns a check's rule with its file and line.
func (g *Gate) place(c Check) string {
	at := say.Plain(g.file, longestName)
	if c.Line > 0 {
		at += fmt.Sprintf(":%d", c.Line)
	}
	return at + ": " + c.kind() + " " + say.Plain(c.Name, longestName)
}
