package dialect

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// llamaCalls reads Llama 3.1's own form: if there is a ";" anywhere, JSON
// objects separated by it; otherwise one Python literal, which is an object or
// a list.
func llamaCalls(result pyval.Value) pyval.Value {
	s := strings.ReplaceAll(str(result), "<|python_tag|>", "")
	if strings.Contains(s, ";") {
		return namedCalls(each(strings.Split(s, ";"), load), "parameters")
	}
	v := literal(s)
	if v.Kind() == pyval.KindDict {
		v = pyval.NewList(v)
	}
	return namedCalls(iterate(v), "parameters")
}

// literal evaluates a Python expression of literals and operators; upstream
// evaluates whatever the model wrote. The only functions are conversions, with
// which models put numbers into texts.
func literal(text string) pyval.Value {
	if strings.ContainsRune(text, 0) {
		pyval.Check(&decode.Error{Class: "SyntaxError", Msg: "source code string cannot contain null bytes"})
	}
	v, err := pycall.Run(text, conversion)
	if err != nil {
		pyval.Check(&decode.Error{Class: "SyntaxError", Msg: err.Error(), Err: err})
	}
	return v
}

// conversion returns str or round, each of one value.
func conversion(name string) (pycall.Function, error) {
	convert := map[string]func(pyval.Value) (pyval.Value, error){"str": textOfValue, "round": rounded}[name]
	if convert == nil {
		return nil, pyval.Raise("NameError", "name '%s' is not defined", name)
	}
	return func(args []pycall.Arg) (pyval.Value, error) {
		if len(args) != 1 || args[0].Name != "" {
			return nil, pyval.Raise("TypeError", "%s() takes one value here", name)
		}
		return convert(args[0].Value)
	}, nil
}

func textOfValue(v pyval.Value) (pyval.Value, error) { return pyval.Str(pyval.Text(v)), nil }

// rounded returns the whole number nearest to a number, with halves to even.
func rounded(v pyval.Value) (pyval.Value, error) {
	if n, ok := pyval.IntOf(v); ok {
		return n, nil
	}
	f, ok := v.(pyval.Float)
	if !ok {
		return nil, pyval.Raise("TypeError", "type %s doesn't define __round__ method", pyval.TypeName(v))
	}
	return pyval.IntFromText(strconv.FormatFloat(math.RoundToEven(float64(f)), 'f', 0, 64)) // an error for inf and nan
}

// A nest reads values within values, each between tags of its own name, as
// MiniMax M3 writes them: <guests>2</guests>, <dishes><item>soup</item></dishes>.
type nest struct {
	text string
	at   int
	tag  *regexp.Regexp
}

// Tags have the model's own mark in front, or none if a server
// dropped it.
var (
	markedTag = pattern.Of(`\]<\]minimax\[>\[<(/?)([^<>]+)>`)
	bareTag   = pattern.Of(`<(/?)([\w.-]+)>`)
)

// nestDepth bounds values within values.
const nestDepth = 100

// nestedArguments reads arguments up to the end of the call.
func nestedArguments(text, name string, tools schemas) ([]jsonCall, int, error) {
	r := &nest{text: text, tag: bareTag()}
	if markedTag().MatchString(text) {
		r.tag = markedTag()
	}
	args := pyval.NewDict(4)
	for {
		key, closing, said := r.next()
		switch {
		case strings.TrimSpace(said) != "":
			return nil, 0, malformed("arguments in tags", r.at)
		case closing && key == "invoke":
			return []jsonCall{{pyval.Str(name), args}}, r.at, nil
		case closing, key == "":
			return nil, 0, malformed("an argument's tag, or the end", r.at)
		}
		v, ok := r.value(key, tools.parameter(name, key), 0)
		if !ok || args.Has(key) {
			return nil, 0, malformed("each argument once, and its closing tag", r.at)
		}
		args.SetStr(key, v)
	}
}

// next returns the name of the next tag, "" if there is none, and the text in
// front of it.
func (r *nest) next() (name string, closing bool, said string) {
	m := r.tag.FindStringSubmatchIndex(r.text[r.at:])
	if m == nil {
		said, r.at = r.text[r.at:], len(r.text)
		return "", false, said
	}
	base := r.at
	r.at += m[1]
	return r.text[base+m[4] : base+m[5]], m[3] > m[2], r.text[base : base+m[0]]
}

// value reads a value up to its closing tag: an object or a list if there are
// tags within.
func (r *nest) value(name string, of schema, depth int) (pyval.Value, bool) {
	members, list, first := pyval.NewDict(2), &pyval.List{}, true
	for depth < nestDepth {
		key, closing, said := r.next()
		switch {
		case key == "" || closing && key != name || !first && strings.TrimSpace(said) != "":
			return nil, false
		case closing && first:
			return leaf(said, of), true
		case closing && listed(members, of):
			return list, true
		case closing && members.Len() == len(list.Items):
			return members, true
		case closing: // items with a name of their own
			return list, members.Len() == 1
		}
		first = false
		v, ok := r.value(key, cmp.Or(property(of, key), of.Child("items")), depth+1)
		if !ok {
			return nil, false
		}
		members.SetStr(key, v)
		list.Items = append(list.Items, v)
	}
	return nil, false
}

// listed reports whether members are the items of a list.
func listed(members *pyval.Dict, of schema) bool {
	if allowed := types(of); len(allowed) > 0 {
		return slices.Contains(allowed, "array") || slices.Contains(allowed, "tuple")
	}
	return members.Len() == 1 && members.Has("item")
}

// leaf returns a value without tags; an empty one may be a list or an object.
func leaf(said string, of schema) pyval.Value {
	if strings.TrimSpace(said) == "" {
		switch allowed := types(of); {
		case slices.Contains(allowed, "string"):
		case slices.Contains(allowed, "array"), slices.Contains(allowed, "tuple"):
			return &pyval.List{}
		case slices.Contains(allowed, "object"), slices.Contains(allowed, "dict"):
			return pyval.NewDict(0)
		}
	}
	return value(said, of)
}
