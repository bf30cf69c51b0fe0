package judge_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var moreRows = flag.String("rows", "", "a `file` of judged answers to compare as well, as internal/test/bench/upstream writes them")

// TestConformance compares verdicts with those of upstream's evaluator, at the
// commit that docs/upstream-differences.md names, on functions, conversations
// and messages of this project. internal/test/bench/upstream writes the rows and says how to
// check them again.
func TestConformance(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/conformance/*.jsonl")
	require.NoError(t, err)
	if *moreRows != "" {
		files = append(files, *moreRows)
	}
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			c := &conformance{tally: tally{t: t}, byRule: map[string]int{}}
			testkit.Rows(t, file, c.judged)
			assert.Positive(t, c.raws)
			t.Logf("%d verdicts compared (%d valid, %d that upstream does not give), %d differences; by rule %v", c.raws, c.valid, c.raised, c.differences, c.byRule)
		})
	}
}

// A conformance compares the rows of one file.
type conformance struct {
	tally
	valid  int
	byRule map[string]int
}

// judged compares all answers to a case. Damaged texts of internal/test/bench/upstream may
// differ where upstream's grammars mend them: docs/upstream-differences.md says
// how often. They are shown, and fail nothing.
func (c *conformance) judged(line int, row *pyval.Dict) {
	for i, v := range testkit.Field(row, "answers").(*pyval.List).Items {
		c.raws++
		answer := v.(*pyval.Dict)
		if testkit.Flag(answer, "valid") {
			c.valid++
		}
		difference, rule := c.difference(answer, verdictOn(c.t, row, answer)), testkit.Text(answer, "rule")
		if difference == "" {
			continue
		}
		c.byRule[rule]++
		label := fmt.Sprintf("line %d, answer %d: %s %s", line, i, testkit.Text(row, "category"), clip(pyval.Repr(testkit.Field(answer, "raw"))))
		if rule == "damaged" || rule == "beside" {
			c.t.Logf("%s: %s", label, difference)
		} else {
			c.differ(label, "%s", difference)
		}
	}
}

// difference says how a verdict differs from upstream's; "" if it does not. The
// texts of decoding errors are CPython's own.
func (c *conformance) difference(want *pyval.Dict, got eval.Verdict) string {
	c.t.Helper()
	if raised := testkit.Text(want, "raised"); raised != "" {
		c.raised++
		if got.Status != eval.Fail || !strings.HasPrefix(got.ErrorType, "judge_error:") {
			return fmt.Sprintf("upstream raised %s, got %s", raised, show(got))
		}
		return ""
	}
	wanted, detail := pyval.Repr(testkit.Tagged(c.t, testkit.Field(want, "error"))), got.Detail
	if got.Passed() != testkit.Flag(want, "valid") || got.ErrorType != testkit.Text(want, "error_type") {
		return fmt.Sprintf("got %s, want valid=%v %q %s", show(got), testkit.Flag(want, "valid"), testkit.Text(want, "error_type"), wanted)
	}
	if d, ok := detail.(*pyval.Dict); ok {
		detail = testkit.Field(d, "error_message")
	}
	if got.Passed() || strings.HasSuffix(got.ErrorType, ":decoder_failed") || pyval.Repr(detail) == wanted {
		return ""
	}
	return fmt.Sprintf("error differs: got %.700s, want %.700s", pyval.Repr(detail), wanted)
}

// verdictOn judges an answer to a case with what a run judges with.
func verdictOn(t *testing.T, row, answer *pyval.Dict) eval.Verdict {
	t.Helper()
	category, raw := testkit.Text(row, "category"), testkit.Field(answer, "raw")
	cat := categories.Find(category)
	require.NotNil(t, cat, category)
	settings := eval.SettingsFor(eval.Prompt)
	if testkit.Text(answer, "mode") == "fc" {
		settings = eval.SettingsFor(eval.FC)
	}
	wanted, _ := testkit.Field(row, "possible_answer").(*pyval.List)
	switch c := (&eval.Case{ID: testkit.Text(row, "id"), Answer: wanted}); {
	case testkit.Field(row, "initial_config") != nil:
		c.Entry, c.Scene = row, &eval.Scene{Config: testkit.Field(row, "initial_config").(*pyval.Dict)}
		for _, class := range testkit.Field(row, "involved_classes").(*pyval.List).Items {
			c.Scene.Classes = append(c.Scene.Classes, pyval.Text(class))
		}
		return multiturn.Judge(c, raw, settings)
	case strings.HasPrefix(category, "memory"), strings.HasPrefix(category, "web_search"):
		return judge.Agentic(c, raw, settings)
	}
	o := optionsOf(category, row)
	decoded, err := decodeRow(answer, decode.Format(o.Language.Key()), false)
	switch {
	case strings.Contains(category, "relevance"):
		return judge.Relevance(cat.Rule, eval.V4, decoded, err)
	case err != nil:
		return judge.DecodeFailure(err)
	}
	return judge.AST(documents(t, testkit.Field(row, "function")), decoded, wanted, o)
}
