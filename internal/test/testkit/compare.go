package testkit

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/stretchr/testify/assert"
)

// A Comparison compares the rows of a file of conformance data with what the code
// makes of them.
type Comparison struct {
	testing.TB
	// Row is the row under comparison.
	Row *pyval.Dict

	file          string
	line, differs int
	noted         map[string]int
}

// differencesShown is the most differences of a file that are printed whole.
const differencesShown = 30

// Compare calls f for each row of a JSON-lines file. It prints how many there are
// and how many differences f has found, and fails if there is no row.
func Compare(t testing.TB, path string, f func(c *Comparison)) {
	t.Helper()
	c := &Comparison{TB: t, file: filepath.Base(path), noted: map[string]int{}}
	Rows(t, path, func(line int, row *pyval.Dict) {
		c.line, c.Row = line, row
		f(c)
	})
	assert.Positive(t, c.line, "%s has no rows", path)
	t.Logf("%s: %d rows compared, %d differences", c.file, c.line, c.differs)
	for _, what := range slices.Sorted(maps.Keys(c.noted)) {
		t.Logf("%s: %d %s", c.file, c.noted[what], what)
	}
}

// Errorf reports a difference in the current row; assertions on a Comparison call it.
func (c *Comparison) Errorf(format string, args ...any) {
	c.Helper()
	if c.differs++; c.differs > differencesShown {
		c.Fail()
		return
	}
	c.TB.Errorf("%s:%d: %.2000s", c.file, c.line, fmt.Sprintf(format, args...))
}

// Same reports a difference if two texts differ: what surrounds the first place
// where they do.
func (c *Comparison) Same(about, want, got string) {
	c.Helper()
	if want == got {
		return
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	at = max(0, at-100)
	c.Errorf("%.400s: from byte %d\n got %.500q\nwant %.500q", about, at, got[at:], want[at:])
}

// Note counts something about the rows, such as how many upstream refuses.
func (c *Comparison) Note(what string) { c.noted[what]++ }
