package read_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// sections are texts whose calls say more than a dialect's example does: what
// stands between the first mark and the last is calls and nothing else.
var sections = map[string][]string{
	"tool-call":     {`<tool_call>{"name": "f", "arguments": {"a": "x", "b": [1, {"c": null}]}}</tool_call>`, `<TOOLCALL>[{"name": "f", "arguments": {}}, {"name": "g", "arguments": "{\"a\": 1}"}]</TOOLCALL>`},
	"function":      {"<tool_call>\n<function=f>\n<parameter=a>\nx y\n</parameter>\n<parameter=b>\n[1, 2]\n</parameter>\n</function>\n</tool_call>"},
	"seed":          {"<seed:tool_call>\n<function=f>\n<parameter=a>x</parameter>\n<parameter=b>2</parameter>\n</function>\n</seed:tool_call>"},
	"glm-4.5":       {"<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n<arg_key>b</arg_key>\n<arg_value>2</arg_value>\n</tool_call>"},
	"minimax-m2":    {"<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"a\">x</parameter>\n<parameter name=\"b\">2</parameter>\n</invoke>\n</minimax:tool_call>"},
	"gemma-4":       {`<|tool_call>call:f{a:1,b:<|"|>x, y<|"|>,c:["d",'e'],"g":{h:true}}<tool_call|>`},
	"lfm2":          {`<|tool_call_start|>[f(a=1, b="x", c=[1, {"d": None}]), g()]<|tool_call_end|>`},
	"olmo-3":        {"<function_calls>f(a=1, b=\"x\", c=[null])\ng()</function_calls>"},
	"harmony":       {`<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1, "b": ["x"]}<|call|>`},
	"mistral-v11":   {`[TOOL_CALLS]f[ARGS]{"a": 1, "b": ["x"]}`, `[TOOL_CALLS][{"name": "f", "arguments": {"a": 1}}]`},
	"deepseek-v3.1": {"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\": {\"b\": \"x\"}}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"},
	"apertus":       {`<|tools_prefix|>[{"f": {"a": 1}}, {"g": {"b": "x"}}]<|tools_suffix|>`},
	"cohere-2":      {`<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "f", "parameters": {"a": 1}}, {"tool_call_id": "1", "tool_name": "g", "parameters": {}}]<|END_ACTION|>`},
}

// meta is what identifies a call or says how its arguments are written, marks, and
// what is outside all of them.
var meta = regexp.MustCompile(`^<(?:tool_calls?|TOOLCALL)>|^(?:<\|start\|>assistant)?(?:<\|channel\|>commentary)? to=[^{]*<\|message\|>|` +
	`</(?:\w+:)?(?:tool_calls?|function_calls|TOOLCALL)>|^</mm:think>(?:\]<\]minimax\[>\[<tool_call>)?|<tool_call\|>|<\|close\|>tools<\|sep\|>|<\|tool_call:begin\|>c1<\|tool_call:name\|>|` +
	`"tool_call_id": "\d",|index="\d"|type="\w+"|<\|eot\|>$|<\|message_sep\|>\s*function call|<｜[^<>]*>|</｜[^<>]*>|<\|[^<>]*>`)

// suffix is what the marks of some families may end with.
var suffix = regexp.MustCompile(`^:\w+(?:>|$)`)

// junk is what is put into a text. It has a word of its own, unless it is only a
// mark.
var junk = []string{"zq7x", " zq7x ", ",zq7x=1", ",\"zq7x\":1", ", zq7x=\"y\"", "{\"zq7x\": 1}", "(zq7x)", "\nzq7x\n", "'zq7x'", "\"zq7x", "<zq7x>", "=zq7x", ":zq7x,", "[zq7x]", "zq7x(a=1)", "<parameter=zq7x>", "}zq7x", "]zq7x", "!=\"zq7x\""}

// accounted reports whether what a dialect makes of a text with junk in it, at a
// place between its marks, is an error or has the junk in it.
func accounted(d *dialect.Dialect, text string) (string, bool) {
	r, err := d.Read(text, nil, nil)
	if err != nil {
		return "", true
	}
	kept := shown(r.Kept) + pyval.Repr(r.Message)
	return kept, strings.Contains(kept, "zq7x")
}

// places returns the places in a section behind which a call has begun and is not
// over.
func places(text string) []int {
	var out []int
	skip := meta.FindAllStringIndex(text, -1)
	for i := range text {
		if i > 0 && !slices.ContainsFunc(skip, func(m []int) bool { return m[0] < i && i < m[1] || m[0] == i && text[i:] == "<|eot|>" }) {
			out = append(out, i)
		}
	}
	return out
}

// sectionsOf returns a dialect's example and its sections, from the first mark on.
func sectionsOf(d *dialect.Dialect) []string {
	example := d.Example()
	if at := strings.LastIndex(example, "Hm."); at >= 0 {
		rest := example[at+3:]
		if end := strings.IndexAny(rest, ">]"); end >= 0 {
			rest = rest[end+1:]
		}
		example = rest
	}
	return append([]string{strings.TrimSpace(example)}, sections[d.Name]...)
}

// TestNothingIsDropped puts each junk at each place of each section.
func TestNothingIsDropped(t *testing.T) {
	tried, lost := 0, 0
	for _, d := range dialect.All() {
		if d.Example() == "" {
			continue
		}
		for _, text := range sectionsOf(d) {
			for _, at := range places(text) {
				for _, j := range junk {
					tried++
					if kept, ok := accounted(d, text[:at]+j+text[at:]); !ok {
						lost++
						if lost < 30 {
							t.Errorf("%s: %q gives %s", d.Name, text[:at]+j+text[at:], kept)
						}
					}
				}
			}
		}
	}
	t.Logf("%d texts with junk between their marks; %d lose it", tried, lost)
}

// FuzzNothingIsDropped puts text into sections, also several pieces, and holds that
// none of it is lost.
func FuzzNothingIsDropped(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed, junk[seed%uint64(len(junk))])
	}
	var wires []*dialect.Dialect
	for _, d := range dialect.All() {
		if d.Example() != "" {
			wires = append(wires, d)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, piece string) {
		if strings.Count(piece, "zq7x") != 1 || strings.ContainsAny(piece, "#<|\\") || suffix.MatchString(piece) { // a comment, a mark or its suffix, an escape
			return
		}
		r := rand.New(rand.NewPCG(seed, 1))
		d := wires[r.IntN(len(wires))]
		all := sectionsOf(d)
		text := all[r.IntN(len(all))]
		at := places(text)
		i := at[r.IntN(len(at))]
		if kept, ok := accounted(d, text[:i]+piece+text[i:]); !ok {
			t.Errorf("%s: %q gives %s", d.Name, text[:i]+piece+text[i:], kept)
		}
	})
}
