package judge

import (
	"errors"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// single is upstream's ast_checker for categories with one call.
func single(docs []*pyval.Dict, calls, answers []pyval.Value, o *Options) *fault {
	if len(calls) != 1 {
		return wrongCount("simple_function_checker")
	}
	if len(docs) == 0 || len(answers) == 0 {
		return unusable("no function document or no possible answer")
	}
	return simple(docs[0], calls[0], answers[0], o)
}

func wrongCount(rule string) *fault {
	return refuse(rule+":wrong_count", func() string { return "Wrong number of functions." })
}

// simple is upstream's simple_function_checker: one call against one function
// document and one possible answer.
func simple(doc *pyval.Dict, call, answer pyval.Value, o *Options) *fault {
	s := try(readSignature(doc)).or("function document", nil)
	accepted := try(firstEntry(answer)).or("possible answer", nil).accepted
	value, ok := called(call, s.name, o)
	if !ok {
		return wrongName(s.name, o.UnderscoreToDot)
	}
	if f := missingRequired(s.required, value); f != nil {
		return f
	}
	arguments, ok := value.(*pyval.Dict)
	if !ok { // V1 accepts any value up to here
		return unusable("arguments: a dict was expected, not %s", pyval.TypeName(value))
	}
	for i := range arguments.Len() {
		param, value := arguments.At(i)
		if f := argument(s.properties, accepted, param, value, o); f != nil {
			return f
		}
	}
	return missingOptional(accepted, arguments)
}

// A signature is what a function document requires of calls.
type signature struct {
	name       string
	properties pyval.Value
	required   []pyval.Value
}

var errNoDocument = errors.New("no document has the expected name")

func readSignature(doc *pyval.Dict) (s signature, err error) {
	if doc == nil {
		return s, errNoDocument
	}
	name, ok := doc.GetStrNear("name", 0)
	text, isText := name.(pyval.Str)
	if !ok || !isText {
		return s, keyError(pyval.Str("name"))
	}
	s.name = string(text)
	parameters, err := member(doc, "parameters", 2)
	if err != nil {
		return s, err
	}
	if s.properties, err = member(parameters, "properties", 1); err != nil {
		return s, err
	}
	required, err := member(parameters, "required", 2)
	if err != nil {
		return s, err
	}
	s.required, err = pyval.Iterate(required)
	return s, err
}

// An entry is the function name and the accepted values of a possible answer,
// {name: {parameter: [value, ...]}}.
type entry struct{ name, accepted pyval.Value }

func firstEntry(answer pyval.Value) (e entry, err error) {
	d, ok := answer.(*pyval.Dict)
	if !ok || d.Len() == 0 {
		return e, errNoContainer
	}
	e.name, e.accepted = d.At(0)
	return e, nil
}

// sameName compares a call's name with the document's, like upstream's
// convert_func_name: models that saw underscores for dots may write them.
func sameName(got, name string, underscoreToDot bool) bool {
	if !underscoreToDot || len(got) != len(name) {
		return got == name
	}
	for i := range len(name) {
		c := name[i]
		if c == '.' {
			c = '_'
		}
		if got[i] != c {
			return false
		}
	}
	return true
}

func wrongName(name string, underscoreToDot bool) *fault {
	return refuse("simple_function_checker:wrong_func_name", func() string {
		if underscoreToDot {
			name = strings.ReplaceAll(name, ".", "_")
		}
		return "Function name " + pyval.Repr(pyval.Str(name)) + " not found in model output."
	})
}

func missingRequired(required []pyval.Value, arguments pyval.Value) *fault {
	given, _ := arguments.(*pyval.Dict)
	for i, param := range required {
		if given != nil {
			if _, ok := given.GetNear(param, i); ok {
				continue
			}
		}
		if !try(pyval.Contains(arguments, param)).or("required parameters", nil) {
			return paramFault("missing_required", "Missing required parameter: ", param, ".")
		}
	}
	return nil
}

// missingOptional finds parameters that were left out although the possible
// answer wants them.
func missingOptional(accepted pyval.Value, arguments *pyval.Dict) *fault {
	d, ok := accepted.(*pyval.Dict)
	if !ok {
		if n, err := pyval.Length(accepted); err != nil || n > 0 {
			return unusable("possible answer: a dict was expected, not %s", pyval.TypeName(accepted))
		}
		return nil
	}
	for i := range d.Len() {
		param, values := d.At(i)
		if _, given := arguments.GetNear(param, i); given {
			continue
		}
		if !try(optional(values)).or("possible answer for", param) {
			return paramFault("missing_optional", "Optional parameter ", param, " not provided and not marked as optional.")
		}
	}
	return nil
}

func paramFault(errorType, before string, param pyval.Value, after string) *fault {
	f := refuse("simple_function_checker:"+errorType, func() string { return before + pyval.Repr(param) + after })
	f.param = param
	return f
}
