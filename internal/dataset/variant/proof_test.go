package variant_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// everything are all variants, in numbers that make a difference.
const everything = "none,order,names,opaque,distractors:8,distractors:120,schema,terse,verbose,noise,language,late,twice"

// source is what variants take from a dataset.
func source(d *fixtures.Dataset) variant.Source {
	return variant.Source{Tools: d.Tools, Translations: d.Translations}
}

func setOf(t testing.TB, d *fixtures.Dataset, text string) *variant.Set {
	t.Helper()
	specs, err := variant.Parse(text)
	require.NoError(t, err)
	set, err := variant.New(specs, 1, source(d))
	require.NoError(t, err)
	return set
}

// A figure counts what a variant did.
type figure struct{ varied, left, refused, differ int }

// prove answers each case and each variant of it with the possible answer, the
// variant's by way of its forward map, and holds verdicts against each other.
func prove(t *testing.T, d *fixtures.Dataset, set *variant.Set, modes ...eval.Mode) (map[string]*figure, int) {
	figures, cases := map[string]*figure{}, 0
	wording, err := d.Wording()
	require.NoError(t, err)
	for _, cat := range d.Categories().All() {
		if d.Offer(cat, false) != nil || cat.Executes || cat.Rule == eval.Varied {
			continue
		}
		loaded, err := d.Cases(cat)
		require.NoError(t, err)
		if testing.Short() && len(loaded) > 100 {
			loaded = each(loaded, 10)
		}
		cases += len(loaded)
		for _, mode := range modes {
			settings := eval.SettingsFor(mode)
			plain := make([]eval.Verdict, len(loaded))
			for i, c := range loaded {
				_, plain[i] = cat.Verdict(c, oracle.Answer(c, mode), settings)
			}
			at := map[string]int{}
			for i, c := range loaded {
				at[c.ID] = i
			}
			for _, spec := range set.Specs {
				f := figures[spec.String()]
				if f == nil {
					f = &figure{}
					figures[spec.String()] = f
				}
				varied, some, left, err := set.Vary(spec, cat, loaded)
				require.NoError(t, err)
				for _, l := range left {
					f.left += l.Cases
				}
				f.varied += len(some)
				for _, c := range some {
					posable(t, wording, c)
					_, v := varied.Verdict(c, oracle.Answer(c.Posed(), mode), settings)
					want := plain[at[c.Plain().ID]]
					if !want.Passed() {
						f.refused++
					}
					if v.Status != want.Status || v.ErrorType != want.ErrorType {
						f.differ++
						if f.differ <= 5 {
							t.Errorf("%s %s: %s %s, the original %s %s: %.300s", mode, c.ID, v.Status, v.ErrorType, want.Status, want.ErrorType, pyval.Repr(oracle.Answer(c.Posed(), mode)))
						}
					}
				}
			}
		}
	}
	return figures, cases
}

// posable holds that schemas can be made of a variant's tools wherever they can of
// the original's.
func posable(t *testing.T, w *prompt.Wording, c *eval.Case) {
	for _, style := range []tool.Style{tool.OpenAICompletions, tool.Google} {
		convert := func(docs []*pyval.Dict) error {
			docs, err := w.Tools.HintedAll(docs, c.Language)
			if err == nil {
				_, err = w.Tools.Convert(docs, style)
			}
			return err
		}
		if err := convert(c.Posed().Tools); err != nil && convert(c.Tools) == nil {
			t.Errorf("%s: %s: %v", c.ID, style, err)
		}
	}
}

// each takes every nth.
func each(cases []*eval.Case, n int) (out []*eval.Case) {
	for i := 0; i < len(cases); i += n {
		out = append(out, cases[i])
	}
	return out
}

func tell(t *testing.T, set *variant.Set, figures map[string]*figure) {
	for _, spec := range set.Specs {
		f := figures[spec.String()]
		t.Logf("%-15s %6d varied, %6d left out, %3d refused as their originals are, %d differ", spec, f.varied, f.left, f.refused, f.differ)
	}
}

// TestGoldenKept: the oracle, which answers a variant through its forward map,
// is judged as on the original, for every official case and every variant.
func TestGoldenKept(t *testing.T) {
	names, modes := []string{"v4", "v1"}, []eval.Mode{eval.FC, eval.Prompt}
	if testing.Short() {
		names, modes = names[:1], modes[:1]
	}
	for _, name := range names {
		d, err := fixtures.Open(name, testkit.Shared(t, "bfcl"))
		require.NoError(t, err)
		set := setOf(t, d, everything)
		figures, cases := prove(t, d, set, modes...)
		t.Logf("%s: %d cases, in %d modes", name, cases, len(modes))
		tell(t, set, figures)
		assert.Positive(t, cases)
	}
}

