package multiturn_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"regexp"
	"slices"
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

// A tally counts compared rows and reports the first differences.
type tally struct {
	*testing.T
	rows, equal, valid, shown int
}

func (n *tally) differs(id, format string, args ...any) {
	n.Helper()
	const most = 30
	if n.shown++; n.shown > most {
		n.Fail()
		return
	}
	n.Errorf("%q: "+format, append([]any{id}, args...)...)
}

// compare counts a row and reports where verdicts differ.
func (n *tally) compare(row *pyval.Dict, got eval.Verdict, validField, typeField, messageField string) {
	n.Helper()
	n.rows++
	id := testkit.Text(row, "id")
	valid, want := testkit.Flag(row, validField), testkit.Text(row, typeField)
	if valid {
		n.valid++
	}
	if got.Passed() != valid || got.ErrorType != want {
		n.differs(id, "got %v %q, want valid %v %q; %.600q", got.Status, got.ErrorType, valid, want, detail(got))
		return
	}
	if !valid {
		message, _ := got.Detail.(*pyval.Dict).GetStr("error_message")
		if want := testkit.Field(row, messageField); !pyval.Equal(message, want) {
			n.differs(id, "got message %.300q, want %.300q", pyval.Repr(message), pyval.Repr(want))
			return
		}
	}
	n.equal++
}

func detail(v eval.Verdict) string {
	if v.Detail == nil {
		return ""
	}
	return pyval.Repr(v.Detail)
}

func (n *tally) report(what string) {
	n.Logf("%s: %d of %d rows equal (%d valid, %d invalid)", what, n.equal, n.rows, n.valid, n.rows-n.valid)
}

func TestGoldenDecodeExecute(t *testing.T) {
	n := &tally{T: t}
	classes := 0
	testkit.Rows(t, testkit.GoldenFile(t, "multi_turn", "decode_execute.jsonl"), func(_ int, row *pyval.Dict) {
		n.rows++
		id := testkit.Text(row, "id")
		got, err := multiturn.Execute(testkit.Field(row, "input"), mode(row))
		want, decodes := testkit.Field(row, "output").(*pyval.List)
		switch {
		case decodes != (err == nil):
			n.differs(id, "got %.300q, %v; want %.300q %q", got, err, pyval.Repr(orNone(want)), testkit.Text(row, "error"))
		case !decodes:
			n.equal++
			var e *decode.Error
			if errors.As(err, &e) && e.Class == testkit.Text(row, "error") {
				classes++
			}
		case cmp.Diff(strs(want), append([]string{}, got...)) != "":
			n.differs(id, "%s", cmp.Diff(strs(want), got))
		case multiturn.IsEmpty(got) != testkit.Flag(row, "empty"):
			n.differs(id, "IsEmpty is %v", multiturn.IsEmpty(got))
		default:
			n.equal++
			n.valid++
		}
	})
	t.Logf("decode_execute: %d of %d rows equal (%d decode, %d exceptions of the same class)", n.equal, n.rows, n.valid, classes)
}

func orNone(l *pyval.List) pyval.Value {
	if l == nil {
		return pyval.None
	}
	return l
}

func TestGoldenEntries(t *testing.T) {
	d, n, crashes := official(t), &tally{T: t}, 0
	testkit.Rows(t, testkit.GoldenFile(t, "multi_turn", "entries.jsonl"), func(_ int, row *pyval.Dict) {
		got := multiturn.Judge(d.caseOf(t, row), testkit.Field(row, "result"), mode(row))
		if crash := testkit.Text(row, "crash"); crash != "" {
			n.rows++
			crashes++
			if got.ErrorType == multiturn.Unusable {
				n.equal++
			} else {
				n.differs(testkit.Text(row, "id"), "got %q where upstream raises %s", got.ErrorType, crash)
			}
			return
		}
		n.compare(row, got, "valid", "error_type", "error_message")
	})
	n.report("entries")
	t.Logf("%d rows on which upstream raises fail as %s", crashes, multiturn.Unusable)
}

