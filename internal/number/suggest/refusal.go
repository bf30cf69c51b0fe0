package suggest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A refusal is a refused argument, with what the benchmark's rule would accept;
// nil if a suite's matchers judge.
type refusal struct {
	match.Refused
	accepted *pyval.List
}

// refusals returns the arguments of an answer that the case refuses. Leaving
// out a parameter that the tool requires, or giving one that it does not have,
// is wrong whatever models agree on.
func refusals(cat *eval.Category, c *eval.Case, result pyval.Value, s eval.Settings) (out []refusal) {
	switch expected := c.Expected.(type) {
	case match.Turns:
		out = matched(expected.Refused(c, result, s))
	case *match.Whole:
		if decoded, err := cat.Decode(c, result, s); err == nil {
			out = matched(expected.Refused(c, decoded, s))
		}
	case nil:
		if decoded, err := cat.Decode(c, result, s); err == nil {
			out = compared(cat, c, decoded, s)
		}
	}
	return slices.DeleteFunc(out, func(r refusal) bool {
		known, required := parameter(c, r.Function, r.Name)
		return !known || r.Value == nil && required
	})
}

// matched returns the arguments that a suite's own matchers refuse.
func matched(refused []match.Refused) []refusal {
	out := make([]refusal, len(refused))
	for i, r := range refused {
		out[i] = refusal{r, r.Values}
	}
	return out
}

// compared returns the arguments that the benchmark's rule refuses.
func compared(cat *eval.Category, c *eval.Case, decoded pyval.Value, s eval.Settings) (out []refusal) {
	n, ok := judge.Inspect(c.Tools, decoded, c.Answer, categories.Options(cat, c, s))
	if !ok {
		return nil
	}
	nearest := judge.Nearest(n.Wanted(), n.Made(), func(want, made int) (int, bool) {
		if n.InOrder() && want != made {
			return 0, false
		}
		faults, same := n.Parameters(made, want)
		return len(faults), same
	})
	for want, made := range nearest {
		if made < 0 {
			continue
		}
		faults, _ := n.Parameters(made, want)
		function, accepted := expected(c.Answer, want)
		for name, f := range faults {
			values, _ := get(accepted, name).(*pyval.List)
			r := refusal{match.Refused{Call: want, Function: function, Name: name, Value: f.First.Value, Kind: kind(f)}, values}
			if values != nil {
				r.Accepted = words(values)
			}
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b refusal) int {
		return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(a.Name, b.Name))
	})
	return out
}

func kind(f judge.Faults) string {
	switch {
	case f.Missing:
		return "left_out"
	case f.Unexpected:
		return "unexpected_param"
	case f.Type:
		return "type_error"
	}
	return "value_error"
}

// expected is an expected call: {function: {parameter: accepted values}}.
func expected(answer *pyval.List, at int) (function string, accepted *pyval.Dict) {
	call, _ := answer.Items[at].(*pyval.Dict)
	if call == nil || call.Len() == 0 {
		return "", nil
	}
	key, v := call.At(0)
	accepted, _ = v.(*pyval.Dict)
	return pyval.Text(key), accepted
}

func get(d *pyval.Dict, key string) pyval.Value {
	if d == nil {
		return nil
	}
	v, _ := d.GetStr(key)
	return v
}

// parameter reports whether a function's document has a parameter, and whether
// it requires it.
func parameter(c *eval.Case, function, name string) (known, required bool) {
	at := slices.Index(c.ToolNames(), function)
	if at < 0 {
		return false, false
	}
	parameters, _ := get(c.Tools[at], "parameters").(*pyval.Dict)
	properties, _ := get(parameters, "properties").(*pyval.Dict)
	needed, _ := get(parameters, "required").(*pyval.List)
	known = properties != nil && properties.Has(name)
	return known, needed != nil && slices.Contains(needed.Items, pyval.Value(pyval.Str(name)))
}

// words formats the accepted values for people.
func words(values *pyval.List) string {
	plain, optional := mandatory(values)
	texts := make([]string, len(plain))
	for i, v := range plain {
		texts[i] = pyval.Repr(v)
	}
	if optional {
		texts = append(texts, "left out")
	}
	return strings.Join(texts, " or ")
}

// mandatory returns the accepted values except "", by which a possible answer
// says that the parameter may be left out.
func mandatory(values *pyval.List) (plain []pyval.Value, optional bool) {
	if values == nil {
		return nil, true // not expected, so leaving it out is right
	}
	plain = slices.DeleteFunc(slices.Clone(values.Items), func(v pyval.Value) bool { return v == pyval.Value(pyval.Str("")) })
	return plain, len(plain) < len(values.Items)
}

// becomes returns what the parameter would accept with the value that the
// models agree on; nil if that has objects or matchers, which a suite writes
// differently.
func (r refusal) becomes() *Becomes {
	if r.accepted == nil && r.Accepted != "" {
		return nil
	}
	out := &Becomes{}
	out.AnyOf, out.Optional = mandatory(r.accepted)
	if r.Value == nil {
		out.Optional = true
	} else {
		out.AnyOf = append(out.AnyOf, r.Value)
	}
	if slices.ContainsFunc(out.AnyOf, holdsDict) {
		return nil
	}
	return out
}

func holdsDict(v pyval.Value) bool {
	switch v := v.(type) {
	case *pyval.Dict:
		return true
	case *pyval.List:
		return slices.ContainsFunc(v.Items, holdsDict)
	}
	return false
}
