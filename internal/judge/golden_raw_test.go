package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// decodeRow decodes the raw answer of a row.
func decodeRow(row *pyval.Dict, format decode.Format, tag bool) (pyval.Value, error) {
	raw := testkit.Field(row, "raw")
	if testkit.Text(row, "mode") == "fc" {
		return decode.FC(raw)
	}
	return decode.Prompt(pyval.Text(raw), format, tag)
}

// fromRaw is the verdict on a row's raw answer, decoding included.
func fromRaw(row *pyval.Dict, q *question, o judge.Options, format decode.Format, tag bool) eval.Verdict {
	decoded, err := decodeRow(row, format, tag)
	if err != nil {
		return judge.DecodeFailure(err)
	}
	return judge.AST(q.docs, decoded, q.answer, o)
}

func TestGoldenVerdictFormatSensitivity(t *testing.T) {
	cases := map[string]map[string]*question{}
	c := &tally{t: t}
	testkit.Rows(t, testkit.GoldenFile(t, "verdict", "format_sensitivity.jsonl"), func(line int, row *pyval.Dict) {
		id := testkit.Text(row, "id")
		base := id[strings.LastIndex(id, ":")+1:]
		category := base[:strings.LastIndex(strings.SplitAfter(base, "-")[0], "_")]
		if cases[category] == nil {
			cases[category] = questions(t, category)
		}
		label := fmt.Sprintf("format_sensitivity:%d %s %s", line, id, testkit.Text(row, "op"))
		q := cases[category][base]
		if q == nil {
			t.Fatalf("%s: unknown case %s", label, base)
		}
		o := optionsOf(category, row)
		got := fromRaw(row, q, o, decode.Format(testkit.Text(row, "format")), testkit.Flag(row, "tag"))
		c.compareRaw(label, row, got)
		if decoded := testkit.Field(row, "decoded"); decoded != nil {
			c.compare(label, row, judge.AST(q.docs, testkit.Tagged(t, decoded), q.answer, o))
		}
	})
	c.log("format_sensitivity")
}
