package judge

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/javacall"
	"github.com/gobfcl/bfcl/internal/source/jscall"
)

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

// nest reads the type of a parameter's items if its type is nested.
func (d *dialect) nest(doc pyval.Value, f *field) error {
	items, err := member(doc, "items", 2)
	if err != nil {
		return err
	}
	t, err := d.typeOf(items)
	if err != nil {
		return err
	}
	f.nested, f.inner = t.name, t.kind
	return nil
}
