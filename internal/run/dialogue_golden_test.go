package run_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/openai"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// official holds the official dataset's multi-turn cases by id.
type official struct {
	cases   map[string]*eval.Case
	wording *prompt.Wording
}

var v4 = sync.OnceValues(func() (*official, error) {
	d, err := fixtures.Open("v4", os.Getenv("BFCL_TEST_DATA"))
	if err != nil {
		return nil, err
	}
	o := &official{cases: map[string]*eval.Case{}}
	if o.wording, err = d.Wording(); err != nil {
		return nil, err
	}
	for _, name := range strings.Fields("multi_turn_base multi_turn_miss_func multi_turn_miss_param multi_turn_long_context memory_kv memory_vector memory_rec_sum web_search_base web_search_no_snippet") {
		cat := categories.Find(name)
		cases, err := d.Cases(cat)
		if err != nil {
			return nil, err
		}
		before, err := d.Prerequisites(cat)
		if err != nil {
			return nil, err
		}
		for _, c := range append(cases, before...) {
			o.cases[c.ID] = c
		}
	}
	return o, nil
})

// pages is the web of upstream's test double: two results, one page.
type pages struct{}

func (pages) Search(context.Context, websearch.Query) ([]byte, error) {
	return []byte(`{"organic_results": [
		{"title": "T1", "link": "https://a.example/", "snippet": "S1"}, {"title": "T2", "link": "https://b.example/", "snippet": "S2"}]}`), nil
}

func (pages) Fetch(_ context.Context, url string) (*websearch.Page, error) {
	return &websearch.Page{URL: url, Status: 200, Body: []byte("<p>Hi</p><p>Zhang Yiming</p>")}, nil
}

func load(t testing.TB) *official {
	t.Helper()
	t.Setenv("BFCL_TEST_DATA", testkit.Shared(t, "bfcl"))
	return testkit.Must(v4())(t)
}

// A script answers one row's requests, as upstream's test double did.
type script struct {
	answers   []pyval.Value
	reasoning bool

	asked  int
	bodies []*pyval.Dict
}

// next returns the reply to the next request; "" stands for a failure.
func (s *script) next(body string) string {
	v, err := pyval.ParseJSON(body)
	if err != nil {
		return ""
	}
	s.bodies = append(s.bodies, v.(*pyval.Dict))
	s.asked++
	message := pyval.Object("role", pyval.Str("assistant"), "content", pyval.Str("Done."))
	if s.asked <= len(s.answers) {
		answer := s.answers[s.asked-1].(*pyval.Dict)
		if answer.Has("raise") {
			return ""
		}
		message.SetStr("content", provider.Get(answer, "content"))
		if answer.Has("calls") {
			message.SetStr("tool_calls", s.calls(provider.Items(answer, "calls")))
		}
	}
	if s.reasoning && s.asked%2 == 1 {
		message.SetStr("reasoning_content", pyval.Str(fmt.Sprintf("think %d", s.asked)))
	}
	text, _ := pyval.JSON(pyval.Object(
		"choices", pyval.NewList(pyval.Object("message", message, "finish_reason", pyval.Str("stop"))),
		"usage", pyval.Object("prompt_tokens", pyval.MakeInt(int64(100+s.asked)), "completion_tokens", pyval.MakeInt(int64(10+s.asked))),
	), 0)
	return text
}

func (s *script) calls(items []pyval.Value) *pyval.List {
	list := pyval.NewList()
	for i, item := range items {
		pair := item.(*pyval.List).Items
		list.Items = append(list.Items, pyval.Object(
			"id", pyval.Str(fmt.Sprintf("call_%d_%d", s.asked, i)), "type", pyval.Str("function"),
			"function", pyval.Object("name", pair[0], "arguments", pair[1]),
		))
	}
	return list
}

// adapter returns an adapter whose server follows the script; latencies are
// upstream's.
func (s *script) adapter(t *testing.T, w *prompt.Wording) eval.Ask {
	t.Helper()
	carrier, _ := adaptertest.Serve(t, transport.Options{MaxElapsed: time.Nanosecond}, func(w http.ResponseWriter, seen adaptertest.Seen) {
		if reply := s.next(seen.Body); reply != "" {
			adaptertest.Write(w, http.StatusOK, reply)
			return
		}
		adaptertest.Write(w, http.StatusInternalServerError, `{"error": {"message": "boom"}}`)
	})
	strips := false // upstream's handler of the recording strips reasoning
	a, err := openai.New(provider.Config{
		Model: "openai/gpt-oss-120b", BaseURL: "http://api.openai.com/v1", Wording: w.Tools, Transport: carrier, RepeatReasoning: &strips,
	})
	require.NoError(t, err)
	return func(ctx context.Context, req *eval.Request) (*eval.Response, error) {
		resp, err := a.Generate(ctx, req)
		if err == nil {
			resp.Latency = time.Duration(s.asked) * 250 * time.Millisecond
		}
		return resp, err
	}
}

