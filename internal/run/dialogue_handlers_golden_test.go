package run_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/completions"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// Upstream's texts do not lie beside the tests. The templates that its handlers
// quote are those of golden/templates. What else a handler says is learnt from
// its first prompts that hold it: the handler is given marks in its place, and
// what stands there in upstream's prompt are the texts. All other rows are held
// against them; rows that taught are counted apart.

// quoted are the templates of golden/templates by the text they stand for.
var quoted = map[string]map[string]string{
	"arch": {"template": "ArchHandler"}, "bielik": {"template": "BielikHandler"}, "deepseek-r1": {"template": "DeepseekReasoningHandler"},
	"glm": {"template": "GLMHandler"}, "granite-3": {"template": "Granite3FCHandler"}, "granite-4": {"template": "Granite4FCHandler"},
	"llama-fc": {"template": "LlamaHandler_3_1"}, "minicpm": {"template": "MiniCPMHandler"}, "mistral-fc": {"template": "MistralFCHandler_2"},
	"nanbeige": {"template": "QwenFCHandler"}, "phi": {"template Phi-4-mini": "PhiHandler"}, "phi-fc": {"template": "PhiHandler"},
	"qwen": {"template": "QwenHandler"}, "qwen-fc": {"template": "QwenFCHandler"},
}

// A school holds what is known of upstream's texts.
type school struct {
	t       *testing.T
	texts   completion.Texts
	catalog *catalog.Catalog
	wording *prompt.Wording
	taught  int
}

func newSchool(t *testing.T, w *prompt.Wording) *school {
	t.Helper()
	folder := filepath.Dir(testkit.GoldenFile(t, "templates", "inputs.json"))
	s := &school{t: t, texts: completion.Texts{}, wording: w}
	for name, files := range quoted {
		s.texts[name] = map[string]string{}
		for key, file := range files {
			data := testkit.Must(os.ReadFile(filepath.Join(folder, file+".jinja")))(t)
			s.texts[name][key] = string(data)
		}
	}
	s.catalog = testkit.Must(catalog.Load())(t)
	return s
}

var missing = regexp.MustCompile(`upstream's text \S+?\.([^.]*?) is missing`)

// handler returns a model's handler, with marks in place of unknown texts.
func (s *school) handler(model string) (h *completion.Handler, name string) {
	s.t.Helper()
	e := testkit.Must(s.catalog.Resolve(model, nil))(s.t)
	name = e.Dialect
	known := map[string]string{}
	for key, text := range s.texts[name] {
		known[key] = text
	}
	for {
		h, err := completion.NewHandler(name, model, completion.Texts{name: known}, s.wording.Tools)
		if err == nil {
			return h, name
		}
		m := missing.FindStringSubmatch(err.Error())
		require.NotNil(s.t, m, "%s: %v", model, err)
		known[m[1]] = "\x01" + m[1] + "\x02"
	}
}

var mark = regexp.MustCompile("\x01([^\x02]*)\x02")

// learn finds the texts in upstream's prompt where ours has marks.
func (s *school) learn(name, ours, upstreams string) bool {
	marks := mark.FindAllStringSubmatchIndex(ours, -1)
	if len(marks) == 0 {
		return false
	}
	pattern, at := "(?s)^", 0
	for _, m := range marks {
		pattern += regexp.QuoteMeta(ours[at:m[0]]) + "(.+?)"
		at = m[1]
	}
	found := regexp.MustCompile(pattern + regexp.QuoteMeta(ours[at:]) + "$").FindStringSubmatch(upstreams)
	if !assert.NotNil(s.t, found, "%s: no texts put into\n%.3000q\ngive\n%.3000q", name, ours, upstreams) {
		return false
	}
	if s.texts[name] == nil {
		s.texts[name] = map[string]string{}
	}
	for i, m := range marks {
		s.texts[name][ours[m[2]:m[3]]] = found[i+1]
	}
	s.taught++
	return true
}

// singleTurn are the official cases of one turn.
func singleTurn(t *testing.T, ids map[string]bool) map[string]*eval.Case {
	t.Helper()
	d := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	out := map[string]*eval.Case{}
	for _, cat := range categories.All() {
		if cat.MultiTurn() || cat.PromptOnly || !d.Has(cat) {
			continue
		}
		cases := testkit.Must(d.Cases(cat))(t)
		for _, c := range cases {
			if ids[c.ID] {
				out[c.ID] = c
			}
		}
	}
	return out
}

// ask returns a case as the suite poses it to a handler.
func (s *school) ask(h *completion.Handler, c *eval.Case) (string, error) {
	if h.Manner().SystemPrompt {
		messages := testkit.Must(s.wording.Pose(c))(s.t)
		return h.Write(messages, nil, nil)
	}
	docs := testkit.Must(s.wording.Tools.HintedAll(c.Tools, c.Language))(s.t)
	return h.Write(c.Turns[0], docs, nil)
}

