package report

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
)

// A decided gate is what a gate said of a run when it ended.
type decided struct {
	Verdict, Class string
	Against        string // the baseline; "" without one
	Open           []string
}

// decision returns the gate's decision in the run folder; nil if there is none, or
// if it is of another version of the dataset or compares with another run than a.
func (e *Entry) decision(a *Entry) *decided {
	data, err := os.ReadFile(filepath.Join(advise.FolderOf(e.run.Path), tally.ScoreFile))
	var file struct{ Gate *gate.Decision }
	if err != nil || json.Unmarshal(data, &file) != nil || file.Gate == nil || file.Gate.Digest != e.run.Digest {
		return nil
	}
	d := file.Gate
	out := &decided{Verdict: say.Printable(d.Verdict(), 500), Class: map[gate.Outcome]string{gate.Failed: "worse", gate.Passed: "better"}[d.Outcome]}
	if d.Comparison != nil {
		if base := d.Comparison.A; base.Name != a.run.Name || base.Model != a.run.Model {
			return nil
		}
		out.Against = say.Printable(d.Comparison.A.Name, 200)
	}
	const most = 5
	for _, c := range d.Rules {
		if c.Outcome != gate.Passed && !c.Aside && len(out.Open) < most {
			out.Open = append(out.Open, say.Printable(string(c.Outcome)+": "+c.Kind+" "+c.Name+": "+c.Got, 500))
		}
	}
	return out
}

// decide says whether B may take A's place, as a gate decided it, and what to do
// next: look at what broke, and let a gate decide if none has.
func (v *pairView) decide(lost []compare.Because) {
	now := v.Second.named()
	add := func(text string, c advise.Command, after string) {
		v.Next = append(v.Next, step{text, c.String() + after, ""})
	}
	if len(lost) > 0 {
		f := lost[0].Flips[0]
		if c, ok := now.Explain(f.ID, v.Second.run.Part(f.Category).Category.MultiTurn()); ok {
			add("See a case of what costs most: "+lost[0].Cause.Text(), c, "")
		}
	}
	if v.Gate = v.Second.decision(v.First); v.Gate != nil {
		return
	}
	if now.Path == "" || v.First.path() == "" { // shards have no one name
		return
	}
	if c, ok := now.Rules(); ok {
		add("Write the rules of a gate", c, " > gate.yaml")
	}
	var flags []string
	if v.First.run.Len() != v.Second.run.Len() || v.Cases < v.Second.run.Len()-v.Second.run.Errors() {
		flags = append(flags, "--intersect")
	}
	add("Let it decide whether B may replace A", now.Gate(v.First.path(), flags...), "")
}