// TestGoldenDialogueLoop compares whole conversations through the openai
// adapter with upstream's: each request on the wire, and the line that is
// recorded. Upstream records a failed conversation as an answer; here it is not
// one.
func TestGoldenDialogueLoop(t *testing.T) {
	data := load(t)
	rows, requests, lines, failed := 0, 0, 0, 0
	files := snapshots{}
	library := classes.With(classes.Services{Embedder: testkit.Embedder{}, Web: pages{}})
	testkit.Rows(t, testkit.GoldenFile(t, "multi_turn", "loop_cases.jsonl"), func(_ int, row *pyval.Dict) {
		id := testkit.Text(row, "id")
		c := data.cases[testkit.Text(row, "case")]
		if !assert.NotNil(t, c, id) {
			return
		}
		rows++
		c = files.begin(t, c, strings.Contains(id, "missing"))
		s := &script{answers: testkit.Field(row, "script").(*pyval.List).Items, reasoning: testkit.Flag(row, "reasoning")}
		settings := eval.SettingsFor(eval.FC)
		if testkit.Text(row, "mode") == "prompting" {
			settings = eval.SettingsFor(eval.Prompt)
		}
		loop := &engine.Loop{
			Library: library, Wording: data.wording, Model: "openai_gpt_oss_120b", Settings: settings,
		}
		resp, err := loop.Run(t.Context(), c, 0, s.adapter(t, data.wording))
		requests += sameRequests(t, id, s.bodies, testkit.Field(row, "requests").(*pyval.List).Items)
		want := testkit.Text(row, "result_line")
		if strings.Contains(want, "Error during inference") {
			failed++
			require.Error(t, err, id)
			return
		}
		require.NoError(t, err, id)
		got, err := record.Line(c.ID, resp, "")
		require.NoError(t, err, id)
		line := strings.TrimSuffix(string(got), "\n")
		if testkit.Flag(row, "exclude_state_log") || testkit.Flag(row, "include_input_log") {
			line, want = offered(t, line, testkit.Flag(row, "exclude_state_log")), offered(t, want, false)
		}
		if sameLine(t, id, line, want) {
			lines++
		}
		files.end(t, c, resp, testkit.Field(row, "files_after"))
	})
	assert.Equal(t, 12, files.compared)
	t.Logf("%d conversations: %d requests equal, %d of %d lines equal, %d failed on the way as upstream's; %d snapshots equal",
		rows, requests, lines, rows-failed, failed, files.compared)
}

// snapshots are what conversations left in memory, by class: the rows of one
// share a folder.
type snapshots struct {
	left     map[string]*pyval.Dict
	compared int
}

// begin restores the memory that the previous conversation left.
func (s *snapshots) begin(t *testing.T, c *eval.Case, empty bool) *eval.Case {
	t.Helper()
	if c.Scene.Scenario == "" {
		return c
	}
	class := c.Scene.Classes[0]
	before := s.left[class]
	if empty || len(c.Needs) == 0 {
		before = nil
	}
	posed, scene := *c, *c.Scene
	scene.Config = pyval.Object(class, memory.Scenario(before))
	posed.Scene = &scene
	return &posed
}

// end keeps the memory that a conversation left, and compares it with
// upstream's file.
func (s *snapshots) end(t *testing.T, c *eval.Case, resp *eval.Response, want pyval.Value) {
	t.Helper()
	left, _ := resp.Talk.Memory.(*pyval.Dict)
	if left == nil || !strings.Contains(c.ID, "prereq") {
		return
	}
	if s.left == nil {
		s.left = map[string]*pyval.Dict{}
	}
	s.left[c.Scene.Classes[0]] = left
	text := testkit.Must(memory.Write(left))(t)
	for name, file := range want.(*pyval.Dict).All() {
		if strings.Contains(pyval.Text(name), c.ID+".json") || strings.Contains(pyval.Text(name), "_final.json") {
			s.compared++
			assert.Equal(t, pyval.Text(file), text, "%s: %s", c.ID, pyval.Text(name))
		}
	}
}

