package javacall

import (
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// Python's character classes, which go beyond ASCII.
const (
	pyDigit = `\p{Nd}`
	pyWord  = `[\p{L}\p{N}_]`
)

// The forms of Java's number literals that upstream accepts. Python's "$" also
// matches before a final line end.
const (
	wholeNumber = `^-?` + pyDigit + `+`
	realNumber  = wholeNumber + `(?:\.` + pyDigit + `+)?(?:[eE][+-]?` + pyDigit + `+)?`
)

var (
	wholeForm  = pattern.Of(wholeNumber + `\n?$`)
	longForm   = pattern.Of(wholeNumber + `[lL]\n?$`)
	floatForm  = pattern.Of(realNumber + `[fF]\n?$`)
	doubleForm = pattern.Of(realNumber + `\n?$`)
)

// Convert turns an argument's text into a value of a declared type, as
// upstream's java_type_converter does; nested is the type of the elements of
// an array or list, "" if it is not declared. Text that is not a literal of the
// type stays text. Errors are *grammar.Error.
func Convert(value, typ, nested string) (pyval.Value, error) {
	switch typ {
	case "byte", "short", "integer":
		if !wholeForm().MatchString(value) {
			return pyval.Str(value), nil
		}
		return grammar.Int(value)
	case "long":
		if !longForm().MatchString(value) {
			return pyval.Str(value), nil
		}
		return grammar.Int(unsuffixed(value))
	case "float":
		if !floatForm().MatchString(value) {
			return pyval.Str(value), nil
		}
		return grammar.Float(unsuffixed(value))
	case "double":
		if !doubleForm().MatchString(value) {
			return pyval.Str(value), nil
		}
		return grammar.Float(value)
	case "boolean":
		if b, ok := boolean(value); ok {
			return b, nil
		}
		return pyval.Str(value), nil
	case "char", "String", "any":
		return pyval.Str(value), nil
	case "Array":
		return convertArray(value, nested)
	case "ArrayList":
		return convertList(value, nested)
	case "HashMap":
		return convertMap(value)
	case "Set", "Hashtable":
		return nil, &grammar.Error{Class: "NotImplementedError", Msg: "Set conversion is not implemented"}
	case "Queue", "Stack":
		return nil, &grammar.Error{Class: "NotImplementedError", Msg: typ + " conversion is not implemented"}
	}
	return nil, &grammar.Error{Class: "ValueError", Msg: "Unsupported type: " + typ}
}

func boolean(value string) (b pyval.Bool, ok bool) {
	return value == "true", value == "true" || value == "false"
}

// unsuffixed drops the type suffix of a number.
func unsuffixed(s string) string {
	s = strings.TrimSuffix(s, "\n")
	return s[:len(s)-1]
}

// element is the value of a text whose type is not declared, as upstream's
// parse_java_value guesses it.
func element(value string) (pyval.Value, error) {
	value = pyval.Strip(value)
	if b, ok := boolean(value); ok {
		return b, nil
	}
	switch {
	case strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`):
		return pyval.Str(value[1:max(1, len(value)-1)]), nil
	case longForm().MatchString(value):
		return grammar.Int(unsuffixed(value))
	case floatForm().MatchString(value):
		return grammar.Float(unsuffixed(value))
	}
	if v, err := grammar.Int(value); err == nil {
		return v, nil
	}
	if v, err := grammar.Float(value); err == nil {
		return v, nil
	}
	return pyval.Str(value), nil
}

// The collections that upstream recognizes, anywhere in the text.
var (
	arrayForm = pattern.Of(`new` + pyval.Blank + `+` + pyWord + `+\[\]` + pyval.Blank + `*\{(.*?)\}`)

	listStart  = `new` + pyval.Blank + `+ArrayList<` + pyWord + `*>\(`
	listOfForm = pattern.Of(listStart + `Arrays\.asList\((.+?)\)\)`)
	listAdding = pattern.Of(`(?s)` + listStart + `\)` + pyval.Blank + `*\{\{` + pyval.Blank + `*(.+?)` + pyval.Blank + `*\}\}`)
	listEmpty  = pattern.Of(listStart + `\)`)
	addForm    = pattern.Of(`add\((.+?)\)`)

	mapStart   = `new` + pyval.Blank + `+HashMap<.*?>`
	mapPutting = pattern.Of(`(?s)` + mapStart + pyval.Blank + `*\(\)` + pyval.Blank + `*\{` + pyval.Blank + `*\{?` + pyval.Blank + `*(.*?)` + pyval.Blank + `*\}?` + pyval.Blank + `*\}`)
	mapEmpty   = pattern.Of(mapStart + `\(\)`)
	putForm    = pattern.Of(`put\("(.*?)",` + pyval.Blank + `*(.*?)\)`)
)

// convertArray is upstream's parse_java_array part of parse_java_collection:
// elements may not hold commas or braces, empty ones are left out.
func convertArray(value, nested string) (pyval.Value, error) {
	m := arrayForm().FindStringSubmatch(value)
	if m == nil {
		return pyval.Str(value), nil
	}
	out := pyval.NewList()
	for item := range strings.SplitSeq(m[1], ",") {
		if item = pyval.Strip(item); item == "" {
			continue
		}
		v, err := nestedValue(item, nested)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

func nestedValue(item, nested string) (pyval.Value, error) {
	if nested == "" {
		return element(item)
	}
	return Convert(item, nested, "")
}

// convertList is upstream's parse_arraylist: a list around Arrays.asList, one
// filled by add in an initializer block, or an empty one.
func convertList(value, nested string) (pyval.Value, error) {
	if m := listOfForm().FindStringSubmatch(value); m != nil {
		return listOf(strings.Split(m[1], ","), nested)
	}
	if m := listAdding().FindStringSubmatch(value); m != nil {
		found := addForm().FindAllStringSubmatch(m[1], -1)
		items := make([]string, len(found))
		for i, add := range found {
			items[i] = add[1]
		}
		return listOf(items, nested)
	}
	if listEmpty().MatchString(value) {
		return pyval.NewList(), nil
	}
	return pyval.Str(value), nil
}

// listOf converts a list's elements. Upstream takes the first and last
// character off an element that is declared as text, whether or not they are
// quotes.
func listOf(items []string, nested string) (pyval.Value, error) {
	out := &pyval.List{Items: make([]pyval.Value, len(items))}
	for i, item := range items {
		item = pyval.Strip(item)
		if nested == "char" || nested == "String" {
			out.Items[i] = pyval.Str(inner(item))
			continue
		}
		v, err := nestedValue(item, nested)
		if err != nil {
			return nil, err
		}
		out.Items[i] = v
	}
	return out, nil
}

// inner is Python's s[1:-1] for a str of any length.
func inner(s string) string {
	if utf8.RuneCountInString(s) < 2 {
		return ""
	}
	return middle(s)
}

// convertMap is upstream's parse_hashmap: the put calls up to the first
// closing brace.
func convertMap(value string) (pyval.Value, error) {
	m := mapPutting().FindStringSubmatch(value)
	if m == nil {
		if mapEmpty().MatchString(value) {
			return &pyval.Dict{}, nil
		}
		return pyval.Str(value), nil
	}
	out := &pyval.Dict{}
	for _, put := range putForm().FindAllStringSubmatch(m[1], -1) {
		v, err := element(put[2])
		if err != nil {
			return nil, err
		}
		out.SetStr(put[1], v)
	}
	return out, nil
}
