package dialect

import (
	"regexp"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
