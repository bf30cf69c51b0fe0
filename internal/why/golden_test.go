package why

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenLevels climbs with every decoded answer of upstream's recorded
// verdicts: the top is reached by those that upstream accepts and, but for
// parallel calls in an order it does not find, by no other; and no answer gets
// past the level that upstream's error type names.
func TestGoldenLevels(t *testing.T) {
	files := testkit.Must(filepath.Glob(filepath.Join(testkit.GoldenFile(t, "verdict"), "*.jsonl")))(t)
	d := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	var n climbed
	for _, file := range files {
		cat := categories.Find(strings.TrimSuffix(filepath.Base(file), ".jsonl"))
		if cat != nil && cat.Name != "format_sensitivity" {
			n.category(t, cat, casesOf(t, d, cat), file)
		}
	}
	require.Positive(t, n.rows)
	assert.Equal(t, n.rows, n.equal)
	t.Logf("%d of %d rows agree with upstream's verdict and error type; levels %v; %d parallel answers fit in an order that upstream does not find", n.equal, n.rows, n.at, n.reordered)
}

func casesOf(t testing.TB, d *fixtures.Dataset, cat *eval.Category) map[string]*eval.Case {
	t.Helper()
	list := testkit.Must(d.Cases(cat))(t)
	out := make(map[string]*eval.Case, len(list))
	for _, c := range list {
		out[c.ID] = c
	}
	return out
}

type climbed struct {
	rows, equal, reordered int
	at                     [cause.Values + 1]int
}

func (n *climbed) category(t *testing.T, cat *eval.Category, cases map[string]*eval.Case, file string) {
	testkit.Rows(t, file, func(line int, row *pyval.Dict) {
		tagged := testkit.Field(row, "decoded")
		if tagged == nil || testkit.Field(row, "valid").Kind() == pyval.KindNone {
			return
		}
		n.rows++
		c := cases[testkit.Text(row, "id")]
		require.NotNil(t, c, "%s:%d", file, line)
		require.True(t, cat.Compares())
		o := categories.Options(cat, c, eval.Settings{UnderscoreToDot: testkit.Flag(row, "u2d")})
		level := climb(c.Tools, testkit.Tagged(t, tagged), c.Answer, o)
		n.at[level]++
		errorType := testkit.Text(row, "error_type")
		if level == cause.Values && errorType == noMatch {
			n.reordered++
		}
		if bounds, known := reach(errorType); known && level >= bounds[0] && level <= bounds[1] {
			n.equal++
			return
		}
		t.Errorf("%s:%d: level %s, error type %s, %s", filepath.Base(file), line, level, errorType, say.Quote(pyval.Repr(tagged), 300))
	})
}

const noMatch = "parallel_function_checker_no_order:cannot_find_match"

// reach are the lowest and the highest level that an error type leaves open:
// upstream looks at functions and required parameters first, then at parameter
// by parameter, and last at what else was wanted.
func reach(errorType string) (bounds [2]cause.Level, known bool) {
	switch kind := cause.KindOf(errorType); {
	case kind == "":
		return [2]cause.Level{cause.Values, cause.Values}, true
	case kind == cause.Malformed:
		return [2]cause.Level{cause.Ground, cause.Ground}, true
	case kind == cause.WrongCount:
		return [2]cause.Level{cause.Ground, cause.Call}, true
	case kind == cause.WrongFunction:
		return [2]cause.Level{cause.Call, cause.Call}, true
	case kind == cause.MissingRequired:
		return [2]cause.Level{cause.Function, cause.Function}, true
	case kind == cause.Unexpected:
		return [2]cause.Level{cause.Function, cause.Required}, true
	case kind == cause.WrongType:
		return [2]cause.Level{cause.Function, cause.Known}, true
	case kind == cause.WrongValue:
		return [2]cause.Level{cause.Function, cause.Types}, true
	case errorType == noMatch:
		return [2]cause.Level{cause.Call, cause.Values}, true
	}
	return bounds, false
}

// TestCheckedCategories: what says of an undecodable answer what upstream's
// evaluator of possible answers says is on the ladder, and nothing else.
func TestCheckedCategories(t *testing.T) {
	for _, cat := range categories.All() {
		if cat.Group == "multi_turn" || cat.Group == "agentic" {
			assert.False(t, cat.Compares(), cat.Name)
			continue
		}
		c := &eval.Case{ID: cat.Name + "_0"}
		v := cat.Judge(c, nil, assert.AnError, eval.Settings{})
		assert.Equal(t, v.ErrorType == "ast_decoder:decoder_failed", cat.Compares(), cat.Name)
	}
}

// TestStarterExamples grades the worked examples of the starter suite.
func TestStarterExamples(t *testing.T) {
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	executor := testkit.Must(suite.ForRun(t.Context(), d, nil))(t)
	graded := 0
	for _, cat := range categories.All() {
		if !d.Has(cat) || !cat.Compares() && !cat.Executes {
			continue
		}
		cases := casesOf(t, d, cat)
		examples := testkit.Must(d.Examples(cat))(t)
		for _, e := range examples {
			s := e.Settings()
			s.Executor = executor
			decoded, v := cat.Verdict(cases[e.ID], e.Output, s)
			g := examined(cat, cases[e.ID], e.Output, decoded, s, v)
			assert.Equal(t, v.Passed(), g.Level == cause.Values, e.ID)
			assert.Equal(t, v.Passed(), g.Cause.Kind == "", e.ID)
			assert.NotEqual(t, cause.Unexplained, g.Cause.Kind, e.ID)
			graded++
		}
	}
	assert.Positive(t, graded)
	t.Logf("%d examples graded", graded)
}
