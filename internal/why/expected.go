package why

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Expected returns the right answer to a case that is nearest to the one that
// came: of the values that the key accepts, those that came, or those that most
// simply became them. ok is false for cases whose answers are not compared call
// by call.
func Expected(cat *eval.Category, c *eval.Case, came Answer) (want Answer, tools Tools, ok bool) {
	tools = ToolsOf(c.Tools)
	switch {
	case cat.MultiTurn() || c.Expected != nil:
		return want, tools, false
	case cat.Rule == eval.Irrelevance:
		return Answer{Text: came.Text}, tools, true
	case !cat.Compares() || c.Answer == nil || len(c.Answer.Items) == 0:
		return want, tools, false
	}
	for i, item := range c.Answer.Items {
		name, accepted := split(item)
		name, _, _ = strings.Cut(name, " ") // V1 numbers several calls of one function
		call := Call{Name: name}
		if accepted != nil && c.Language == eval.Python {
			n := nearness{tools: tools}
			n.at.doc = tools[name].Child("parameters")
			var args *pyval.Dict // of the call that was most likely made for it
			if at := slices.IndexFunc(came.Calls, func(c Call) bool { return underscored(c.Name) == name }); len(came.Calls) == len(c.Answer.Items) {
				args = came.Calls[i].Args
			} else if at >= 0 {
				args = came.Calls[at].Args
			}
			call.Args = n.object(accepted, args)
			call.Raw = compact(call.Args)
		}
		want.Calls = append(want.Calls, call)
	}
	if cat.Rule.Parallel() && len(want.Calls) == len(came.Calls) { // the key's order is not asked for
		want.Calls = inOrder(want.Calls, came.Calls)
	}
	return want, tools, true
}

// inOrder returns expected calls in the order of those that came, as far as each
// has one that is most like it.
func inOrder(want, came []Call) []Call {
	left := slices.Clone(want)
	out := make([]Call, 0, len(want))
	for _, c := range came {
		at := slices.IndexFunc(left, func(w Call) bool { return near(w, c) })
		if at < 0 {
			return want
		}
		for i := at + 1; i < len(left); i++ {
			if near(left[i], c) && common(left[i].Raw, c.Raw) > common(left[at].Raw, c.Raw) {
				at = i
			}
		}
		out, left = append(out, left[at]), slices.Delete(left, at, at+1)
	}
	return out
}

// A nearness chooses among accepted values, as it walks.
type nearness walk

// object chooses a value for each key of an expected object. An accepted "" means
// that the key may be left out.
func (n *nearness) object(accepted, came *pyval.Dict) *pyval.Dict {
	out, up := pyval.NewDict(accepted.Len()), n.at
	defer func() { n.at = up }()
	for k, v := range accepted.All() {
		key := pyval.Text(k)
		n.at = within(up, key)
		list, ok := v.(*pyval.List)
		if !ok {
			list = pyval.NewList(v)
		}
		var got pyval.Value
		if came != nil {
			got, _ = came.GetStr(key)
		}
		if chosen := n.value(list.Items, got); chosen != nil {
			out.SetStr(key, chosen)
		}
	}
	return out
}

// value returns the accepted value that became the one that came; nil if the key
// may be left out, and nothing came or what stands for nothing.
func (n *nearness) value(accepted []pyval.Value, came pyval.Value) (best pyval.Value) {
	known := false
	standard := standardOf(n.at.doc)
	for _, v := range accepted {
		if v == pyval.Value(pyval.Str("")) && len(accepted) > 1 {
			if came == nil || came == pyval.None || standard != nil && Same(standard, came) {
				return nil
			}
			continue
		}
		if v = n.filled(v, came); came != nil {
			if Same(v, came) {
				return v
			}
			w := &walk{tools: n.tools, at: n.at}
			w.value(v, came)
			if !known && len(w.found) > 0 && w.found[0].Known {
				best, known = v, true
			}
		}
		if best == nil {
			best = v
		}
	}
	return best
}

// filled chooses within lists and objects, whose fields have lists of accepted
// values, and takes a number as its document types it.
func (n *nearness) filled(v, came pyval.Value) pyval.Value {
	switch v := v.(type) {
	case *pyval.Dict:
		object, _ := came.(*pyval.Dict)
		for _, field := range v.All() {
			if !isType(field, "list") {
				return v // deeper, fields are single values
			}
		}
		return n.object(v, object)
	case *pyval.List:
		items, _ := came.(*pyval.List)
		out := pyval.MakeList(0)
		for i, item := range v.Items {
			if isType(item, "dict") {
				var got pyval.Value
				if items != nil && i < len(items.Items) {
					got = items.Items[i]
				}
				item = n.filled(item, got)
			}
			out.Items = append(out.Items, item)
		}
		return out
	}
	if isNumber(v) && came != nil && isNumber(came) && pyval.Equal(v, came) {
		if kind, _ := n.at.doc.Text("type"); kind != "integer" {
			return came
		}
	}
	return v
}
