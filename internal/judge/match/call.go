package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Call is an expected call, or a call that must not be made.
type Call struct {
	// Function is the function's name, as its document has it.
	Function string
	// Args are the arguments; others are not accepted.
	Args []Field
	// Any: only the arguments in Args matter, because the call is in a table of
	// results or must not be made.
	Any bool
	// Line is the call's line in its file; 0 if it is not known.
	Line int
}

// String returns the call as a suite writes it.
func (c *Call) String() string {
	texts := make([]string, len(c.Args))
	for i, a := range c.Args {
		texts[i] = a.Name + "=" + a.Choice.String()
	}
	if c.Any {
		texts = append(texts, "…")
	}
	return c.Function + "(" + strings.Join(texts, ", ") + ")"
}

// A refusal is why a call is not accepted.
type refusal struct{ kind, text string }

// The first parts of error types: upstream's, if upstream has the same fault.
const (
	byUpstream = "simple_function_checker:"
	byMatcher  = "matcher:"
	byWhole    = "calls:"
)

// A made call is a call of the model's.
type made struct {
	name string
	args *pyval.Dict
}

// String returns the call for messages, in a line or two.
func (m made) String() string {
	const most = 200
	text := []rune(m.text())
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// A court compares calls with what is expected, using the functions' documents.
type court struct {
	id       string // the case's
	docs     map[string]*pyval.Dict
	settings eval.Settings
}

func newCourt(c *eval.Case, s eval.Settings) *court {
	docs := map[string]*pyval.Dict{}
	for i, name := range c.ToolNames() {
		docs[name] = c.Tools[i]
	}
	return &court{c.ID, docs, s}
}

// sameName compares a name with one that the model may have seen with
// underscores.
func (t *court) sameName(got, want string) bool {
	return got == want || t.settings.UnderscoreToDot && got == strings.ReplaceAll(want, ".", "_")
}

// refuse returns why a call is not the expected one; nil if it is.
func (t *court) refuse(got made, want *Call) *refusal {
	if !t.sameName(got.name, want.Function) {
		return &refusal{byUpstream + "wrong_func_name", fmt.Sprintf("%s is called, not %s", short(pyval.Str(got.name)), want.Function)}
	}
	if !want.Any {
		for _, required := range t.docs[want.Function].Child("parameters").List("required") {
			name := pyval.Text(required)
			if _, given := got.args.GetStr(name); !given {
				return &refusal{byUpstream + "missing_required", fmt.Sprintf("%s: the required parameter %q is missing", want.Function, name)}
			}
		}
		for key := range got.args.All() {
			name := pyval.Text(key)
			if !slices.ContainsFunc(want.Args, func(f Field) bool { return f.Name == name }) {
				return &refusal{byUpstream + "unexpected_param", fmt.Sprintf("%s: the parameter %s is not expected", want.Function, short(key))}
			}
		}
	}
	for _, arg := range want.Args {
		if r := t.argument(got, want, arg); r != nil {
			return r
		}
	}
	return nil
}

func (t *court) argument(got made, want *Call, arg Field) *refusal {
	v, given := got.args.GetStr(arg.Name)
	place := want.Function + "." + arg.Name
	switch {
	case !given && arg.Optional:
		return nil
	case !given:
		return &refusal{byUpstream + "missing_optional", fmt.Sprintf("%s is left out, but %s is expected", place, arg.Choice)}
	}
	return judgeArgument(place, arg, v, documentOf(t.docs, want.Function, arg.Name))
}

// judgeArgument compares by upstream's rule if that is possible, and otherwise
// by the matchers.
func judgeArgument(place string, arg Field, v, doc pyval.Value) *refusal {
	accepted := &pyval.List{}
	rest := &Choice{Optional: arg.Optional}
	for _, o := range arg.Options {
		if form, ok := benchmark(o.Matcher, doc); ok {
			accepted.Items = append(accepted.Items, form)
			continue
		}
		rest.Options = append(rest.Options, o)
	}
	var kind, text string
	if len(accepted.Items) > 0 {
		if kind, text = judge.Argument(doc, pyval.Str(arg.Name), v, accepted, judge.Options{}); kind == "" {
			return nil
		}
	}
	if len(rest.Options) == 0 {
		return &refusal{kind, place + ": " + text}
	}
	if typ, ok := wrongType(v, doc, rest); ok {
		return &refusal{"type_error:simple", fmt.Sprintf("%s: %s is %s, but the parameter is of type %s", place, short(v), pyval.ATypeName(v), typ)}
	}
	m, why := rest.refuse(v)
	if m == nil {
		return nil
	}
	if len(accepted.Items) > 0 {
		why = short(v) + " is none of " + arg.Choice.String()
	}
	return &refusal{byMatcher + m.Name(), place + ": " + why}
}

// wrongType reports whether a value has another type than its parameter, and
// returns the parameter's type. A matcher that is only for some types says so
// itself.
func wrongType(v, doc pyval.Value, c *Choice) (string, bool) {
	name := typeOf(doc)
	kind, known := judge.TypeKind(eval.Python, name)
	if !known || name == "any" || v.Kind() == kind || kind == pyval.KindFloat && v.Kind() == pyval.KindInt {
		return "", false
	}
	return name, !slices.ContainsFunc(c.Options, func(o Option) bool { _, literal := o.Matcher.(*Literal); return literal })
}

// documentOf returns the document of a parameter; nil if it has none.
func documentOf(docs map[string]*pyval.Dict, function, param string) pyval.Value {
	if properties := docs[function].Child("parameters").Child("properties"); properties != nil {
		doc, _ := properties.GetStr(param)
		return doc
	}
	return nil
}

// callsOf returns the calls of a decoded answer; false if it is not a list of
// calls.
func callsOf(decoded pyval.Value) ([]made, bool) {
	list, ok := decoded.(*pyval.List)
	if !ok {
		return nil, false
	}
	out := make([]made, len(list.Items))
	for i, item := range list.Items {
		call, ok := item.(*pyval.Dict)
		if !ok || call.Len() != 1 {
			return nil, false
		}
		name, args := call.At(0)
		given, ok := args.(*pyval.Dict)
		text, isText := name.(pyval.Str)
		if !ok || !isText {
			return nil, false
		}
		out[i] = made{string(text), given}
	}
	return out, true
}
