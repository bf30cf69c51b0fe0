// Package pattern compiles regular expressions when they are first used: the
// command has more than it needs in any one run.
package pattern

import (
	"regexp"
	"sync"
)

// Of returns a regular expression that the first call compiles, which panics if it
// is none.
func Of(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
