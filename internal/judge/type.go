package judge

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var errTooLarge = errors.New("int too large for a float")

// typeRule is upstream's type_checker. A value may also have the type of the
// first accepted value that is not "": the possible answer has a variable's
// name as a str. In both cases of another type the value is a variable.
func typeRule(f *field, param, value, accepted pyval.Value) (variable bool, flaw *fault) {
	items, err := iterate(accepted)
	if err != nil {
		return false, unusable("possible answer for %s: %v", pyval.Repr(param), err)
	}
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
