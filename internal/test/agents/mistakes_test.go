package agents_test

import (
	"encoding/json"
	"slices"
)

// A Mistake changes the calls of a turn that has any.
type Mistake struct {
	Name string
	make func(calls []Call) []Call
}

// Mistakes are mistakes that reach the tools through any framework. Some
// frameworks tell the model themselves that a tool does not exist.
var Mistakes = []Mistake{
	{"leaves the last call out", func(calls []Call) []Call { return calls[:len(calls)-1] }},
	{"calls everything twice", func(calls []Call) []Call { return append(calls, calls...) }},
	{"invents an argument", func(calls []Call) []Call {
		calls[0].Arguments = json.RawMessage(`{"no_such_parameter": [1.5, "x"]}`)
		return calls
	}},
	{"forgets the arguments, then goes on", func(calls []Call) []Call {
		return append([]Call{{calls[0].Name, json.RawMessage(`{}`)}}, calls...)
	}},
	{"calls backwards", func(calls []Call) []Call { slices.Reverse(calls); return calls }},
	{"calls nothing", func([]Call) []Call { return []Call{} }},
}

// In makes the mistake in the first turn of a conversation that has calls.
func (m Mistake) In(turns [][]Call) [][]Call {
	out := slices.Clone(turns)
	for i := range out {
		if len(out[i]) > 0 {
			out[i] = m.make(slices.Clone(out[i]))
			break
		}
	}
	return out
}
