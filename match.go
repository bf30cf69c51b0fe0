package bfcl

import (
	"encoding/json"

	"github.com/gobfcl/bfcl/internal/judge/match"
)

// Match gives a function of yours the name by which a suite's cases know it: an
// argument that is written as {func: name} is right where f returns nil. Its
// error says what is wrong with the argument, which it gets as JSON. It may be
// called from several goroutines at a time; a panic in it refuses the value.
//
// Match is called once for each name, before the first run, as in an init
// function or in TestMain. It panics where a name is taken or no name. Programs
// that lack the function, such as the command bfcl, tell its cases as errors.
func Match(name string, f func(argument json.RawMessage) error) {
	if err := match.Register(name, f); err != nil {
		panic("bfcl.Match: " + err.Error())
	}
}
