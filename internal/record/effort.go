package record

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// effortField holds, in a line, what an agent took for an answer. It is our
// own: upstream has no agents, and its evaluator ignores the field.
const effortField = "agent"

// counts returns an effort's numbers with their names in a line.
func counts(e *eval.Effort) []struct {
	name string
	n    *int
} {
	return []struct {
		name string
		n    *int
	}{
		{"steps", &e.Steps}, {"calls", &e.Calls}, {"failed", &e.Failed}, {"recovered", &e.Recovered},
		{"redundant", &e.Redundant}, {"wrong_tools", &e.WrongTools}, {"late", &e.Late},
	}
}

func effortValue(e *eval.Effort) *pyval.Dict {
	d := pyval.NewDict(10)
	for _, c := range counts(e) {
		d.SetStr(c.name, count(*c.n))
	}
	if e.Exceeded {
		d.SetStr("exceeded", pyval.Bool(true))
	}
	d.SetStr("wall", seconds(e.Wall))
	if e.Cost > 0 {
		d.SetStr("cost", pyval.Float(e.Cost))
	}
	return d
}

// effort returns what an agent took for the line's answer; nil for models. A
// value that is not a number counts as 0.
func (r Row) effort() *eval.Effort {
	if r.Entry == nil {
		return nil
	}
	v, _ := r.Entry.GetStr(effortField)
	d, _ := v.(*pyval.Dict)
	if d == nil {
		return nil
	}
	number := func(name string) float64 {
		v, _ := d.GetStr(name)
		return sum(v, turnsOfSteps)
	}
	e := &eval.Effort{Wall: duration(number("wall")), Cost: number("cost")}
	for _, c := range counts(e) {
		*c.n = int(number(c.name))
	}
	exceeded, _ := d.GetStr("exceeded")
	e.Exceeded = exceeded == pyval.Bool(true)
	return e
}
