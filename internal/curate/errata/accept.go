package errata

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// Amends reports whether the entry says what the key should accept.
func (item *Item) Amends() bool { return len(item.Accepts) > 0 }

// Accept reports whether a result that the official key refuses is right by an
// entry's own answers. A key is only ever added to: what it accepts officially
// stays accepted.
func (item *Item) Accept(cat *eval.Category, c *eval.Case, result pyval.Value, s eval.Settings) (bool, error) {
	if cat.Executes {
		return false, nil
	}
	accepts := func(text string) (bool, error) {
		amended, err := Amended(cat, c, text)
		if err != nil {
			return false, err
		}
		_, v := cat.Verdict(amended, result, s)
		return v.Passed(), nil
	}
	if !cat.MultiTurn() {
		decoded, decodeErr := cat.Decode(c, result, s)
		accepts = func(text string) (bool, error) {
			k, err := newKey(cat, c, text)
			return err == nil && k.judge(decoded, decodeErr, s.UnderscoreToDot), err
		}
	}
	for _, text := range item.Accepts {
		ok, err := accepts(text)
		if err != nil {
			return false, fmt.Errorf("errata: case %s: %w", item.ID, err)
		}
		if ok {
			return true, nil
		}
	}
	return false, nil
}

// Amended returns a conversation with an accepted answer for its possible answer: a
// question about a memory has a text, another conversation the calls of the turns
// that differ, as JSON by the turn's number.
func Amended(cat *eval.Category, c *eval.Case, text string) (*eval.Case, error) {
	out := *c
	if cat.Agentic() {
		out.Answer = pyval.NewList(pyval.Str(text))
		return &out, nil
	}
	var turns map[int][]string
	if err := json.Unmarshal([]byte(text), &turns); err != nil {
		return nil, fmt.Errorf("%.200q is not an object from turns to lists of calls: %w", text, err)
	}
	out.Answer = pyval.NewList(slices.Clone(c.Answer.Items)...)
	for turn, calls := range turns {
		if turn < 1 || turn > len(out.Answer.Items) {
			return nil, fmt.Errorf("%.200q names turn %d of %d", text, turn, len(out.Answer.Items))
		}
		list := &pyval.List{}
		for _, call := range calls {
			list.Items = append(list.Items, pyval.Str(call))
		}
		out.Answer.Items[turn-1] = list
	}
	return &out, nil
}

// Answered returns an accepted answer as a model writes it in a mode.
func Answered(cat *eval.Category, c *eval.Case, text string, mode eval.Mode) (pyval.Value, error) {
	if cat.MultiTurn() {
		amended, err := Amended(cat, c, text)
		if err != nil {
			return nil, err
		}
		return oracle.Answer(amended, mode), nil
	}
	k, err := newKey(cat, c, text)
	if err != nil {
		return nil, err
	}
	if k.exact == nil {
		return eval.TextResult("None of the given functions can do this."), nil
	}
	answered := *c
	answered.Answer = k.exact
	return oracle.Answer(&answered, mode), nil
}

// A key is what one accepted answer makes of a case's possible answer.
type key struct {
	cat *eval.Category
	c   *eval.Case
	// exact accepts the answer and nothing else; amended keeps what the official
	// key leaves free about it. Both are nil if no call is right.
	exact, amended *pyval.List
}

func newKey(cat *eval.Category, c *eval.Case, text string) (*key, error) {
	calls, err := callsOf(text)
	if err != nil {
		return nil, err
	}
	k := &key{cat: cat, c: c}
	if len(calls) == 0 {
		return k, nil
	}
	k.exact, k.amended = &pyval.List{}, &pyval.List{}
	var left []pyval.Value
	if c.Answer != nil {
		left = slices.Clone(c.Answer.Items)
	}
	for _, call := range calls {
		name, args := only(call)
		official := &pyval.Dict{}
		at := k.nearest(left, call)
		if at >= 0 {
			_, official = only(left[at])
			left[at] = nil // each is expected once
		}
		exact := pyval.NewDict(args.Len())
		for param, v := range args.All() {
			_ = exact.Set(param, pyval.NewList(wrapped(v))) // a key of a dict is hashable
		}
		k.exact.Items = append(k.exact.Items, one(name, exact))
		k.amended.Items = append(k.amended.Items, one(name, k.free(name, call, exact, official)))
	}
	return k, nil
}

// callsOf reads an answer written as Python calls.
func callsOf(text string) ([]pyval.Value, error) {
	if strings.TrimSpace(text) == "[]" {
		return nil, nil
	}
	decoded, err := decode.Prompt(text, decode.Python, false)
	list, ok := decoded.(*pyval.List)
	if err != nil || !ok || !decode.IsCalls(decoded) {
		return nil, fmt.Errorf("%.200q is not a list of Python calls", text)
	}
	return list.Items, nil
}

