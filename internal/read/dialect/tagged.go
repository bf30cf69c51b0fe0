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
func hermesCalls(result pyval.Value) ([]jsonCall, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	var out []jsonCall
	marked := false
	for line := range strings.SplitSeq(s, "\n") {
		mark := line == "<tool_call>"
		if marked && !mark {
			c, err := hermesCall(line)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
		marked = mark
	}
	return out, nil
}

func hermesCall(line string) (c jsonCall, err error) {
	v, err := decode.LoadJSON(strings.ReplaceAll(line, "'", `"`))
	if err != nil {
		return c, err
	}
	if c.name, err = member(v, "name"); err == nil {
		c.args, err = member(v, "arguments")
	}
	return c, err
}

// member is Python's v[key] for a value that should be a dict.
func member(v pyval.Value, key string) (pyval.Value, error) {
	d, ok := v.(*pyval.Dict)
	if !ok {
		return nil, &decode.Error{Class: "TypeError", Msg: "'" + pyval.TypeName(v) + "' object is not a dict"}
	}
	found, ok := d.GetStr(key)
	if !ok {
		return nil, &decode.Error{Class: "KeyError", Msg: pyval.Repr(pyval.Str(key))}
	}
	return found, nil
}

func hermesDecode(result pyval.Value, g Grammar) (pyval.Value, error) {
	found, err := hermesCalls(result)
	if err != nil {
		return nil, err
	}
	out := &pyval.List{}
	for _, c := range found {
		if g.Source {
			if c.args, err = sources(c.args); err != nil {
				return nil, err
			}
		}
		d, err := call(c.name, c.args)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, d)
	}
	return out, nil
}

// sources makes every argument a text, for languages in which the checker wants
// source text.
func sources(args pyval.Value) (pyval.Value, error) {
	d, ok := args.(*pyval.Dict)
	if !ok {
		return nil, decode.NoAttribute(args, "items")
	}
	out := pyval.NewDict(d.Len())
	for key, v := range d.All() {
		out.SetStr(pyval.Text(key), pyval.Str(pyval.Text(v)))
	}
	return out, nil
}

func hermesExecute(result pyval.Value, _ Grammar) ([]string, error) {
	found, err := hermesCalls(result)
	if err != nil {
		return nil, err
	}
	return jsonTexts(found)
}

func jsonTexts(calls []jsonCall) ([]string, error) {
	out := []string{}
	for _, c := range calls {
		s, err := decode.CallText(pyval.Text(c.name), c.args)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// glmLines returns the first line and, if there is one, the second as JSON.
func glmLines(result pyval.Value) (name string, args pyval.Value, err error) {
	s, err := str(result)
	if err != nil {
		return "", nil, err
	}
	lines := strings.SplitN(s, "\n", 3)
	if len(lines) > 1 {
		args, err = decode.LoadJSON(lines[1])
	}
	return lines[0], args, err
}

func glmDecode(result pyval.Value, _ Grammar) (pyval.Value, error) {
	name, args, err := glmLines(result)
	if err != nil {
		return nil, err
	}
	if args == nil {
		return pyval.NewList(pyval.Str(name)), nil
	}
	d, err := call(pyval.Str(name), args)
	if err != nil {
		return nil, err
	}
	return pyval.NewList(d), nil
}

func glmExecute(result pyval.Value, _ Grammar) ([]string, error) {
	name, args, err := glmLines(result)
	switch {
	case err != nil:
		return nil, err
	case args == nil && name == "":
		return []string{}, nil // no call texts, as in fc-json
	case args == nil:
		return nil, decode.NoAttribute(pyval.Str(name), "items")
	}
	return jsonTexts([]jsonCall{{pyval.Str(name), args}})
}

const (
	graniteMark = "<function_call>"
	graniteNone = "no_function"
	graniteText = "No function is called"
)

// granitePieces calls each for the pieces between the model's marks: with a
// jsonCall, or with the text of a piece that has none.
func granitePieces(result pyval.Value, each func(c *jsonCall, text string) error) error {
	s, err := str(result)
	if err != nil {
		return err
	}
	for piece := range strings.SplitSeq(s, graniteMark) {
		if piece = pyval.Strip(piece); piece == "" {
			continue
		}
		c, text, err := granitePiece(piece)
		if err != nil {
			return err
		}
		if err := each(c, text); err != nil {
			return err
		}
	}
	return nil
}

func granitePiece(piece string) (*jsonCall, string, error) {
	v, err := decode.LoadJSON(piece)
	if err != nil {
		return nil, piece, nil
	}
	d, ok := v.(*pyval.Dict)
	if !ok {
		return nil, "", decode.NoAttribute(v, "get")
	}
	name, ok := get(d, "name", pyval.Str("")).(pyval.Str)
	if !ok {
		return nil, "", decode.NoAttribute(get(d, "name", nil), "strip")
	}
	name = pyval.Str(pyval.Strip(string(name)))
	if name == graniteNone {
		return nil, graniteText, nil
	}
	return &jsonCall{name, get(d, "arguments", pyval.NewDict(0))}, "", nil
}

// get is Python's d.get(key, fallback).
func get(d *pyval.Dict, key string, fallback pyval.Value) pyval.Value {
	if v, ok := d.GetStr(key); ok {
		return v
	}
	return fallback
}

func graniteDecode(result pyval.Value, _ Grammar) (pyval.Value, error) {
	out := &pyval.List{}
	err := granitePieces(result, func(c *jsonCall, text string) error {
		if c == nil {
			out.Items = append(out.Items, pyval.Str(text))
			return nil
		}
		d, err := call(c.name, c.args)
		out.Items = append(out.Items, d)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func graniteExecute(result pyval.Value, _ Grammar) ([]string, error) {
	out := []string{}
	err := granitePieces(result, func(c *jsonCall, text string) (err error) {
		if c != nil {
			text, err = decode.CallText(pyval.Text(c.name), c.args)
		}
		out = append(out, text)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
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
