package why

import (
	"html"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// Observe looks at an answer to a case. A conversation's answer is looked at step
// by step. fields says that the server was to find the calls.
func Observe(c *eval.Case, result pyval.Value, reasoning string, fields bool) *eval.Trace {
	o := &observer{tools: map[string]*pyval.Dict{}, fields: fields, trace: &eval.Trace{Places: make([]uint8, len(habits)), Shown: make([]uint8, len(habits))}}
	for _, t := range c.Tools {
		o.offer(t)
	}
	if c.Scene != nil {
		for _, more := range c.Scene.HeldOut {
			for _, t := range more {
				o.offer(t)
			}
		}
	}
	for _, turn := range c.Turns {
		for _, m := range turn {
			o.asked += m.Content + "\n"
		}
	}
	if turns, ok := result.(*pyval.List); ok && len(c.Turns) > 1 {
		for _, turn := range turns.Items {
			if steps, ok := turn.(*pyval.List); ok {
				for _, step := range steps.Items {
					o.answer(Read(step))
				}
			}
		}
		return o.trace
	}
	a := Read(result)
	a.Reasoning = reasoning
	o.answer(a)
	return o.trace
}

type observer struct {
	tools  map[string]*pyval.Dict // by name as models see it
	asked  string
	fields bool
	trace  *eval.Trace
}

func (o *observer) offer(tool *pyval.Dict) {
	name, _ := tool.Text("name")
	o.tools[undotted(name)] = tool
}

func undotted(name string) string { return strings.ReplaceAll(name, ".", "_") }

func (o *observer) sign(kind string) {
	if !slices.Contains(o.trace.Signs, kind) {
		o.trace.Signs = append(o.trace.Signs, kind)
	}
}

// shows counts a place where a habit can show.
func (o *observer) shows(h habit, yes bool) {
	if o.trace.Places[h] == math.MaxUint8 {
		return // an answer says no more than it has said
	}
	o.trace.Places[h]++
	if yes {
		o.trace.Shown[h]++
	}
}

func (o *observer) answer(a Answer) {
	if len(a.Calls) == 0 {
		o.unread(a)
		return
	}
	o.trace.Valid = (o.trace.Valid || !o.trace.Called) && !slices.ContainsFunc(a.Calls, func(c Call) bool { return !valid(o.tools[undotted(c.Name)], c.Args) })
	o.trace.Called = true
	o.shows(doubled, len(a.Calls)%2 == 0 && (slices.EqualFunc(every(a.Calls, 2, 0), every(a.Calls, 2, 1), Call.same) ||
		slices.EqualFunc(a.Calls[:len(a.Calls)/2], a.Calls[len(a.Calls)/2:], Call.same)))
	for _, c := range a.Calls {
		tool := o.name(c.Name)
		o.raw(c, tool)
		if c.Args == nil {
			continue
		}
		if tool != nil {
			o.against(tool.Child("parameters"), c.Args)
		}
		leaf(c.Args, func(v pyval.Value) bool { o.text(v); return false })
	}
}

// unread looks for calls where they do not belong.
func (o *observer) unread(a Answer) {
	if !o.fields {
		return
	}
	for name := range o.tools {
		if calledDamage(a.Reasoning, name) && strings.TrimSpace(a.Text) == "" {
			o.sign("calls arrive in the reasoning")
		}
		if calledDamage(a.Text, name) {
			o.sign("calls stay in the text")
		}
	}
}

var heads = regexp.MustCompile(`<tool_calls?>|<TOOLCALL>|<function=|<invoke name=|<\|tool_call|\[TOOL_CALLS\]|<｜tool|to=functions\.|"(?:arguments|parameters)"\s*:\s*\{|<\|python_tag\|>|<arg_key>|<\|START_ACTION\|>`)

// called reports whether a text has the marks of a call and a function's name.
func calledDamage(text, name string) bool {
	return text != "" && heads.MatchString(text) && strings.Contains(undotted(text), name)
}

var numberedName = regexp.MustCompile(`^(.+?)[:.]\d+$`)

// name returns the tool that a call names. A name that no tool has may be a
// tool's with something that models do not write.
func (o *observer) name(name string) *pyval.Dict {
	shown := undotted(name)
	if tool := o.tools[shown]; tool != nil {
		o.caseOf(name, tool)
		return tool
	}
	if mark := Mark(name); mark != "" {
		before, _, _ := strings.Cut(name, mark)
		o.sign("control tokens at names: " + say.Plain(name[len(before):], 40))
		return o.tools[undotted(before)]
	}
	if bare, ok := strings.CutPrefix(name, "functions."); ok && o.tools[undotted(bare)] != nil {
		o.sign("the name is preceded by `functions.`")
		return o.tools[undotted(bare)]
	}
	if m := numberedName.FindStringSubmatch(name); m != nil && o.tools[undotted(m[1])] != nil {
		o.sign("the name is followed by its number")
		return o.tools[undotted(m[1])]
	}
	const whole = 8
	for full, tool := range o.tools {
		switch {
		case strings.EqualFold(full, shown):
			o.caseOf(name, tool)
			return tool
		case len(shown) >= whole && strings.HasPrefix(full, shown) && isWord(rune(full[len(shown)])) && isWord(rune(shown[len(shown)-1])):
			o.sign("names are cut")
			return tool
		}
	}
	return nil
}

// caseOf counts whether a name with capitals arrives without them.
func (o *observer) caseOf(name string, tool *pyval.Dict) {
	if own, _ := tool.Text("name"); own != strings.ToLower(own) {
		o.shows(lowNames, name == strings.ToLower(name))
	}
}

// raw looks at how arguments are written.
func (o *observer) raw(c Call, tool *pyval.Dict) {
	if tool != nil && len(required(tool.Child("parameters"))) > 0 {
		o.shows(noArguments, c.empty() || strings.TrimSpace(c.Raw) == "" || c.Raw == "null")
	}
	v, err := pyval.ParseJSON(c.Raw)
	o.shows(broken, err != nil)
	if text, ok := v.(pyval.Str); ok {
		if inner, err := pyval.ParseJSON(string(text)); err == nil && container(inner) {
			o.sign("arguments are encoded twice")
		}
	}
	if err != nil && Mark(c.Raw) != "" {
		o.sign("control tokens in arguments: " + Mark(c.Raw))
	}
}

func required(schema *pyval.Dict) (out []string) {
	if schema == nil {
		return nil
	}
	for _, v := range schema.List("required") {
		out = append(out, pyval.Text(v))
	}
	return out
}

// against compares arguments, or an object in them, with their schema.
func (o *observer) against(schema, args *pyval.Dict) {
	if schema == nil || schema.Child("properties") == nil {
		return
	}
	needed := required(schema)
	for k, p := range schema.Child("properties").All() {
		name := pyval.Text(k)
		doc, _ := p.(*pyval.Dict)
		v, given := args.GetStr(name)
		if !given {
			v, given = o.lowKey(name, args)
		} else if name != strings.ToLower(name) {
			o.shows(lowKeys, false)
		}
		if doc == nil {
			continue
		}
		if !slices.Contains(needed, name) {
			if !given || v == pyval.None {
				o.shows(nulls, given)
			}
			if d, ok := doc.GetStr("default"); ok && d != pyval.None {
				o.shows(defaults, given && Same(d, v))
			}
		}
		if given {
			o.typed(doc, v)
		}
	}
}

func (o *observer) lowKey(name string, args *pyval.Dict) (pyval.Value, bool) {
	low := strings.ToLower(name)
	if v, ok := args.GetStr(low); ok && low != name {
		o.shows(lowKeys, true)
		return v, true
	}
	return nil, false
}

// typed compares a value with the type that its document states.
func (o *observer) typed(doc *pyval.Dict, v pyval.Value) {
	kind, _ := doc.Text("type")
	text, isText := v.(pyval.Str)
	switch kind {
	case "boolean":
		if text == "true" || text == "false" {
			o.shows(textNumbers, true)
		}
	case "integer", "float", "number":
		plain := isText && digits(string(text))
		if plain || isNumber(v) {
			o.shows(textNumbers, plain)
		}
		if kind == "integer" && isNumber(v) {
			_, float := v.(pyval.Float)
			o.shows(floats, float)
		}
	case "string":
		if isNumber(v) || isText && digits(string(text)) {
			o.shows(numberTexts, isNumber(v))
		}
	case "dict", "object":
		object, isObject := v.(*pyval.Dict)
		if isObject || isText {
			o.shows(textObjects, isText)
		}
		if isObject && len(required(doc)) > 0 {
			o.shows(emptyObjects, object.Len() == 0)
		}
		if isObject {
			o.against(doc, object)
		}
	case "array", "tuple":
		if list, ok := v.(*pyval.List); ok || isText {
			o.shows(textObjects, isText)
			if items := doc.Child("items"); ok && items != nil {
				for _, item := range list.Items {
					o.typed(items, item)
				}
			}
		}
	}
}

// text looks at a text in arguments: for control tokens, and for what the
// question has in another form.
func (o *observer) text(v pyval.Value) {
	s, ok := v.(pyval.Str)
	text := string(s)
	if !ok || text == "" {
		return
	}
	if strings.Contains(o.asked, text) {
		return
	}
	if mark := Mark(text); mark != "" && !strings.Contains(o.asked, mark) {
		o.sign("control tokens in texts: " + mark)
	}
	if strings.ContainsRune(text, '\uFFFD') {
		o.sign("characters are replaced by U+FFFD")
	}
	if plain := html.UnescapeString(text); plain != text && strings.Contains(o.asked, plain) {
		o.sign("texts are escaped for HTML")
	}
	if plain := unquoted(text); plain != "" && plain != text && strings.Contains(o.asked, plain) {
		o.sign("texts are escaped twice")
	}
	const word = 4
	if len(text) >= word && text != strings.ToUpper(text) {
		if at := strings.Index(strings.ToLower(o.asked), strings.ToLower(text)); at >= 0 && at+len(text) <= len(o.asked) {
			if was := o.asked[at : at+len(text)]; was != strings.ToLower(was) {
				o.shows(lowTexts, text == strings.ToLower(text))
			}
		}
	}
}

// valid reports whether a function's schema allows arguments: the function is
// known, what is required is there, and what is there is known and of its type.
func valid(tool, args *pyval.Dict) bool {
	if tool == nil || args == nil {
		return false
	}
	schema := tool.Child("parameters")
	if schema == nil || schema.Child("properties") == nil {
		return true
	}
	if slices.ContainsFunc(required(schema), func(name string) bool { return !args.Has(name) }) {
		return false
	}
	for k, v := range args.All() {
		doc := schema.Child("properties").Child(pyval.Text(k))
		if doc == nil || !ofType(doc, v) {
			return false
		}
	}
	return true
}

// types are the types of values by the names that documents give them.
var types = map[string][]string{
	"string": {"str"}, "integer": {"int"}, "float": {"int", "float"}, "number": {"int", "float"}, "boolean": {"bool"},
	"array": {"list"}, "tuple": {"list"}, "dict": {"dict"}, "object": {"dict"},
}

func ofType(doc *pyval.Dict, v pyval.Value) bool {
	kind, _ := doc.Text("type")
	if names := types[kind]; names != nil && !slices.Contains(names, pyval.TypeName(v)) {
		return false
	}
	choices := doc.List("enum")
	return len(choices) == 0 || container(v) || slices.ContainsFunc(choices, func(c pyval.Value) bool { return pyval.Equal(c, v) })
}