// TestGoldenVerdicts judges decoded turns in three ways that must agree: with
// the reference run beside the model, recorded, and from a raw result.
func TestGoldenVerdicts(t *testing.T) {
	d := official(t)
	for _, c := range []struct{ file, model string }{
		{"ground_truth", "simmodel-v1"}, {"mutations", "simmodel-v1"}, {"recorded", "openai_gpt-oss-120b"},
	} {
		t.Run(c.file, func(t *testing.T) {
			n, details := &tally{T: t}, 0
			testkit.Rows(t, testkit.GoldenFile(t, "multi_turn", "verdicts_"+c.file+".jsonl"), func(_ int, row *pyval.Dict) {
				if testkit.Field(row, "valid") == nil {
					return // the checker was not reached
				}
				item, turns := d.caseOf(t, row), turnsOf(testkit.Field(row, "decoded"))
				f := multiturn.Check(item, turns, c.model)
				n.compare(row, f.Verdict(), "valid", "error_type", "error_message")
				details += n.detail(row, f)
				n.recorded(row, d, item, c.model, f.Verdict())
			})
			n.report("verdicts_" + c.file)
			t.Logf("%d details equal", details)
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

// detail compares what upstream found to differ; it gives 1 where it does.
func (n *tally) detail(row *pyval.Dict, f *multiturn.Fault) int {
	n.Helper()
	want, ok := testkit.Field(row, "detail").(*pyval.Dict)
	if !ok || f == nil {
		return 0
	}
	id := testkit.Text(row, "id")
	if names, ok := want.GetStr("differences"); ok {
		got := []string{}
		for _, x := range f.Differences {
			got = append(got, x.Attribute)
		}
		if diff := cmp.Diff(strs(names), got); diff != "" {
			n.differs(id, "attributes that differ: %s", diff)
			return 0
		}
	}
	if items, ok := want.GetStr("missing_items"); ok {
		if diff := cmp.Diff(digests(items), digestsOf(f.Missing)); diff != "" {
			n.differs(id, "missing results: %s", cut(diff))
			return 0
		}
	}
	return 1
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
func (n *tally) recorded(row *pyval.Dict, d *dataset, c *eval.Case, model string, want eval.Verdict) {
	n.Helper()
	r, err := d.reference(c)
	if err != nil {
		n.differs(testkit.Text(row, "id"), "reference: %v", err)
		return
	}
	got := r.Check(turnsOf(testkit.Field(row, "decoded")), model).Verdict()
	if diff := cmp.Diff(detail(want), detail(got)); got.ErrorType != want.ErrorType || diff != "" {
		n.differs(testkit.Text(row, "id"), "by a recorded reference %q, side by side %q: %.500q", got.ErrorType, want.ErrorType, diff)
	}
}

// TestGoldenResults judges the recorded model's raw results whole.
func TestGoldenResults(t *testing.T) {
	d, results, n := official(t), recordedResults(t), &tally{T: t}
	testkit.Rows(t, testkit.GoldenFile(t, "multi_turn", "verdicts_recorded.jsonl"), func(_ int, row *pyval.Dict) {
		c := d.caseOf(t, row)
		got := multiturn.JudgeAs("openai_gpt-oss-120b", c, results[c.ID], eval.SettingsFor(eval.FC))
		n.compare(row, got, "entry_valid", "entry_error_type", "entry_error_message")
	})
	n.report("recorded results")
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
	d, n, differ := official(t), &tally{T: t}, map[string]int{}
	testkit.Rows(t, testkit.GoldenFile(t, "inserted", "conversations.jsonl"), func(_ int, row *pyval.Dict) {
		n.rows++
		if testkit.Flag(row, "valid") {
			n.valid++
		}
		c := d.cases[testkit.Text(row, "id")]
		got := multiturn.Judge(c, testkit.Field(row, "result"), eval.SettingsFor(eval.Prompt))
		if got.Passed() == testkit.Flag(row, "valid") && got.ErrorType == testkit.Text(row, "error_type") {
			n.equal++
			return
		}
		differ[testkit.Text(row, "kind")]++
		n.differs(testkit.Text(row, "id"), "%s: %s: got %v %q, want valid %v %q", testkit.Text(row, "kind"), testkit.Text(row, "call"), got.Status, got.ErrorType, testkit.Flag(row, "valid"), testkit.Text(row, "error_type"))
	})
	for _, kind := range slices.Sorted(maps.Keys(differ)) {
		t.Logf("%-20s %d differ", kind, differ[kind])
	}
	n.report("inserted/conversations")
}
