package jscall

import (
	"errors"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// Convert is upstream's js_type_converter: the argument text as a value of the
// JavaScript type. Text that does not look like the type stays text. nested is
// the type of an array's elements, "" if the tool document names none. The
// error is a *grammar.Error: for an unknown type, or for a number that Python cannot
// read.
func Convert(value, typ, nested string) (pyval.Value, error) {
	switch typ {
	case "String":
		return pyval.Str(stripPair(value)), nil
	case "integer":
		if wholeForm().MatchString(value) {
			return needInt(value)
		}
	case "float":
		if realForm().MatchString(value) {
			f, _ := pyval.FloatFromText(value) // digits always parse
			return f, nil
		}
	case "Bigint":
		// Reads 5n. Before a final line break, which Python's `$`
		// allows, upstream cuts off the wrong character and int() fails.
		if bigForm().MatchString(value) {
			return needInt(value[:len(value)-1])
		}
	case "Boolean":
		if value == "true" || value == "false" {
			return pyval.Bool(value == "true"), nil
		}
	case "array":
		return convertArray(pyval.Strip(value), nested), nil
	case "dict":
		return convertDict(pyval.Strip(value)), nil
	case "any":
	default:
		return nil, &grammar.Error{Class: "ValueError", Msg: "Unsupported type: " + typ}
	}
	return pyval.Str(value), nil
}

// stripPair drops equal quotes from both ends. Like upstream it takes a single
// quote character for both ends.
func stripPair(s string) string {
	if s == `"` || s == "'" {
		return ""
	}
	return unquoted(s)
}

func needInt(s string) (pyval.Value, error) {
	n, err := pyval.IntFromText(s)
	if e, ok := errors.AsType[*pyval.Exception](err); ok {
		return nil, &grammar.Error{Class: e.Class, Msg: e.Msg}
	}
	return n, nil
}

// literal is upstream's parse_js_value: a value by its looks.
func literal(s string) pyval.Value {
	s = pyval.Strip(s)
	if s == "true" || s == "false" {
		return pyval.Bool(s == "true")
	}
	if inner := stripPair(s); len(inner) != len(s) {
		return pyval.Str(inner)
	}
	if n, err := pyval.IntFromText(s); err == nil {
		return n
	}
	if f, err := pyval.FloatFromText(s); err == nil {
		return f
	}
	return pyval.Str(s)
}

const (
	blanks = pyval.Blank + `*`
	row    = blanks + `\[[^\n]*?\]` + blanks
	rows   = row + `(?:,` + row + `)*`
	create = `new` + pyval.Blank + `+Array\(`
)

// The collections that upstream recognizes, and Python's patterns of numbers.
var (
	matrixForm = pattern.Of(`^(?:\[` + rows + `\]|` + create + rows + `\))`)
	rowForm    = pattern.Of(`\[([^\]\n]*)\]`)
	arrayForm  = pattern.Of(`^(?:\[([^\]\n]*)\]|` + create + `([^)\n]*)\))`)
	dictForm   = pattern.Of(`^\{([^}\n]*)\}`)
	wholeForm  = pattern.Of(`^-?\p{Nd}+\n?$`)
	realForm   = pattern.Of(`^-?\p{Nd}+(?:\.\p{Nd}+)?\n?$`)
	bigForm    = pattern.Of(`^-?\p{Nd}+n\n?$`)
)

// convertArray is upstream's parse_js_collection for arrays. It cuts what is in
// square brackets at every comma, even inside strings. The rows of an array of
// arrays are read whatever the nested type.
func convertArray(code, nested string) pyval.Value {
	if found := matrixForm().FindString(code); found != "" {
		list := pyval.NewList()
		for i, m := range rowForm().FindAllStringSubmatch(found, -1) {
			row := pyval.Strip(m[1])
			if i == 0 {
				row = strings.TrimPrefix(row, "[") // the outer array's bracket was taken for the row's
			}
			list.Items = append(list.Items, literals(row))
		}
		return list
	}
	m := arrayForm().FindStringSubmatch(code)
	if m == nil {
		return pyval.Str(code)
	}
	content := m[1] + m[2]
	if pyval.Strip(content) == "" {
		return pyval.NewList()
	}
	if nested == "" {
		return literals(content)
	}
	list := pyval.NewList()
	for part := range strings.SplitSeq(content, ",") {
		v, err := Convert(pyval.Strip(part), nested, "")
		if err != nil {
			return pyval.Str(code)
		}
		list.Items = append(list.Items, v)
	}
	return list
}

func literals(content string) *pyval.List {
	list := pyval.NewList()
	for part := range strings.SplitSeq(content, ",") {
		list.Items = append(list.Items, literal(part))
	}
	return list
}

// convertDict is upstream's parse_js_collection for objects: it reads up to the
// first closing bracket, which may be a nested object's.
func convertDict(code string) pyval.Value {
	m := dictForm().FindStringSubmatch(code)
	if m == nil {
		return pyval.Str(code)
	}
	d := pyval.NewDict(4)
	for rest := m[1]; rest != ""; {
		rest = strings.TrimLeft(rest, ":")
		key, after, found := strings.Cut(rest, ":")
		if !found {
			break
		}
		after = after[spaceLen(after):]
		end, next := pairEnd(after)
		d.SetStr(strings.Trim(pyval.Strip(key), `'"`), pairValue(pyval.Strip(after[:end])))
		rest = after[next:]
	}
	return d
}

func pairValue(s string) pyval.Value {
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		return convertArray(s, "")
	}
	return literal(strings.Trim(s, `'"`))
}

// pairEnd finds where a value ends and where the next key starts: at a comma
// that is followed by a colon before the next comma.
func pairEnd(s string) (end, next int) {
	for i := strings.IndexByte(s, ','); i >= 0; {
		part := s[i+1:]
		comma := strings.IndexByte(part, ',')
		if comma >= 0 {
			part = part[:comma]
		}
		if n := keyStart(part); n >= 0 {
			return i, i + 1 + n
		}
		if comma < 0 {
			break
		}
		i += 1 + comma
	}
	return len(s), len(s)
}

// keyStart finds where a key that a colon follows starts in s, after white
// space. It is -1 if there is none.
func keyStart(s string) int {
	last := strings.LastIndexByte(s, ':')
	if last < 1 {
		return -1
	}
	n := spaceLen(s)
	if n < last {
		return n
	}
	return n - 1
}

func spaceLen(s string) int { return len(s) - len(strings.TrimLeftFunc(s, pyval.IsSpace)) }
