package dataset_test

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
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// everything are all variants, in numbers that make a difference.
const everything = "none,order,opaque,distractors:8,distractors:120,schema"

func setOf(t testing.TB, d *fixtures.Dataset, text string) *variant.Set {
	t.Helper()
	specs, err := variant.Parse(text)
	require.NoError(t, err)
	return &variant.Set{Specs: specs, Seed: 1, Tools: d.Tools}
}

// A figure counts what a variant did.
type figure struct{ varied, left, refused, differ int }

// A proof answers each case and each variant of it with the possible answer, the
// variant's by way of its forward map, and holds verdicts against each other.
type proof struct {
	*testing.T
	d        *fixtures.Dataset
	set      *variant.Set
	modes    []eval.Mode
	wording  *prompt.Wording
	executor *suite.Executor

	figures map[string]*figure
	cases   int
	carried int // those whose calls are carried out
	sound   map[*pyval.Dict]bool
}

// prove proves the variants of a dataset's cases. Calls are carried out with
// recordings, the dataset's own where none are named.
func prove(t *testing.T, d *fixtures.Dataset, set *variant.Set, recordings []string, modes ...eval.Mode) *proof {
	t.Helper()
	wording, err := d.Wording()
	require.NoError(t, err)
	env, _, err := suite.Environment(d, suite.Replay, recordings)
	require.NoError(t, err)
	p := &proof{
		T: t, d: d, set: set, modes: modes, wording: wording, executor: suite.New(t.Context(), d, env),
		figures: map[string]*figure{}, sound: map[*pyval.Dict]bool{},
	}
	for _, spec := range set.Specs {
		p.figures[spec.String()] = &figure{}
	}
	for _, cat := range d.Categories().All() {
		if d.Offer(cat, false) == nil {
			p.category(cat)
		}
	}
	return p
}

func (p *proof) category(cat *eval.Category) {
	cases, err := p.d.Cases(cat)
	require.NoError(p, err)
	every := testkit.Some(10, 1)
	if len(cases) > 100 {
		cases = each(cases, every)
	}
	p.cases += len(cases)
	if cat.Executes {
		p.carried += len(cases)
	}
	plain, modes := map[string]map[eval.Mode]eval.Verdict{}, p.modes
	if cat.PromptOnly {
		modes = []eval.Mode{eval.Prompt}
	}
	for _, c := range cases {
		plain[c.ID] = map[eval.Mode]eval.Verdict{}
		for _, mode := range modes {
			_, plain[c.ID][mode] = cat.Verdict(c, p.answer(c, mode), p.settings(mode))
		}
	}
	for _, spec := range p.set.Specs {
		f := p.figures[spec.String()]
		category, varied, left, err := p.set.Vary(spec, cat, cases)
		require.NoError(p, err)
		for _, l := range left {
			f.left += len(modes) * l.Cases
		}
		for _, c := range varied {
			posed := c.Posed()
			if !cat.PromptOnly {
				p.posable(c, posed)
			}
			for _, mode := range modes {
				answer := p.answer(posed, mode)
				_, v := category.Verdict(c, answer, p.settings(mode))
				f.count(v, plain[c.Plain().ID][mode])
				if !alike(v, plain[c.Plain().ID][mode]) && f.differ <= 5 {
					was := plain[c.Plain().ID][mode]
					p.Errorf("%s %s: %s %s, the original %s %s: %.300s", mode, c.ID, v.Status, v.ErrorType, was.Status, was.ErrorType, pyval.Repr(answer))
				}
			}
		}
	}
}

func (f *figure) count(v, was eval.Verdict) {
	f.varied++
	if !was.Passed() {
		f.refused++
	}
	if !alike(v, was) {
		f.differ++
	}
}

func alike(a, b eval.Verdict) bool { return a.Status == b.Status && a.ErrorType == b.ErrorType }

func (p *proof) settings(mode eval.Mode) eval.Settings {
	s := eval.SettingsFor(mode)
	s.Executor = p.executor
	return s
}

