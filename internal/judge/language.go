package judge

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/javacall"
	"github.com/gobfcl/bfcl/internal/jscall"
	"github.com/gobfcl/bfcl/internal/pyval"
)

// A Language is the language whose type names a function document uses.
type Language uint8

// The languages upstream knows.
const (
	Python Language = iota
	Java
	JavaScript
)

// A dialect is what judging needs to know of a language.
type dialect struct {
	// kinds are the Python types that the language's type names stand for.
	kinds map[string]pyval.Kind
	// nested are the type names with an item type.
	nested []string
	// convert reads a value, which the decoder leaves as source text. It is
	// nil where decoded values are Python's.
	convert func(value, typ, nested string) (pyval.Value, error)
	// notText is the error type of a value that is not source text.
	notText string
}

// nestedSource is upstream's NESTED_CONVERSION_TYPE_LIST.
var nestedSource = []string{"Array", "ArrayList", "array"}

var dialects = [...]dialect{
	Python: {
		kinds: map[string]pyval.Kind{
			"string": pyval.KindStr, "integer": pyval.KindInt, "float": pyval.KindFloat,
			"boolean": pyval.KindBool, "array": pyval.KindList, "tuple": pyval.KindList,
			"dict": pyval.KindDict, "any": pyval.KindStr,
		},
		nested: []string{"array", "tuple"},
	},
	Java: {
		kinds: map[string]pyval.Kind{
			"byte": pyval.KindInt, "short": pyval.KindInt, "integer": pyval.KindInt,
			"long": pyval.KindInt, "float": pyval.KindFloat, "double": pyval.KindFloat,
			"boolean": pyval.KindBool, "char": pyval.KindStr, "String": pyval.KindStr,
			"any": pyval.KindStr, "Array": pyval.KindList, "ArrayList": pyval.KindList,
			"Queue": pyval.KindList, "Stack": pyval.KindList, "Set": pyval.KindSet,
			"HashMap": pyval.KindDict, "Hashtable": pyval.KindDict,
		},
		nested: nestedSource, convert: javacall.Convert, notText: "type_error:java",
	},
	JavaScript: {
		kinds: map[string]pyval.Kind{
			"String": pyval.KindStr, "integer": pyval.KindInt, "float": pyval.KindFloat,
			"Bigint": pyval.KindInt, "Boolean": pyval.KindBool, "dict": pyval.KindDict,
			"array": pyval.KindList, "any": pyval.KindStr,
		},
		nested: nestedSource, convert: jscall.Convert, notText: "type_error:js",
	},
}

// dialect is that of Python for a number that is no Language.
func (l Language) dialect() *dialect {
	if int(l) >= len(dialects) {
		l = Python
	}
	return &dialects[l]
}

// A field is a parameter as its document describes it.
type field struct {
	// typ is the name of the type, want the Python type it stands for.
	typ  string
	want pyval.Kind
	// nested is the name of the items' type, inner the Python type it
	// stands for; "" where upstream does not look into the value.
	nested string
	inner  pyval.Kind
}

// typeOf reads the type of a parameter, or of a list's items, from its
// document.
func (d *dialect) typeOf(doc pyval.Value) (name string, kind pyval.Kind, err error) {
	typ, err := member(doc, "type")
	if err != nil {
		return "", 0, err
	}
	text, _ := typ.(pyval.Str)
	kind, ok := d.kinds[string(text)]
	if !ok {
		return "", 0, fmt.Errorf("unknown type %s", pyval.Repr(typ))
	}
	return string(text), kind, nil
}

// nest reads the type of the items where the parameter's type has such.
func (d *dialect) nest(doc pyval.Value, f *field) error {
	if !slices.Contains(d.nested, f.typ) {
		return nil
	}
	items, err := member(doc, "items")
	if err == nil {
		f.nested, f.inner, err = d.typeOf(items)
	}
	return err
}
