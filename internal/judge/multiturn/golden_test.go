package multiturn_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// same compares a verdict with the row's fields of these names.
func same(c *testkit.Comparison, got eval.Verdict, validField, typeField, messageField string) {
	c.Helper()
	id := testkit.Text(c.Row, "id")
	valid, want := testkit.Flag(c.Row, validField), testkit.Text(c.Row, typeField)
	switch {
	case got.Passed() != valid || got.ErrorType != want:
		c.Errorf("%s: got %v %q, want valid %v %q; %.600q", id, got.Status, got.ErrorType, valid, want, detail(got))
	case valid:
		c.Note("valid")
	default:
		message, _ := got.Detail.(*pyval.Dict).GetStr("error_message")
		if want := testkit.Field(c.Row, messageField); !pyval.Equal(message, want) {
			c.Errorf("%s: got message %.300q, want %.300q", id, pyval.Repr(message), pyval.Repr(want))
		}
	}
}

func detail(v eval.Verdict) string {
	if v.Detail == nil {
		return ""
	}
	return pyval.Repr(v.Detail)
}

func TestGoldenDecodeExecute(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "multi_turn", "decode_execute.jsonl"), func(c *testkit.Comparison) {
		id := testkit.Text(c.Row, "id")
		got, err := multiturn.Execute(testkit.Field(c.Row, "input"), mode(c.Row))
		want, decodes := testkit.Field(c.Row, "output").(*pyval.List)
		switch {
		case decodes != (err == nil):
			c.Errorf("%s: got %.300q, %v; want %.300q %q", id, got, err, pyval.Repr(testkit.Field(c.Row, "output")), testkit.Text(c.Row, "error"))
		case !decodes:
			var e *decode.Error
			if errors.As(err, &e) && e.Class == testkit.Text(c.Row, "error") {
				c.Note("exceptions of the same class")
			}
		case cmp.Diff(strs(want), append([]string{}, got...)) != "":
			c.Errorf("%s: %s", id, cmp.Diff(strs(want), got))
		case multiturn.IsEmpty(got) != testkit.Flag(c.Row, "empty"):
			c.Errorf("%s: IsEmpty is %v", id, multiturn.IsEmpty(got))
		}
	})
}

func TestGoldenEntries(t *testing.T) {
	d := official(t)
	testkit.Compare(t, testkit.GoldenFile(t, "multi_turn", "entries.jsonl"), func(c *testkit.Comparison) {
		got := multiturn.Judge(d.caseOf(t, c.Row), testkit.Field(c.Row, "result"), mode(c.Row))
		crash := testkit.Text(c.Row, "crash")
		if crash == "" {
			same(c, got, "valid", "error_type", "error_message")
			return
		}
		c.Note("on which upstream raises, which fail as " + multiturn.Unusable)
		if got.ErrorType != multiturn.Unusable {
			c.Errorf("%s: got %q where upstream raises %s", testkit.Text(c.Row, "id"), got.ErrorType, crash)
		}
	})
}

// TestGoldenVerdicts judges decoded turns in three ways that must agree: with
// the reference run beside the model, recorded, and from a raw result.
func TestGoldenVerdicts(t *testing.T) {
	d := official(t)
	for _, of := range []struct{ file, model string }{
		{"ground_truth", "simmodel-v1"}, {"mutations", "simmodel-v1"}, {"recorded", "openai_gpt-oss-120b"},
	} {
		testkit.Compare(t, testkit.GoldenFile(t, "multi_turn", "verdicts_"+of.file+".jsonl"), func(c *testkit.Comparison) {
			if testkit.Field(c.Row, "valid") == nil {
				c.Note("where the checker was not reached")
				return
			}
			item := d.caseOf(t, c.Row)
			f := multiturn.Check(item, turnsOf(testkit.Field(c.Row, "decoded")), of.model)
			same(c, f.Verdict(), "valid", "error_type", "error_message")
			sameDetail(c, f)
			recorded(c, d, item, of.model, f.Verdict())
		})
	}
}

func turnsOf(v pyval.Value) multiturn.Turns {
	out := multiturn.Turns{}
	for _, turn := range v.(*pyval.List).Items {
		steps := [][]string{}
		for _, step := range turn.(*pyval.List).Items {
			steps = append(steps, strs(step))
		}
		out = append(out, steps)
	}
	return out
}

