package dataset_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenVariantOrderJudges: judges that are given the documents in another order
// say of real models' answers what they said before.
func TestGoldenVariantOrderJudges(t *testing.T) {
	d, err := fixtures.Open("v4", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	set := setOf(t, d, "none,order")
	folder, err := record.Find(filepath.Join(testkit.Shared(t, "recorded", "v4", "gpt-oss-120b"), "result"))
	require.NoError(t, err)
	settings, judged, differ := eval.SettingsFor(eval.FC), 0, 0
	for _, name := range slices.Sorted(maps.Keys(folder.Files)) {
		cat := d.Categories().Find(name)
		if cat == nil || !d.Has(cat) || !cat.Compares() {
			continue
		}
		cases, err := d.Cases(cat)
		require.NoError(t, err)
		_, varied, _, err := set.Vary(set.Specs[0], cat, cases)
		require.NoError(t, err)
		rows, err := record.Read(folder.Files[name], true)
		require.NoError(t, err)
		answers := map[string]pyval.Value{}
		for _, row := range rows {
			answers[row.ID] = row.Result
		}
		for _, c := range varied {
			answer, ok := answers[c.Plain().ID]
			if !ok {
				continue
			}
			judged++
			_, before := cat.Verdict(c.Plain(), answer, settings)
			_, after := cat.Verdict(c.Posed(), answer, settings) // the judge itself gets the other order
			if before.Status != after.Status || before.ErrorType != after.ErrorType {
				differ++
				t.Errorf("%s: %s %s, in another order %s %s", c.ID, before.Status, before.ErrorType, after.Status, after.ErrorType)
			}
		}
	}
	t.Logf("%d real answers judged twice, %d verdicts differ", judged, differ)
	assert.Greater(t, judged, 1000)
}

// TestGoldenVariantOrderSchemas: tools in another order become the same schemas in that
// order, in the form of every API.
func TestGoldenVariantOrderSchemas(t *testing.T) {
	d, err := fixtures.Open("v4", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	wording, err := d.Wording()
	require.NoError(t, err)
	set, compared := setOf(t, d, "none,order"), 0
	for _, name := range []string{"simple_java", "multiple", "live_multiple"} {
		cat := d.Categories().Find(name)
		cases, err := d.Cases(cat)
		require.NoError(t, err)
		_, varied, _, err := set.Vary(set.Specs[0], cat, each(cases, 5))
		require.NoError(t, err)
		for _, c := range varied {
			for _, style := range tool.Styles() {
				before, err := wording.Tools.Convert(c.Tools, style)
				require.NoError(t, err)
				after, err := wording.Tools.Convert(c.Posed().Tools, style)
				require.NoError(t, err)
				assert.ElementsMatch(t, reprs(before), reprs(after), "%s %s", c.ID, style)
				compared++
			}
		}
	}
	t.Logf("%d lists of schemas compared", compared)
}

// reprs are schemas as texts in which the order of parameters does not show.
func reprs(list *pyval.List) (out []string) {
	for _, v := range list.Items {
		out = append(out, sorted(v))
	}
	return out
}

func sorted(v pyval.Value) string {
	switch v := v.(type) {
	case *pyval.Dict:
		var parts []string
		for key, value := range v.All() {
			if list, ok := value.(*pyval.List); ok && pyval.Text(key) == "required" {
				words := reprs(list)
				slices.Sort(words)
				parts = append(parts, "required:"+pyval.Repr(pyval.Str(sortedJoin(words))))
				continue
			}
			parts = append(parts, pyval.Repr(key)+":"+sorted(value))
		}
		return "{" + sortedJoin(parts) + "}"
	case *pyval.List:
		return "[" + sortedJoin(reprs(v)) + "]"
	}
	return pyval.Repr(v)
}

func sortedJoin(parts []string) string {
	slices.Sort(parts)
	out := ""
	for _, p := range parts {
		out += p + ","
	}
	return out
}