// answer is a right one. Of a case whose calls are carried out it is those
// calls.
func (p *proof) answer(c *eval.Case, mode eval.Mode) pyval.Value {
	cat := p.d.Categories().Find(c.Category)
	if c.Answer == nil && cat.Executes {
		calls, err := p.executor.Calls(c)
		require.NoError(p, err)
		answered := *c
		answered.Answer = &pyval.List{}
		for _, call := range calls {
			answered.Answer.Items = append(answered.Answer.Items, pyval.Str(call))
		}
		c = &answered
	}
	return oracle.Answer(c, mode)
}

// posable holds that schemas can be made of a variant's tools wherever they can of
// the original's.
func (p *proof) posable(c, posed *eval.Case) {
	for i, doc := range posed.Tools {
		if p.sound[doc] {
			continue
		}
		err := p.schemas(doc, c.Language)
		if i >= len(c.Tools) { // a distractor, of many cases
			p.sound[doc] = err == nil
		}
		if err != nil && p.schemasOf(c) == nil {
			p.Errorf("%s: %v", c.ID, err)
		}
	}
}

func (p *proof) schemasOf(c *eval.Case) error {
	for _, doc := range c.Tools {
		if err := p.schemas(doc, c.Language); err != nil {
			return err
		}
	}
	return nil
}

func (p *proof) schemas(doc *pyval.Dict, lang eval.Language) error {
	doc, err := p.wording.Tools.Hinted(doc, lang)
	for _, style := range []tool.Style{tool.OpenAICompletions, tool.Google} {
		if err == nil {
			_, err = p.wording.Tools.Convert([]*pyval.Dict{doc}, style)
		}
	}
	return err
}

// each takes every nth.
func each(cases []*eval.Case, n int) (out []*eval.Case) {
	for i := 0; i < len(cases); i += n {
		out = append(out, cases[i])
	}
	return out
}

func (p *proof) tell(name string) {
	p.Logf("%s: %d cases, of %d of them calls are carried out, in %d modes", name, p.cases, p.carried, len(p.modes))
	for _, spec := range p.set.Specs {
		f := p.figures[spec.String()]
		p.Logf("%-15s %6d varied, %6d left out, %3d refused as their originals are, %d differ", spec, f.varied, f.left, f.refused, f.differ)
	}
}

// TestGoldenVariantKept: the oracle, which answers a variant through its forward map,
// is judged as on the original, for every official case and every variant.
func TestGoldenVariantKept(t *testing.T) {
	names, modes := []string{"v4", "v1"}, []eval.Mode{eval.FC, eval.Prompt}
	if testing.Short() {
		names, modes = names[:1], modes[:1]
	}
	for _, name := range names {
		d, err := fixtures.Open(name, testkit.Shared(t, "bfcl"))
		require.NoError(t, err)
		var recordings []string
		if name == "v1" {
			recordings = []string{testkit.GoldenFile(t, "exec", "replay.jsonl"), testkit.GoldenFile(t, "rest", "replay.jsonl")}
		}
		p := prove(t, d, setOf(t, d, everything), recordings, modes...)
		p.tell(name)
		assert.Positive(t, p.cases)
	}
}

// TestVariantKept is the same for the starter suite.
func TestVariantKept(t *testing.T) {
	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	p := prove(t, d, setOf(t, d, everything), nil, eval.FC, eval.Prompt)
	p.tell("starter")
	assert.Equal(t, 41, p.carried)
	for _, spec := range p.set.Specs {
		if spec.N < 100 { // the suite has not so many tools of other domains
			assert.Positive(t, p.figures[spec.String()].varied, spec.String())
		}
	}
}

// TestGoldenVariantThereAndBack: real models' recorded answers, right and wrong, mapped
// forward and back are themselves, and as answers to the variant they are
// judged as they were.
func TestGoldenVariantThereAndBack(t *testing.T) {
	d, err := fixtures.Open("v4", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	set := setOf(t, d, "none,opaque,schema")
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
	for i, name := range slices.Sorted(maps.Keys(folder.Files)) {
		if i%testkit.Some(3, 1) > 0 {
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
				case spec.String() == "schema":
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