// sameDetail compares what upstream found to differ.
func sameDetail(c *testkit.Comparison, f *multiturn.Fault) {
	c.Helper()
	want, ok := testkit.Field(c.Row, "detail").(*pyval.Dict)
	if !ok || f == nil {
		return
	}
	c.Note("details")
	id := testkit.Text(c.Row, "id")
	if names, ok := want.GetStr("differences"); ok {
		got := []string{}
		for _, x := range f.Differences {
			got = append(got, x.Attribute)
		}
		if diff := cmp.Diff(strs(names), got); diff != "" {
			c.Errorf("%s: attributes that differ: %s", id, diff)
		}
	}
	if items, ok := want.GetStr("missing_items"); ok {
		if diff := cmp.Diff(digests(items), digestsOf(f.Missing)); diff != "" {
			c.Errorf("%s: missing results: %s", id, diff)
		}
	}
}

// digests are texts, long ones as their hash.
func digests(v pyval.Value) []string {
	out := []string{}
	for _, item := range v.(*pyval.List).Items {
		if long, ok := item.(*pyval.Dict); ok {
			out = append(out, testkit.Text(long, "sha256"))
			continue
		}
		out = append(out, rounded(pyval.Text(item)))
	}
	return out
}

var longFloat = regexp.MustCompile(`\d+\.\d{10,}`)

// rounded takes the last digits off floats: Python's sum has changed in them.
func rounded(text string) string {
	return longFloat.ReplaceAllStringFunc(text, func(s string) string {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return s
		}
		return strconv.FormatFloat(f, 'g', 12, 64)
	})
}

func digestsOf(texts []string) []string {
	const most = 400
	out := []string{}
	for _, text := range texts {
		if utf8.RuneCountInString(text) > most {
			sum := sha256.Sum256([]byte(text))
			out = append(out, hex.EncodeToString(sum[:]))
			continue
		}
		out = append(out, rounded(text))
	}
	return out
}

// recorded holds the judgement by a recorded reference to the one side by side.
func recorded(c *testkit.Comparison, d *dataset, item *eval.Case, model string, want eval.Verdict) {
	c.Helper()
	r := testkit.Must(d.reference(item))(c)
	got := r.Check(turnsOf(testkit.Field(c.Row, "decoded")), model).Verdict()
	if diff := cmp.Diff(detail(want), detail(got)); got.ErrorType != want.ErrorType || diff != "" {
		c.Errorf("%s: by a recorded reference %q, side by side %q: %.500q", testkit.Text(c.Row, "id"), got.ErrorType, want.ErrorType, diff)
	}
}

// TestGoldenResults judges the recorded model's raw results whole.
func TestGoldenResults(t *testing.T) {
	d, results := official(t), recordedResults(t)
	testkit.Compare(t, testkit.GoldenFile(t, "multi_turn", "verdicts_recorded.jsonl"), func(c *testkit.Comparison) {
		item := d.caseOf(t, c.Row)
		got := multiturn.JudgeAs("openai_gpt-oss-120b", item, results[item.ID], eval.SettingsFor(eval.FC))
		same(c, got, "entry_valid", "entry_error_type", "entry_error_message")
	})
}

func recordedResults(t testing.TB) map[string]pyval.Value {
	t.Helper()
	out := map[string]pyval.Value{}
	for _, name := range categories[:3] {
		path := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b", "result", "openai_gpt-oss-120b", "multi_turn", "BFCL_v4_"+name+"_result.json")
		testkit.Rows(t, path, func(_ int, row *pyval.Dict) { out[testkit.Text(row, "id")] = testkit.Field(row, "result") })
	}
	return out
}

// TestGoldenBuiltins judges conversations whose calls have Python's builtins
// around an argument, or are one.
func TestGoldenBuiltins(t *testing.T) {
	d := official(t)
	testkit.Compare(t, testkit.GoldenFile(t, "inserted", "conversations.jsonl"), func(c *testkit.Comparison) {
		got := multiturn.Judge(d.cases[testkit.Text(c.Row, "id")], testkit.Field(c.Row, "result"), eval.SettingsFor(eval.Prompt))
		if valid, want := testkit.Flag(c.Row, "valid"), testkit.Text(c.Row, "error_type"); got.Passed() != valid || got.ErrorType != want {
			c.Note("that differ: " + testkit.Text(c.Row, "kind"))
			c.Errorf("%s: %s: got %v %q, want valid %v %q", testkit.Text(c.Row, "id"), testkit.Text(c.Row, "call"), got.Status, got.ErrorType, valid, want)
		}
	})
}
