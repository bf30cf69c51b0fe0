package judge

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Argument compares one argument with its accepted values, by the document of
// its parameter only. The error type is "" if the argument is accepted;
// otherwise text says why it is not.
func Argument(doc, param, value, accepted pyval.Value, o Options) (errorType, text string) {
	f := judged(func() *fault { return typedArgument(doc, param, value, accepted, &o) })
	if f == nil {
		return "", ""
	}
	if texts := f.list(); len(texts) > 0 {
		text = pyval.Text(texts[0])
	}
	return f.errorType, text
}

// argument judges one argument of a call: the body of the loop in upstream's
// simple_function_checker. Documents and possible answers may have any shape.
func argument(properties, accepted, param, value pyval.Value, o *Options) *fault {
	described := try(pyval.Contains(properties, param)).or("parameter", param) &&
		try(pyval.Contains(accepted, param)).or("parameter", param)
	if !described {
		return paramFault("unexpected_param", "Unexpected parameter: ", param, ".")
	}
	doc := try(pyval.Subscript(properties, param)).or("parameter", param)
	values := try(pyval.Subscript(accepted, param)).or("possible answer for", param)
	return typedArgument(doc, param, value, values, o)
}

// typedArgument reads the value as the parameter's document says and judges
// type and value.
func typedArgument(doc, param, value, accepted pyval.Value, o *Options) *fault {
	d := dialectOf(o.Language)
	t := try(d.typeOf(doc)).or("document of parameter", param)
	if d.convert != nil && value.Kind() != pyval.KindStr {
		return wrongType(d.notText, param, value, "String")
	}
	f := field{typ: t.name, want: t.kind}
	if t.nested {
		t := try(d.itemType(doc)).or("document of parameter", param)
		f.nested, f.inner = t.name, t.kind
	}
	read := try(d.read(value, &f)).or("parameter", param)
	variable, flaw := typeRule(&f, param, read, accepted)
	if flaw != nil {
		return flaw
	}
	return valueRule(&f, param, read, accepted, variable, o)
}

// read turns source text into a value; decoded Python calls hold values.
func (d *dialect) read(value pyval.Value, f *field) (pyval.Value, error) {
	if text, ok := value.(pyval.Str); ok && d.convert != nil {
		return d.convert(string(text), f.typ, f.nested)
	}
	// Converts what upstream accepts in Python: a tuple for a "tuple", which
	// JSON cannot hold, and an int for a "float".
	switch v := value.(type) {
	case *pyval.Tuple:
		if f.typ == "tuple" {
			return &pyval.List{Items: v.Items}, nil
		}
	case pyval.Int:
		if f.typ == "float" {
			x, ok := v.Float64()
			if !ok {
				return nil, errTooLarge
			}
			return pyval.Float(x), nil
		}
	}
	return value, nil
}

// valueRule applies the rule for the parameter's type. A variable, which is a
// value with the type of the possible answer and not of the document, is only
// looked up among the accepted values.
func valueRule(f *field, param, value, accepted pyval.Value, variable bool, o *Options) *fault {
	switch {
	case variable:
	case f.want == pyval.KindDict:
		return o.dictRule()(value, accepted)
	case f.want == pyval.KindList && f.nested != "" && f.inner == pyval.KindDict:
		return listDictRule(value, accepted, o.dictRule())
	case f.want == pyval.KindStr:
		return stringRule(param, value, accepted)
	case f.want == pyval.KindList:
		return listRule(param, value, accepted)
	}
	if !try(pyval.Contains(accepted, value)).or("possible answer for", param) {
		return wrongValue("value_error:others", param, value, accepted, "")
	}
	return nil
}
