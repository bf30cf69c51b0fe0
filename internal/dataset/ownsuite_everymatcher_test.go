package dataset_test

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// matchers are the examples of every matcher, as a suite has it: arguments of a
// call of f that are accepted, and that are refused with an error type.
var matchers = []struct {
	word, argument, src string
	accepted            []string
	refused             map[string]string
}{
	{"any_of", "s", "{any_of: [a, {matches: ^b}]}", []string{`{"s": "A"}`, `{"s": "bc"}`}, map[string]string{`{"s": "c"}`: "matcher:matches", `{}`: "missing_optional", `{"s": 1}`: "type_error:simple"}},
	{"any_of", "s", "{any_of: [a, b], optional: true}", []string{`{"s": "b"}`, `{}`}, map[string]string{`{"s": "c"}`: "value_error:string"}},
	{"matches", "s", `{matches: '^INV-\d{4}$'}`, []string{`{"s": "INV-2041"}`}, map[string]string{`{"s": "inv-2041"}`: "matcher:matches", `{"s": "xINV-2041"}`: "matcher:matches", `{}`: "missing_optional"}},
	{"contains", "s", `{contains: [refund, "17"]}`, []string{`{"s": "17: a REFUND"}`}, map[string]string{`{"s": "refund"}`: "matcher:contains"}},
	{"number", "n", "{number: 20, within: 5%}", []string{`{"n": 19}`, `{"n": 21.0}`}, map[string]string{`{"n": 21.1}`: "matcher:number", `{"n": "20"}`: "type_error:simple"}},
	{"unordered", "l", "{unordered: [a, b]}", []string{`{"l": ["b", "a"]}`}, map[string]string{`{"l": ["a"]}`: "matcher:unordered", `{"l": ["a", "b", "b"]}`: "matcher:unordered"}},
	{"func", "s", "{func: every.even, example: ab}", []string{`{"s": "ab"}`}, map[string]string{`{"s": "abc"}`: "matcher:func", `{"s": ""}`: "matcher:func"}},
	{"value", "o", "{value: {date: {value: x, optional: true}}}", []string{`{"o": {"date": "X"}}`, `{"o": {}}`}, map[string]string{`{"o": {"date": "y"}}`: "value_error:dict_value"}},
}

// TestSuiteEveryMatcher: each matcher that the guide's table names has examples that
// are accepted and refused.
func TestSuiteEveryMatcher(t *testing.T) {
	if !match.Registered("every.even") { // by the test's last repetition
		require.NoError(t, match.Register("every.even", func(v json.RawMessage) error {
			if len(v)%2 != 0 || len(v) == 2 {
				return errors.New("odd")
			}
			return nil
		}))
	}
	const tools = `[{name: f, parameters: {type: object, properties: {s: {type: string}, n: {type: number}, l: {type: array, items: {type: string}}, o: {type: object}}}}]`
	covered := map[string]bool{}
	for _, m := range matchers {
		covered[m.word] = len(m.accepted) > 0 && len(m.refused) > 0
		src := "- {id: a, question: q, expect: {f: {" + m.argument + ": " + m.src + "}}}"
		s, err := ownsuite.Load(folder(map[string]string{"t.yaml": tools, "c.yaml": src}), "")
		require.NoError(t, err, m.src)
		entry := s.Categories[0].Entries[0]
		for _, args := range m.accepted {
			v := judged(t, entry, args)
			assert.True(t, v.Passed(), "%s: %s: %v", m.src, args, v.Detail)
		}
		for args, kind := range m.refused {
			v := judged(t, entry, args)
			assert.True(t, v.Status == eval.Fail && strings.HasSuffix(v.ErrorType, kind), "%s: %s: %s", m.src, args, v.ErrorType)
		}
	}
	guide := testkit.Must(os.ReadFile("../../docs/own-suite.md"))(t)
	words := regexp.MustCompile("(?m)^\\| `\\{(\\w+):").FindAllStringSubmatch(string(guide), -1)
	require.Len(t, words, 6)
	for _, word := range words {
		assert.True(t, covered[word[1]], "%s has no examples", word[1])
	}
}

func judged(t *testing.T, entry ownsuite.Entry, args string) eval.Verdict {
	t.Helper()
	docs, _ := entry.Row.GetStr("function")
	c := &eval.Case{ID: "a"}
	for _, doc := range docs.(*pyval.List).Items {
		c.Tools = append(c.Tools, doc.(*pyval.Dict))
	}
	calls := testkit.Must(pyval.ParseJSON(`[{"f": ` + args + `}]`))(t)
	return entry.Expect.Judge(c, calls, nil, eval.SettingsFor(eval.FC))
}