// TestGoldenDialogueHandlers compares the prompts of upstream's handlers of local
// models: of single-turn cases, and of whole conversations.
func TestGoldenDialogueHandlers(t *testing.T) {
	data := load(t)
	var rows []*pyval.Dict
	ids := map[string]bool{}
	testkit.Rows(t, testkit.GoldenFile(t, "handlers", "prompts.jsonl"), func(_ int, row *pyval.Dict) {
		rows = append(rows, row)
		ids[testkit.Text(row, "id")] = true
	})
	s, cases := newSchool(t, data.wording), singleTurn(t, ids)
	equal, models := 0, map[string]int{}
	for _, row := range rows {
		model, id := testkit.Text(row, "model"), testkit.Text(row, "id")
		h, name := s.handler(model)
		require.Contains(t, cases, id)
		got, err := s.ask(h, cases[id])
		if !assert.NoError(t, err, "%s: %s", model, id) {
			continue
		}
		if s.learn(name, got, testkit.Text(row, "prompt")) || same(t, model+" "+id, testkit.Text(row, "prompt"), got) {
			equal++
			models[model]++
		}
	}
	t.Logf("prompts of single-turn cases: %d of %d rows equal, %d models; %d rows taught the texts", equal, len(rows), len(models), s.taught)
	s.conversations(data)
}

// same compares two prompts and shows where they begin to differ.
func same(t *testing.T, what, want, got string) bool {
	if want == got {
		return true
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	from := max(0, at-100)
	t.Errorf("%s: byte %d of %d: want\n%q\ngot\n%q", what, at, len(want), want[from:min(len(want), at+200)], got[from:min(len(got), at+200)])
	return false
}

// instances are those of conversations about the same case with models of the
// same name: upstream's recording led them one after the other in one process,
// where each found what the one before had left.
type instances map[string]sim.Instance

// library shares instances under a name.
func (all instances) library(name string) *sim.Library {
	var out []*sim.Class
	for _, class := range classes.With(classes.Services{}).Classes() {
		one, open := *class, class.New
		one.New = func(scenario *pyval.Dict, world *sim.World) (sim.Instance, error) {
			key := name + " " + one.Name
			if all[key] == nil {
				instance, err := open(scenario, world)
				if err != nil {
					return nil, err
				}
				all[key] = instance
			}
			return all[key], nil
		}
		out = append(out, &one)
	}
	return sim.NewLibrary(out...)
}

// conversations plays each recorded conversation, and compares every prompt and
// the result.
func (s *school) conversations(data *official) {
	t := s.t
	taught := s.taught
	prompts, results, total := 0, 0, 0
	shared := instances{}
	testkit.Rows(t, testkit.GoldenFile(t, "handlers", "loops.jsonl"), func(line int, row *pyval.Dict) {
		total++
		model := testkit.Text(row, "model")
		h, name := s.handler(model)
		manner := h.Manner()
		loop := &engine.Loop{
			Library: shared.library(strings.TrimSuffix(model, "-FC") + testkit.Text(row, "id")), Wording: data.wording, Model: model, Manner: &manner,
			Settings: eval.Settings{Mode: eval.FC, Dialect: name},
		}
		want := testkit.Field(row, "prompts").(*pyval.List).Items
		answers := testkit.Field(row, "responses").(*pyval.List).Items
		step, equal := 0, true
		what := fmt.Sprintf("line %d: %s, %s", line, testkit.Text(row, "handler"), testkit.Text(row, "script"))
		ask := func(_ context.Context, req *eval.Request) (*eval.Response, error) {
			got, err := h.Write(req.Messages, req.Tools, nil)
			require.NoError(t, err, what)
			if !assert.Less(t, step, len(want), what) {
				return nil, eval.Infra("test", "too many steps")
			}
			equal = samePrompt(t, fmt.Sprintf("%s, step %d", what, step), want[step].(*pyval.Dict), got) && equal
			answer := pyval.Value(pyval.Str("Done."))
			if step < len(answers) {
				answer = answers[step]
			}
			step++
			return completions.Reading(dialect.Find(name), pyval.Text(answer), nil, func() string { return "abcdefghi" }), nil
		}
		resp, err := loop.Run(t.Context(), data.cases[testkit.Text(row, "id")], 0, ask)
		if !assert.NoError(t, err, what) {
			return
		}
		if assert.Equal(t, len(want), step, what) && equal {
			prompts++
		}
		if assert.Equal(t, pyval.Repr(testkit.Marked(t, testkit.Field(row, "result"))), pyval.Repr(resp.Result), what) {
			results++
		}
	})
	assert.Equal(t, taught, s.taught, "conversations are not to teach")
	t.Logf("conversations: prompts of %d and results of %d of %d equal", prompts, results, total)
}

// samePrompt compares a prompt with one that may be recorded by its digest
// alone.
func samePrompt(t *testing.T, what string, want *pyval.Dict, got string) bool {
	if text, ok := want.GetStr("text"); ok {
		return same(t, what, pyval.Text(text), got)
	}
	return assert.Equal(t, testkit.Text(want, "sha256"), fmt.Sprintf("%x", sha256.Sum256([]byte(got))), "%s: %s", what, got[max(0, len(got)-1500):])
}