// only returns the key and the dict of a dict that has one; an empty dict for
// anything else.
func only(v pyval.Value) (name string, args *pyval.Dict) {
	if d, ok := v.(*pyval.Dict); ok {
		for key, v := range d.All() {
			if args, ok := v.(*pyval.Dict); ok {
				return pyval.Text(key), args
			}
		}
	}
	return "", &pyval.Dict{}
}

func one(name string, args *pyval.Dict) *pyval.Dict {
	d := pyval.NewDict(1)
	d.SetStr(name, args)
	return d
}

// document returns the document of a function as the judges find it: by its
// name or, in the first release, the first whose name is a part of the key.
func document(c *eval.Case, name string) *pyval.Dict {
	names := c.ToolNames()
	at := slices.Index(names, name)
	if at < 0 {
		at = slices.IndexFunc(names, func(known string) bool { return strings.Contains(name, known) })
	}
	if at < 0 {
		return nil
	}
	return c.Tools[at]
}

// wrapped turns a value into an accepted one: the keys of a dict, and of dicts
// in a list, have lists of accepted values.
func wrapped(v pyval.Value) pyval.Value {
	switch v := v.(type) {
	case *pyval.Dict:
		out := pyval.NewDict(v.Len())
		for key, value := range v.All() {
			_ = out.Set(key, pyval.NewList(value))
		}
		return out
	case *pyval.List:
		return v.Map(func(item pyval.Value) pyval.Value {
			if _, ok := item.(*pyval.Dict); ok {
				return wrapped(item)
			}
			return item
		})
	}
	return v
}

// nearest returns the place, among the expected calls of a call's function, of
// the one that refuses the fewest of its arguments; -1 if there is none.
func (k *key) nearest(expected []pyval.Value, call pyval.Value) int {
	name, args := only(call)
	best, most := -1, -1
	for i, e := range expected {
		function, official := only(e)
		if doc := document(k.c, function); doc != nil { // in the first release a name may have a suffix
			function, _ = doc.Text("name")
		}
		if e == nil || function != name {
			continue
		}
		n := 0
		for param, v := range args.All() {
			if values, ok := official.Get(param); ok && k.fits(name, param, v, values) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// fits reports whether a value of a parameter is among the accepted ones.
func (k *key) fits(function string, param, v, values pyval.Value) bool {
	call, want := pyval.NewDict(1), pyval.NewDict(1)
	_, _ = call.Set(param, v), want.Set(param, values)
	doc := document(k.c, function)
	if doc.Child("parameters") == nil {
		return false
	}
	parameters := doc.Child("parameters").Clone()
	parameters.SetStr("required", pyval.NewList())
	alone := doc.Clone()
	alone.SetStr("parameters", parameters)
	return judge.AST([]*pyval.Dict{alone}, pyval.NewList(one(function, call)), pyval.NewList(one(function, want)), k.options(eval.Simple, false)).Passed()
}

// free returns what is accepted of a call: the official values where the call's
// own is among them, only the call's own where it is not. What the call leaves
// out may be left out.
func (k *key) free(function string, call pyval.Value, exact, official *pyval.Dict) *pyval.Dict {
	_, args := only(call)
	out := pyval.NewDict(exact.Len())
	for param, values := range exact.All() {
		accepted, known := official.Get(param)
		v, _ := args.Get(param)
		switch {
		case known && k.fits(function, param, v, accepted):
			values = accepted
		case !known && !slices.Contains(document(k.c, function).Child("parameters").List("required"), param):
			values = pyval.NewList(wrapped(v), pyval.Str(""))
		}
		_ = out.Set(param, values)
	}
	for param, values := range official.All() {
		if list, ok := values.(*pyval.List); ok && !args.Has(pyval.Text(param)) {
			_ = out.Set(param, pyval.NewList(append(slices.Clone(list.Items), pyval.Str(""))...))
		}
	}
	return out
}

func (k *key) options(rule eval.Rule, dots bool) judge.Options {
	return judge.Options{Rule: rule, Language: k.cat.Language, Release: k.cat.Release, UnderscoreToDot: dots}
}

// judge reports whether decoded calls are right by the amended key.
func (k *key) judge(decoded pyval.Value, decodeErr error, dots bool) bool {
	switch {
	case k.amended == nil:
		return judge.Relevance(eval.Irrelevance, k.cat.Release, decoded, decodeErr).Passed()
	case decodeErr != nil:
		return false
	}
	return judge.AST(k.c.Tools, decoded, k.amended, k.options(k.rule(), dots)).Passed()
}

// rule returns the rule that fits the number of calls and documents.
func (k *key) rule() eval.Rule {
	switch several := len(k.c.Tools) > 1; {
	case len(k.exact.Items) > 1 && several:
		return eval.ParallelMultiple
	case len(k.exact.Items) > 1:
		return eval.Parallel
	case several:
		return eval.Multiple
	}
	return eval.Simple
}
