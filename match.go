package bfcl

import (
	"encoding/json"

	"github.com/gobfcl/bfcl/internal/judge/match"
)

// Match gives a function of yours a name for use in the cases of a suite: an
// argument written as {func: name} is right if f returns nil. f gets the
// argument as JSON; its error says what is wrong with it. f may be called from
// several goroutines at the same time. If it panics, the case is an error, and not
// a wrong answer.
//
// Call Match once for each name, before the first run, as in an init function
// or in TestMain. It panics if the name is taken or not a valid name. In
// programs that do not have the function, such as the command bfcl, cases that
// use it are errors.
func Match(name string, f func(argument json.RawMessage) error) {
	if err := match.Register(name, f); err != nil {
		panic("bfcl.Match: " + err.Error())
	}
}
