package jinja

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// What rendering may cost: about a second. A step is one node; values and texts
// that are made cost their size.
const (
	budget    = 1 << 29
	stepCost  = 64
	loopCost  = 512
	maxOutput = 64 << 20
	maxCalls  = 100
)

// A render is one rendering of a template.
type render struct {
	options Options
	out     *strings.Builder
	left    int // of the budget
	calls   int // of macros that have not returned
}

// spend takes from the budget.
func (r *render) spend(line, cost int) {
	if r.left -= cost; r.left < 0 {
		fail(line, "the template takes too many steps and was stopped")
	}
}

// A frame is a scope: names and the scope around it.
type frame struct {
	r     *render
	vars  map[string]object
	outer *frame
}

func (f *frame) inner() *frame { return &frame{r: f.r, vars: map[string]object{}, outer: f} }

func (f *frame) lookup(name string) (object, bool) {
	for ; f != nil; f = f.outer {
		if v, ok := f.vars[name]; ok {
			return v, true
		}
	}
	return nil, false
}

// step counts a node.
func (f *frame) step(line int) { f.r.spend(line, stepCost) }

// weigh counts the size of a value that is copied or written out.
func (f *frame) weigh(line int, v object) {
	if p, ok := v.(pyval.Value); ok {
		f.r.spend(line, pyval.Weight(p, f.r.left))
	}
}

// made counts the size of a container that was made from others.
func (f *frame) made(line int, v pyval.Value) pyval.Value {
	f.weigh(line, v)
	return v
}

func (f *frame) write(line int, s string) {
	f.r.spend(line, len(s))
	if f.r.out.Len()+len(s) > maxOutput {
		fail(line, "the template writes more than %d bytes and was stopped", maxOutput)
	}
	f.r.out.WriteString(s)
}

// capture returns what a body writes.
func (f *frame) capture(body []stmt) string { return f.captured(func() { f.run(body) }) }

// captured returns what is written while do runs.
func (f *frame) captured(do func()) string {
	outer := f.r.out
	f.r.out = &strings.Builder{}
	do()
	s := f.r.out.String()
	f.r.out = outer
	return s
}

// run executes statements until one leaves the loop around them.
func (f *frame) run(body []stmt) signal {
	for _, s := range body {
		if sig := s.exec(f); sig != proceed {
			return sig
		}
	}
	return proceed
}
