package dataset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func TestVariantParse(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "none": "", "none,order": "none,order", " order , none": "none,order",
		"none,distractors:8,distractors16": "none,distractors8,distractors16",
	} {
		specs, err := variant.Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, variant.Join(specs))
	}
	for text, want := range map[string]string{
		"order": "does not include none", "none,oder": "did you mean", "none,order,order": "twice", "none,order:3": "takes no number", "none,names": "unknown variant",
		"none,distractors": "needs a number", "none,distractors:0": "from 1 to 127", "none,distractors:128": "from 1 to 127",
		"none,distractors:x": "from 1 to 127", "none,distractors:08": "from 1 to 127", "none,~": "unknown variant",
	} {
		_, err := variant.Parse(text)
		assert.ErrorContains(t, err, want, text)
	}
}

func FuzzVariantParse(f *testing.F) {
	f.Add("none,order,distractors:8")
	f.Fuzz(func(t *testing.T, text string) {
		specs, err := variant.Parse(text)
		if err != nil {
			return
		}
		again, err := variant.Parse(variant.Join(specs))
		if err != nil || variant.Join(again) != variant.Join(specs) {
			t.Fatalf("%q reads as %q, and that as %q: %v", text, variant.Join(specs), variant.Join(again), err)
		}
	})
}

func TestVariantCut(t *testing.T) {
	for _, c := range [][3]string{
		{"simple_python_3~order", "simple_python_3", "order"}, {"a~b~distractors8", "a~b", "distractors8"},
		{"simple_python_3", "simple_python_3", ""}, {"a~b", "a~b", ""}, {"a~distractors:8", "a~distractors:8", ""},
	} {
		plain, name := variant.Cut(c[0])
		assert.Equal(t, c[1:], []string{plain, name})
	}
}

// vary is a case of the starter suite as a variant has it.
func vary(t *testing.T, text, category, id string) (*eval.Category, *eval.Case) {
	t.Helper()
	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	cat := d.Categories().Find(category)
	cases, err := d.Cases(cat)
	require.NoError(t, err)
	set := setOf(t, d, "none,"+text)
	varied, some, _, err := set.Vary(set.Specs[0], cat, cases)
	require.NoError(t, err)
	for _, c := range some {
		if c.Plain().ID == id {
			return varied, c
		}
	}
	t.Fatalf("%s is not varied by %s", id, text)
	return nil, nil
}

// TestVariantDeterministic: the seed and the id alone decide.
func TestVariantDeterministic(t *testing.T) {
	for _, text := range []string{"order", "opaque", "distractors:8", "schema"} {
		_, a := vary(t, text, "multiple", "multiple_3")
		_, b := vary(t, text, "multiple", "multiple_3")
		assert.Equal(t, shown(a.Posed()), shown(b.Posed()), text)
		assert.NotEqual(t, shown(a.Plain()), shown(a.Posed()), text)
	}
}

func shown(c *eval.Case) string {
	out := ""
	for _, m := range c.Turns[0] {
		out += m.Role + ": " + m.Content + "\n"
	}
	for _, doc := range c.Tools {
		out += pyval.Repr(doc) + "\n"
	}
	return out
}

// TestVariantOldName: who says a name that it was not shown names no function, though
// the plain case has it.
func TestVariantOldName(t *testing.T) {
	cat, c := vary(t, "opaque", "simple_python", "simple_python_0")
	settings := eval.SettingsFor(eval.FC)
	answer := func(name string) pyval.Value {
		return eval.CallsResult([]eval.ToolCall{{Name: name, Arguments: "{}"}})
	}
	_, old := cat.Verdict(c, answer("bank_compound_balance"), settings)
	assert.Equal(t, "simple_function_checker:wrong_func_name", old.ErrorType)
	_, shownName := cat.Verdict(c, answer(seen(c, settings)), settings)
	assert.Equal(t, "simple_function_checker:missing_required", shownName.ErrorType)
}

// seen is the name of the first tool as the model sees it.
func seen(c *eval.Case, s eval.Settings) string {
	name, _ := eval.Pose(c.Posed(), 0, s).Tools[0].GetStr("name")
	return pyval.Text(name)
}

// TestVariantCluster: a case and its variants are one cluster.
func TestVariantCluster(t *testing.T) {
	cat, c := vary(t, "opaque", "live_simple", "live_simple_1-0-1")
	all := eval.New()
	all.Add(cat.Unvaried(), c.Plain())
	all.Add(cat, c)
	assert.Equal(t, all.Of(c.Plain()), all.Of(c))
	assert.Equal(t, "live_simple_1-0-1~opaque", c.ID)
	assert.Equal(t, "live_simple~opaque", cat.Name)
	assert.True(t, cat.Unscored)
}

// TestVariantLeftOut: what cannot be varied is counted, with its reason.
func TestVariantLeftOut(t *testing.T) {
	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	set := setOf(t, d, "none,schema,opaque,distractors:100")
	for _, c := range []struct {
		spec     int
		category string
		why      string
	}{
		{0, "simple_java", "its tools are in Java"}, {0, "multi_turn_base", "its calls are carried out by name"},
		{1, "exec_simple", "its calls are carried out by name"}, {0, "memory_kv", "its calls are carried out by name"},
		{0, "format_sensitivity", "documents are also written as Python or XML text, which has no $defs or anyOf"},
		{1, "chatable", "there are no tools"}, {2, "simple_java", "the dataset has fewer than 100 tools of other domains"},
	} {
		cat := d.Categories().Find(c.category)
		cases, err := d.Cases(cat)
		require.NoError(t, err)
		varied, some, left, err := set.Vary(set.Specs[c.spec], cat, cases)
		require.NoError(t, err)
		assert.Nil(t, varied, c.category)
		assert.Empty(t, some)
		require.NotEmpty(t, left)
		assert.Equal(t, c.why, left[0].Why)
	}
}

// TestVariantVariedFormats: a case of format sensitivity is put differently in its own
// configuration, and its answers are read in that.
func TestVariantVariedFormats(t *testing.T) {
	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	wording, err := d.Wording()
	require.NoError(t, err)
	cat := d.Categories().Find("format_sensitivity")
	cases, err := d.Cases(cat)
	require.NoError(t, err)
	set := setOf(t, d, everything)
	posed := 0
	for _, spec := range set.Specs {
		_, some, _, err := set.Vary(spec, cat, cases)
		require.NoError(t, err)
		for _, c := range some {
			plain, err := wording.Pose(c.Plain())
			require.NoError(t, err)
			varied, err := wording.Pose(c.Posed())
			require.NoError(t, err, c.ID)
			assert.NotEqual(t, plain, varied, c.ID)
			posed++
		}
	}
	assert.Greater(t, posed, 1000)
}