// sameRequests compares requests with upstream's, of which each row states only
// what is new, and counts the equal ones.
func sameRequests(t *testing.T, id string, bodies []*pyval.Dict, want []pyval.Value) (equal int) {
	t.Helper()
	if len(bodies) != len(want) {
		t.Errorf("%s: %d requests, want %d", id, len(bodies), len(want))
		return 0
	}
	said := 0
	tools := "[]"
	for i, body := range bodies {
		messages := provider.Items(body, "messages")
		fresh := pyval.Repr(pyval.NewList(messages[min(said, len(messages)):]...))
		said = len(messages)
		expected := want[i].(*pyval.Dict)
		if names := testkit.Field(expected, "tools"); names != nil && names != pyval.Str("same") {
			tools = pyval.Repr(names)
		}
		others := testkit.Field(expected, "other").(*pyval.Dict)
		same := fresh == pyval.Repr(testkit.Field(expected, "new_messages")) && toolNames(body) == tools
		for key, v := range others.All() {
			same = same && pyval.Equal(provider.Get(body, pyval.Text(key)), v)
		}
		if extra := body.Len() - others.Len() - 1; body.Has("tools") != (extra == 1) || extra > 1 {
			same = false
		}
		if !same {
			t.Errorf("%s: request %d differs: got %.600q with tools %.200q and %d fields, want %.900q", id, i+1, fresh, toolNames(body), body.Len(), pyval.Repr(expected))
			continue
		}
		equal++
	}
	return equal
}

func toolNames(body *pyval.Dict) string {
	names := pyval.NewList()
	for _, tool := range provider.Items(body, "tools") {
		names.Items = append(names.Items, provider.Get(provider.Get(tool, "function"), "name"))
	}
	return pyval.Repr(names)
}

// syntaxText is CPython's own wording of a syntax error in a log, which changes
// between its versions.
var syntaxText = regexp.MustCompile(`("error": ")(?:[^"\\]|\\.)*(?: \(<unknown>, line \d+\)")`)

// offered is a result line without the rows of its log that only upstream has a
// choice about: what each request says, which ours never has, and the states if
// they are left out, which ours always has.
func offered(t *testing.T, line string, stateless bool) string {
	t.Helper()
	v := testkit.Must(pyval.ParseJSON(line))(t)
	log, _ := v.(*pyval.Dict).GetStr("inference_log")
	list := log.(*pyval.List)
	list.Items = slices.DeleteFunc(list.Items, func(turn pyval.Value) bool { return stateless && turn.Kind() == pyval.KindList })
	for _, turn := range list.Items {
		steps, isTurn := turn.(*pyval.Dict)
		if !isTurn {
			continue
		}
		for _, step := range steps.All() {
			if rows, isStep := step.(*pyval.List); isStep {
				rows.Items = slices.DeleteFunc(rows.Items, func(row pyval.Value) bool {
					role, _ := row.(*pyval.Dict).GetStr("role")
					return role == pyval.Str("inference_input")
				})
			}
		}
	}
	text := testkit.Must(pyval.AppendJSON(nil, v, 0))(t)
	return string(text)
}

// sameLine compares result lines. Logs of the input differ where upstream
// prints an object of its own.
func sameLine(t *testing.T, id, got, want string) bool {
	t.Helper()
	if got == want {
		return true
	}
	if got = syntaxText.ReplaceAllString(got, `$1"`); got == syntaxText.ReplaceAllString(want, `$1"`) {
		return true
	}
	want = syntaxText.ReplaceAllString(want, `$1"`)
	a := testkit.Must(pyval.ParseJSON(got))(t)
	b := testkit.Must(pyval.ParseJSON(want))(t)
	if !strings.Contains(want, "namespace(") || !sameValue(a, b) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		from := max(0, at-100)
		t.Errorf("%s: the line differs from byte %d:\n got %.400q\nwant %.400q", id, at, got[from:], want[from:])
		return false
	}
	return true
}

func sameValue(a, b pyval.Value) bool {
	switch b := b.(type) {
	case pyval.Str:
		a, ok := a.(pyval.Str)
		before, _, object := strings.Cut(string(b), "namespace(")
		return ok && (a == b || object && strings.HasPrefix(string(a), before))
	case *pyval.List:
		a, ok := a.(*pyval.List)
		if !ok || len(a.Items) != len(b.Items) {
			return false
		}
		for i := range b.Items {
			if !sameValue(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	case *pyval.Dict:
		a, ok := a.(*pyval.Dict)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for i := range b.Len() {
			ka, va := a.At(i)
			kb, vb := b.At(i)
			if ka != kb || !sameValue(va, vb) {
				return false
			}
		}
		return true
	}
	return pyval.Equal(a, b)
}
