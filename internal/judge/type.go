package judge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/javacall"
	"github.com/gobfcl/bfcl/internal/source/jscall"
)

var errTooLarge = errors.New("int too large for a float")

// typeRule is upstream's type_checker. A value may also have the type of the
// first accepted value that is not "": the possible answer has a variable's
// name as a str. In both cases of another type the value is a variable.
func typeRule(f *field, param, value, accepted pyval.Value) (variable bool, flaw *fault) {
	items := try(pyval.Iterate(accepted)).or("possible answer for", param)
	kind, known := answerKind(items)
	if value.Kind() == f.want {
		variable = known && kind != f.want
		if f.nested == "" || nestedFits(f.inner, value, items) {
			return variable, nil
		}
		flaw = wrongNested(f, param, value)
	}
	if known && value.Kind() == kind {
		return true, flaw
	}
	return false, wrongType("type_error:simple", param, value, f.typ).after(flaw)
}

// answerKind is upstream's get_possible_answer_type.
func answerKind(items []pyval.Value) (pyval.Kind, bool) {
	for _, item := range items {
		if !isBlank(item) {
			return item.Kind(), true
		}
	}
	return 0, false
}

// nestedFits reports whether the items of a list have the right type according
// to at least one accepted value. An accepted value that is not a list allows
// any items.
func nestedFits(inner pyval.Kind, value pyval.Value, accepted []pyval.Value) bool {
	list, ok := value.(*pyval.List)
	for _, item := range accepted {
		expected, isList := item.(*pyval.List)
		if !isList || ok && itemsFit(inner, list.Items, expected.Items) {
			return true
		}
	}
	return false
}

func itemsFit(inner pyval.Kind, items, expected []pyval.Value) bool {
	kind, known := answerKind(expected)
	for _, item := range items {
		if k := item.Kind(); k != inner && !(known && k == kind) {
			return false
		}
	}
	return true
}

func wrongType(errorType string, param, value pyval.Value, typ string) *fault {
	return refuse(errorType, func() string {
		return "Incorrect type for parameter " + pyval.Repr(param) + ". Expected type " + typ +
			", got " + pyval.TypeName(value) + ". Parameter value: " + pyval.Repr(value) + "."
	})
}

func wrongNested(f *field, param, value pyval.Value) *fault {
	typ, inner := f.typ, f.inner
	return refuse("type_error:nested", func() string {
		return "Nested type checking failed for parameter " + pyval.Repr(param) +
			". Expected outer type " + typ + " with inner type <class '" + inner.String() +
			"'>. Parameter value: " + pyval.Repr(value) + "."
	})
}

// TypeKind returns the Python type that a type name means in a language's
// function documents; false if the judge does not know the name.
func TypeKind(l eval.Language, name string) (pyval.Kind, bool) {
	t := dialectOf(l).named(name)
	if t == nil {
		return 0, false
	}
	return t.kind, true
}

// TypeNames returns the type names that the judge knows, sorted.
func TypeNames(l eval.Language) []string {
	var names []string
	for _, t := range dialectOf(l).types {
		names = append(names, t.name)
	}
	slices.Sort(names)
	return names
}

// Nested reports whether the judge also looks at the type of the items.
func Nested(l eval.Language, name string) bool {
	t := dialectOf(l).named(name)
	return t != nil && t.nested
}

// A dialect is what judging needs to know about a language.
type dialect struct {
	// types are the language's type names, the more common ones first.
	types []typeName
	// convert reads a value, which the decoder leaves as source text. It is nil
	// if decoded values are Python values.
	convert func(value, typ, nested string) (pyval.Value, error)
	// notText is the error type of a value that is not source text.
	notText string
}

// A typeName is the name of a type and the Python type that it stands for.
type typeName struct {
	name string
	kind pyval.Kind
	// nested reports whether upstream looks at the type of the items, too.
	nested bool
}

var dialects = [...]dialect{
	eval.Python: {
		types: []typeName{
			{"string", pyval.KindStr, false}, {"integer", pyval.KindInt, false}, {"float", pyval.KindFloat, false},
			{"boolean", pyval.KindBool, false}, {"array", pyval.KindList, true}, {"dict", pyval.KindDict, false},
			{"tuple", pyval.KindList, true}, {"any", pyval.KindStr, false},
		},
	},
	eval.Java: {
		types: []typeName{
			{"String", pyval.KindStr, false}, {"integer", pyval.KindInt, false}, {"boolean", pyval.KindBool, false},
			{"any", pyval.KindStr, false}, {"long", pyval.KindInt, false}, {"float", pyval.KindFloat, false},
			{"double", pyval.KindFloat, false}, {"char", pyval.KindStr, false}, {"byte", pyval.KindInt, false},
			{"short", pyval.KindInt, false}, {"Array", pyval.KindList, true}, {"ArrayList", pyval.KindList, true},
			{"HashMap", pyval.KindDict, false}, {"Queue", pyval.KindList, false}, {"Stack", pyval.KindList, false},
			{"Set", pyval.KindSet, false}, {"Hashtable", pyval.KindDict, false},
		},
		convert: javacall.Convert, notText: "type_error:java",
	},
	eval.JavaScript: {
		types: []typeName{
			{"String", pyval.KindStr, false}, {"integer", pyval.KindInt, false}, {"float", pyval.KindFloat, false},
			{"Bigint", pyval.KindInt, false}, {"Boolean", pyval.KindBool, false}, {"dict", pyval.KindDict, false},
			{"array", pyval.KindList, true}, {"any", pyval.KindStr, false},
		},
		convert: jscall.Convert, notText: "type_error:js",
	},
}

// dialectOf returns a language's dialect; Python's for a number that is not a
// Language.
func dialectOf(l eval.Language) *dialect {
	if int(l) >= len(dialects) {
		l = eval.Python
	}
	return &dialects[l]
}

// A field is a parameter as its document describes it.
type field struct {
	// typ is the name of the type, want the Python type that it stands for.
	typ  string
	want pyval.Kind
	// nested is the name of the items' type, inner the Python type that it
	// stands for; "" if upstream does not look at the items.
	nested string
	inner  pyval.Kind
}

// named returns the type of a name; nil if the judge does not know the name.
func (d *dialect) named(name string) *typeName {
	for i := range d.types {
		if d.types[i].name == name {
			return &d.types[i]
		}
	}
	return nil
}

// typeOf reads the type of a parameter, or of a list's items, from its
// document.
func (d *dialect) typeOf(doc pyval.Value) (*typeName, error) {
	typ, err := member(doc, "type", 0)
	if err != nil {
		return nil, err
	}
	text, _ := typ.(pyval.Str)
	t := d.named(string(text))
	if t == nil {
		return nil, fmt.Errorf("unknown type %s", pyval.Repr(typ))
	}
	return t, nil
}

// itemType reads the type of a parameter's items if its type is nested.
func (d *dialect) itemType(doc pyval.Value) (*typeName, error) {
	items, err := member(doc, "items", 2)
	if err != nil {
		return nil, err
	}
	return d.typeOf(items)
}
