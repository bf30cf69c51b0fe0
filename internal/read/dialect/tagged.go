package dialect

import (
	"regexp"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A jsonCall has a JSON object's name and arguments.
type jsonCall struct{ name, args pyval.Value }

// hermesCalls reads the lines that directly follow a line <tool_call>; several
// such lines in a row count as one. A ' is taken for a ", because the model
// mixes them up.
func hermesCalls(result pyval.Value) (out []jsonCall) {
	marked := false
	for line := range strings.SplitSeq(str(result), "\n") {
		mark := line == "<tool_call>"
		if marked && !mark {
			v := load(strings.ReplaceAll(line, "'", `"`))
			name := member(v, "name")
			out = append(out, jsonCall{name, member(v, "arguments")})
		}
		marked = mark
	}
	return out
}

// member is Python's v[key] for a value that should be a dict.
func member(v pyval.Value, key string) pyval.Value {
	d, ok := v.(*pyval.Dict)
	if !ok {
		pyval.Check(&decode.Error{Class: "TypeError", Msg: "'" + pyval.TypeName(v) + "' object is not a dict"})
	}
	found, ok := d.GetStr(key)
	if !ok {
		pyval.Check(&decode.Error{Class: "KeyError", Msg: pyval.Repr(pyval.Str(key))})
	}
	return found
}

// hermesDecode makes every argument a text for languages in which the checker
// wants source text.
func hermesDecode(result pyval.Value, g Grammar) pyval.Value {
	return pyval.NewList(each(hermesCalls(result), func(c jsonCall) pyval.Value {
		if !g.Source {
			return call(c.name, c.args)
		}
		d := dictOf(c.args, "items")
		texts := pyval.NewDict(d.Len())
		for key, v := range d.All() {
			texts.SetStr(pyval.Text(key), pyval.Str(pyval.Text(v)))
		}
		return call(c.name, texts)
	})...)
}

func hermesExecute(result pyval.Value, _ Grammar) []string {
	return each(hermesCalls(result), jsonText)
}

func jsonText(c jsonCall) string { return pyval.Must(decode.CallText(pyval.Text(c.name), c.args)) }

// glmLines returns the first line and, if there is one, the second as JSON.
func glmLines(result pyval.Value) (name string, args pyval.Value) {
	lines := strings.SplitN(str(result), "\n", 3)
	if len(lines) > 1 {
		args = load(lines[1])
	}
	return lines[0], args
}

func glmDecode(result pyval.Value, _ Grammar) pyval.Value {
	name, args := glmLines(result)
	if args == nil {
		return pyval.NewList(pyval.Str(name))
	}
	return pyval.NewList(call(pyval.Str(name), args))
}

func glmExecute(result pyval.Value, _ Grammar) []string {
	name, args := glmLines(result)
	switch {
	case args == nil && name == "":
		return []string{} // no call texts, as in fc-json
	case args == nil:
		lacks(pyval.Str(name), "items")
	}
	return []string{jsonText(jsonCall{pyval.Str(name), args})}
}

const (
	graniteMark = "<function_call>"
	graniteNone = "no_function"
	graniteText = "No function is called"
)

// granitePieces returns what of makes of the calls between the model's marks,
// and otherwise makes of the text of a piece that has none.
func granitePieces[V any](result pyval.Value, of func(c jsonCall) V, otherwise func(text string) V) []V {
	out := []V{}
	for piece := range strings.SplitSeq(str(result), graniteMark) {
		piece = pyval.Strip(piece)
		v, err := decode.LoadJSON(piece)
		switch {
		case piece == "":
		case err != nil:
			out = append(out, otherwise(piece))
		default:
			d := dictOf(v, "get")
			name, ok := get(d, "name", pyval.Str("")).(pyval.Str)
			if !ok {
				lacks(get(d, "name", nil), "strip")
			}
			if name = pyval.Str(pyval.Strip(string(name))); name == graniteNone {
				out = append(out, otherwise(graniteText))
			} else {
				out = append(out, of(jsonCall{name, get(d, "arguments", pyval.NewDict(0))}))
			}
		}
	}
	return out
}

func graniteDecode(result pyval.Value, _ Grammar) pyval.Value {
	return pyval.NewList(granitePieces(result,
		func(c jsonCall) pyval.Value { return call(c.name, c.args) }, func(text string) pyval.Value { return pyval.Str(text) })...)
}

func graniteExecute(result pyval.Value, _ Grammar) []string {
	return granitePieces(result, jsonText, func(text string) string { return text })
}

// get is Python's d.get(key, fallback).
func get(d *pyval.Dict, key string, fallback pyval.Value) pyval.Value {
	if v, ok := d.GetStr(key); ok {
		return v
	}
	return fallback
}

// Tags are the marks of a call's arguments, one after another.
type tags struct {
	// argument begins one. Its groups are the name and, if the model writes it,
	// the type: "string" or "true" for a text.
	argument func() *regexp.Regexp
	// end ends the call, and stop an argument: with its mark, which is the first
	// group, or without, where a line begins with the next mark.
	end, stop func() *regexp.Regexp
	// exact says that no line breaks of the layout stand around a value.
	exact bool
	// object begins all arguments as one JSON object; nil if none has a mark.
	object func() *regexp.Regexp
}

// tagged returns the tags that patterns describe.
func tagged(argument, close, end string) tags {
	return tags{
		argument: pattern.Of(`^\s*` + argument), end: pattern.Of(`^\s*(?:` + end + `)`),
		stop: pattern.Of(`(` + close + `)|\n\s*(?:` + argument + `|` + end + `)`),
	}
}

// read is the body of calls with these tags. A call without its end may be cut
// off: it is none.
func (t tags) read(text, name string, tools schemas) ([]jsonCall, int, error) {
	name = strings.TrimSpace(unquoted.Replace(name))
	args, at := pyval.NewDict(4), 0
	if v, used, ok := t.whole(text); ok {
		args, at = v, used
	}
	for {
		if m := t.end().FindStringIndex(text[at:]); m != nil {
			return []jsonCall{{pyval.Str(name), args}}, at + m[1], nil
		}
		m := t.argument().FindStringSubmatchIndex(text[at:])
		if m == nil {
			return nil, 0, malformed("an argument, or the call's end", at)
		}
		key := strings.TrimSpace(unquoted.Replace(text[at+m[2] : at+m[3]]))
		said, next, ok := t.value(text[at+m[1]:])
		if !ok {
			return nil, 0, malformed("the end of an argument", at)
		}
		if args.Has(key) {
			return nil, 0, malformed("each argument once", at)
		}
		args.SetStr(key, t.typed(said, text[at:], m, tools.parameter(name, key)))
		at += m[1] + next
	}
}

// unquoted undoes what attributes cannot hold.
var unquoted = strings.NewReplacer("&quot;", `"`, "&lt;", "<", "&gt;", ">", "&amp;", "&")

// whole reads arguments that are one JSON object.
func (t tags) whole(text string) (*pyval.Dict, int, bool) {
	skipped := 0
	if t.object != nil {
		if m := t.object().FindStringIndex(text); m != nil {
			skipped = m[1]
		}
	}
	v, used, err := jsonPrefix(text[skipped:])
	d, ok := v.(*pyval.Dict)
	if err != nil || !ok {
		return nil, 0, false
	}
	return d, skipped + used, true
}

// value returns an argument's text, and where the next mark is. A closing mark
// that no other mark follows is part of the text.
func (t tags) value(text string) (said string, next int, ok bool) {
	for at := 0; ; {
		m := t.stop().FindStringSubmatchIndex(text[at:])
		if m == nil {
			return "", 0, false
		}
		if m[2] < 0 {
			return text[:at+m[0]], at + m[0], true
		}
		if rest := text[at+m[1]:]; t.argument().MatchString(rest) || t.end().MatchString(rest) {
			return text[:at+m[0]], at + m[1], true
		}
		at += m[1]
	}
}

// typed returns an argument's value. One line break at each edge belongs to the
// marks, unless the family writes none or the model says that it is a text.
func (t tags) typed(said, head string, m []int, of schema) pyval.Value {
	kind := ""
	if len(m) > 4 && m[4] >= 0 {
		kind = head[m[4]:m[5]]
	}
	if kind == "string" || kind == "true" {
		return pyval.Str(said)
	}
	if inner, ok := strings.CutPrefix(strings.TrimSpace(said), "<![CDATA["); ok {
		if text, ok := strings.CutSuffix(inner, "]]>"); ok {
			return value(text, of)
		}
	}
	if !t.exact {
		said = strings.TrimSuffix(strings.TrimPrefix(said, "\n"), "\n")
	}
	if kind != "" {
		of = nil
	}
	return value(said, of)
}
