package pose_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func starterPrompts(t testing.TB) []byte {
	t.Helper()
	return testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "fixtures", "starter", "prompts.json")))(t)
}

func starterWording(t testing.TB) *prompt.Wording {
	t.Helper()
	return testkit.Must(prompt.Load(starterPrompts(t)))(t)
}

func parse(t testing.TB, src string) *pyval.Dict {
	t.Helper()
	v, err := pyval.ParseJSON(src)
	require.NoError(t, err, src)
	return v.(*pyval.Dict)
}

// same compares two texts of many lines.
func same(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

const ferry = `{"name":"ferry.book","description":"Books a ferry.","parameters":{"type":"dict","properties":{
	"route":{"type":"string","description":"From, to.","enum":["a-b","b-a"]},
	"cars":{"type":"array","items":{"type":"dict"},"default":[1,"x"]},
	"who":{"type":"dict","properties":{"name":{"type":"string"},"age":{"type":"number"}},"required":["name"]},
	"extra":{"type":"object","additionalProperties":{"type":"integer"}},
	"odd":{"type":"float","additionalProperties":false}},"required":["route"]}}`

const bell = `{"name":"bell","parameters":{}}`

func TestPromptDocsPython(t *testing.T) {
	got := testkit.Must(starterWording(t).Docs([]*pyval.Dict{parse(t, ferry), parse(t, bell)}, prompt.DocPython))(t)
	same(t, `# Function: ferry.book
    """
    Books a ferry.

    Args:
        route (str): From, to. (One of ['a-b', 'b-a'].)
        cars (list[dict], default=[1, 'x']): 
        who (dict): 
            name (str): 
            age (float): 
        extra (dict[str, int]): 
        odd (float): 
    """





# Function: bell
    """
    

    """



`, got)
}

func TestPromptDocsXML(t *testing.T) {
	got := testkit.Must(starterWording(t).Docs([]*pyval.Dict{parse(t, ferry), parse(t, bell)}, prompt.DocXML))(t)
	same(t, `<function name="ferry.book">
  <desc>Books a ferry.</desc>
  <params>
    <param name="route" type="string" required="true">
      <desc>From, to. (One of ['a-b', 'b-a'].)</desc>
    </param>
    <param name="cars" type="array[dict]" required="false" default="[1 'x']">
      <desc></desc>
    </param>
    <param name="who" type="dict" required="false">
      <desc></desc>
      <params>
        <param name="name" type="string" required="true">
          <desc></desc>
        </param>
        <param name="age" type="number" required="false">
          <desc></desc>
        </param>
      </params>
    </param>
    <param name="extra" type="object[integer]" required="false">
      <desc></desc>
    </param>
    <param name="odd" type="float" required="false">
      <desc></desc>
    </param>
  </params>
</function>

<function name="bell">
  <desc></desc>
  <params>
  </params>
</function>
`, got)
}

func TestPromptDocsJSON(t *testing.T) {
	got := testkit.Must(starterWording(t).Docs([]*pyval.Dict{parse(t, `{"name":"é","parameters":{}}`)}, prompt.DocJSON))(t)
	same(t, "[\n    {\n        \"name\": \"\\u00e9\",\n        \"parameters\": {}\n    }\n]", got)
}

func TestPromptDocsErrors(t *testing.T) {
	w := starterWording(t)
	for _, format := range []prompt.DocFormat{prompt.DocPython, prompt.DocXML} {
		for _, c := range []struct{ src, want string }{
			{`{"parameters":{}}`, `function document "": KeyError: 'name'`},
			{`{"name":"f"}`, `function document "f": KeyError: 'parameters'`},
			{`{"name":"f","parameters":5}`, `function document "f": TypeError: parameters must be dict, not int`},
			{`{"name":"f","parameters":{"properties":{"p":5}}}`, `function document "f": AttributeError: parameter 'p' must be dict, not int`},
		} {
			assert.EqualError(t, testkit.Err(w.Docs([]*pyval.Dict{parse(t, c.src)}, format)), c.want)
		}
	}
	testkit.Fails(w.Docs(nil, "clay"))(t, `unknown document format "clay"`)
}

func TestPromptSystem(t *testing.T) {
	w := starterWording(t)
	docs := []*pyval.Dict{parse(t, ferry)}
	seen := map[string]bool{}
	for _, c := range prompt.Configs() {
		got := testkit.Must(w.System(c, docs))(t)
		assert.Contains(t, got, "ferry.book", c)
		assert.Equal(t, c.Tag, strings.Contains(got, "<TOOLCALL>"), c)
		assert.NotContains(t, got, "{output_format}")
		assert.NotContains(t, got, "{functions}")
		assert.Equal(t, c.Return == prompt.ReturnConciseXML || c.Return == prompt.ReturnVerboseXML, strings.Contains(got, "boolean, array"), c)
		seen[got] = true
	}
	assert.Len(t, seen, 26, "every configuration has a prompt of its own")
	assert.ErrorContains(t, testkit.Err(w.System(prompt.Config{}, docs)), "unknown prompt configuration")
}

func TestPromptWithSystem(t *testing.T) {
	user := eval.Message{Role: "user", Content: "hi"}
	for _, c := range []struct{ turn, want []eval.Message }{
		{nil, []eval.Message{{Role: "system", Content: "S"}}},
		{[]eval.Message{user}, []eval.Message{{Role: "system", Content: "S"}, user}},
		{[]eval.Message{{Role: "system", Content: "own"}, user}, []eval.Message{{Role: "system", Content: "S\n\nown"}, user}},
		{[]eval.Message{user, {Role: "system", Content: "own"}}, []eval.Message{{Role: "system", Content: "S"}, user, {Role: "system", Content: "own"}}},
	} {
		before := append([]eval.Message(nil), c.turn...)
		assert.Equal(t, c.want, prompt.WithSystem("S", c.turn))
		assert.Equal(t, before, c.turn, "the turn was changed")
	}
}

func TestPromptLoad(t *testing.T) {
	starter := string(starterPrompts(t))
	for _, c := range []struct{ src, want string }{
		{`{"parameter_hint":`, "prompts.json: line 1"},
		{strings.Replace(starter, `"task"`, `"tsk"`, 1), "default_prompts.PROMPT_STYLE_TEMPLATES.classic.task is missing"},
		{strings.Replace(starter, `"markdown"`, `"html"`, 1), "default_prompts.PROMPT_TEMPLATE_MAPPING.markdown is missing"},
		{strings.Replace(starter, `{output_format}`, `{outputformat}`, 1), "classic.tool_call_no_tag: unknown field {outputformat}"},
		{strings.Replace(starter, `{functions}`, `{functions`, 1), "classic.available_tools: single '{' in template"},
		{strings.Replace(starter, `"enum"`, `"en"`, 1), "tool_schema_text.enum is missing"},
	} {
		testkit.Fails(prompt.Load([]byte(c.src)))(t, c.want)
	}
}

// TestPromptLoadNeedsEverything takes the texts out one by one: each must be missed,
// by name.
func TestPromptLoadNeedsEverything(t *testing.T) {
	n := 0
	eachText(parse(t, string(starterPrompts(t))), "", func(root, parent *pyval.Dict, key, path string) {
		if strings.HasPrefix(path, "default_prompts.MEMORY_AGENT_SETTINGS.") {
			return // scenarios are the dataset's own
		}
		n++
		removed, _ := parent.GetStr(key)
		parent.Delete(pyval.Str(key))
		data := testkit.Must(pyval.JSON(root, 0))(t)
		assert.EqualError(t, testkit.Err(prompt.Load([]byte(data))), "prompts.json: "+path+" is missing")
		parent.SetStr(key, removed)
	})
	assert.Greater(t, n, 50)
}

func eachText(root *pyval.Dict, prefix string, f func(root, parent *pyval.Dict, key, path string)) {
	var walk func(d *pyval.Dict, prefix string)
	walk = func(d *pyval.Dict, prefix string) {
		for _, k := range d.Keys() {
			key := pyval.Text(k)
			v, _ := d.GetStr(key)
			if sub, ok := v.(*pyval.Dict); ok {
				walk(sub, prefix+key+".")
				continue
			}
			f(root, d, key, prefix+key)
		}
	}
	walk(root, prefix)
}

func TestPromptTalk(t *testing.T) {
	w := starterWording(t)
	docs := []*pyval.Dict{parse(t, `{"name":"bell","strict":true}`)}
	assert.Contains(t, w.MoreFunctions(docs, false), "[{'name': 'bell', 'strict': True}]")
	assert.NotContains(t, w.MoreFunctions(docs, true), "bell")
	assert.Contains(t, w.AgenticAnswer(), "'answer'")
	for _, c := range []struct{ backend, scenario, content, want string }{
		{"memory_kv", "allotment", "{x}", "holds:\n{x}\n"},
		{"memory_vector", "allotment", "", "core memory holds:\n(nothing yet)\n"},
		{"memory_rec_sum", "luthier", "notes", "Your memory holds:\nnotes\n"},
	} {
		got := testkit.Must(w.Memory(c.backend, c.scenario, c.content))(t)
		assert.Contains(t, got, c.want)
	}
	testkit.Fails(w.Memory("memory_kv", "pirate", ""))(t, `unknown memory scenario "pirate"`)
	testkit.Fails(w.Memory("memory_tape", "allotment", ""))(t, `unknown memory backend "memory_tape"`)
}

func TestPromptPose(t *testing.T) {
	w := starterWording(t)
	c := &eval.Case{ID: "simple_java_0", Category: "simple_java", Language: eval.Java, Turns: [][]eval.Message{{{Role: "user", Content: "Ring."}}},
		Tools: []*pyval.Dict{parse(t, `{"name":"a.b","description":"D","parameters":{"properties":{"p":{"type":"long","description":"d"}}}}`)}}
	got := testkit.Must(w.Pose(c))(t)
	require.Len(t, got, 2)
	assert.Contains(t, got[0].Content, "Java source")
	assert.Contains(t, got[0].Content, "of type long")
	assert.Contains(t, got[0].Content, "a.b")
	assert.Equal(t, "Ring.", got[1].Content)

	c.ID = "format_sensitivity_0:nonsense:simple_java_0"
	testkit.Fails(w.Pose(c))(t, "prompt configuration")
	c.ID, c.Tools[0] = "simple_java_0", parse(t, `{"name":"f"}`)
	_, err := w.Pose(c)
	assert.EqualError(t, err, `case "simple_java_0": function document "f": KeyError: 'description'`)
	var doc *tool.DocError
	assert.ErrorAs(t, err, &doc)
}

func FuzzPromptDocs(f *testing.F) {
	for _, seed := range []string{ferry, bell, `{"name":{},"parameters":{"properties":{"p":{"enum":5,"items":{},"required":"x"}}}}`} {
		f.Add(seed)
	}
	w := starterWording(f)
	f.Fuzz(func(t *testing.T, src string) {
		v, err := pyval.ParseJSON(src)
		doc, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return
		}
		for _, format := range []prompt.DocFormat{prompt.DocPython, prompt.DocXML, prompt.DocJSON} {
			_, _ = w.Docs([]*pyval.Dict{doc}, format)
		}
	})
}

// FuzzPromptLoad reads prompts.json of a stranger's dataset.
func FuzzPromptLoad(f *testing.F) {
	own := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(f), "fixtures", "starter", "prompts.json")))(f)
	f.Add(own)
	f.Add([]byte(`{"prompts": {}, "tools": []}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := prompt.Load(data)
		if (w == nil) == (err == nil) {
			t.Fatalf("neither wording nor error, or both: %v", err)
		}
		if err == nil {
			_, _ = w.AgenticAnswer(), w.Scenarios()
		}
	})
}