// TestKept is the same for the starter suite.
func TestKept(t *testing.T) {
	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	set := setOf(t, d, everything)
	figures, cases := prove(t, d, set, eval.FC, eval.Prompt)
	t.Logf("starter: %d cases, in both modes", cases)
	tell(t, set, figures)
	for _, spec := range set.Specs {
		if spec.N < 100 { // the suite has not so many tools of other domains
			assert.Positive(t, figures[spec.String()].varied, spec.String())
		}
	}
}

// TestGoldenThereAndBack: real models' recorded answers, right and wrong, mapped
// forward and back are themselves, and as answers to the variant they are
// judged as they were.
func TestGoldenThereAndBack(t *testing.T) {
	d, err := fixtures.Open("v4", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	set := setOf(t, d, "none,names,opaque,schema")
	files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "recorded", "v4"), "*", "result", "*"))
	require.NoError(t, err)
	var folders []*record.Folder
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			found, err := record.FindAll(file)
			require.NoError(t, err)
			folders = append(folders, found...)
		}
	}
	require.NotEmpty(t, folders)
	answers, differ, nulls := 0, 0, 0
	for _, folder := range folders {
		for _, spec := range set.Specs {
			a, b, n := thereAndBack(t, d, set, spec, folder)
			answers, differ, nulls = answers+a, differ+b, nulls+n
		}
	}
	t.Logf("%d answers of %d folders mapped there and back, %d differ; %d more say null where a dressed schema allows it and the original does not", answers, len(folders), differ, nulls)
	assert.Zero(t, differ)
	assert.Greater(t, answers, 1000)
}

func thereAndBack(t *testing.T, d *fixtures.Dataset, set *variant.Set, spec variant.Spec, folder *record.Folder) (answers, differ, nulls int) {
	mode := eval.Prompt
	if strings.HasSuffix(folder.Model, "-FC") || strings.Contains(folder.Dir, "gpt-oss-120b") {
		mode = eval.FC
	}
	settings := eval.SettingsFor(mode)
	for _, name := range slices.Sorted(maps.Keys(folder.Files)) {
		if testing.Short() && name != "multiple" && name != "live_simple" && name != "multi_turn_base" {
			continue
		}
		cat := d.Categories().Find(name)
		if cat == nil || !d.Has(cat) {
			continue
		}
		cases, err := d.Cases(cat)
		require.NoError(t, err)
		_, varied, _, err := set.Vary(spec, cat, cases)
		require.NoError(t, err)
		byID := map[string]*eval.Case{}
		for _, c := range varied {
			byID[c.Plain().ID] = c
		}
		rows, err := record.Read(folder.Files[name], true)
		require.NoError(t, err)
		for _, row := range rows {
			c := byID[row.ID]
			if c == nil || c.Variation.Back == nil {
				continue
			}
			for _, calls := range callsOf(cat, c, row.Result, settings) {
				answers++
				there := c.Variation.Back(calls)
				back := c.Variation.Back(there)
				switch {
				case same(back, calls):
				case spec.Kind.Name == "schema":
					nulls, answers = nulls+1, answers-1
				default:
					differ++
					t.Errorf("%s: %.300s is mapped to %.300s and back to %.300s", c.ID, pyval.Repr(calls), pyval.Repr(there), pyval.Repr(back))
				}
			}
		}
	}
	return answers, differ, nulls
}

// callsOf are the lists of calls in an answer: of a conversation, one a step.
func callsOf(cat *eval.Category, c *eval.Case, result pyval.Value, s eval.Settings) (out []pyval.Value) {
	if !cat.MultiTurn() {
		if calls, err := cat.Decode(c.Plain(), result, s); err == nil {
			out = append(out, calls)
		}
		return out
	}
	turns, _ := result.(*pyval.List)
	if turns == nil {
		return nil
	}
	for _, turn := range turns.Items {
		if steps, ok := turn.(*pyval.List); ok {
			for _, step := range steps.Items {
				if step.Kind() == pyval.KindList {
					out = append(out, step)
				}
			}
		}
	}
	return out
}

// same compares calls by what they say: JSON of arguments may be written anew.
func same(a, b pyval.Value) bool { return read(a) == read(b) }

func read(v pyval.Value) string {
	list, ok := v.(*pyval.List)
	if !ok {
		return pyval.Repr(v)
	}
	var out strings.Builder
	for _, item := range list.Items {
		call, ok := item.(*pyval.Dict)
		if !ok {
			out.WriteString(pyval.Repr(item))
			continue
		}
		for name, args := range call.All() {
			if text, ok := args.(pyval.Str); ok {
				if v, err := pyval.ParseJSON(string(text)); err == nil {
					args = v
				}
			}
			fmt.Fprintf(&out, "%s(%s);", pyval.Repr(name), pyval.Repr(args))
		}
	}
	return out.String()
}
