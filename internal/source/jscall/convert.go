package jscall

import (
	"errors"
	"strings"

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
		if looksInteger(strings.TrimSuffix(value, "\n")) {
			return needInt(value)
		}
	case "float":
		if looksDecimal(strings.TrimSuffix(value, "\n")) {
			f, _ := pyval.FloatFromText(value) // digits always parse
			return f, nil
		}
	case "Bigint":
		// Reads 5n. Before a final line break, which Python's `$`
		// allows, upstream cuts off the wrong character and int() fails.
		digits, ok := strings.CutSuffix(strings.TrimSuffix(value, "\n"), "n")
		if !ok || !looksInteger(digits) {
			return pyval.Str(value), nil
		}
		return needInt(value[:len(value)-1])
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

// convertArray is upstream's parse_js_collection for arrays. It cuts what is in
// square brackets at every comma, even inside strings.
func convertArray(code, nested string) pyval.Value {
	if end := matrixEnd(code); end >= 0 {
		return matrix(code[:end])
	}
	content, ok := arrayContent(code)
	if !ok {
		return pyval.Str(code)
	}
	if pyval.Strip(content) == "" {
		return pyval.NewList()
	}
	if nested == "" {
		return literals(content)
	}
	list := roomFor(content)
	for part := range strings.SplitSeq(content, ",") {
		v, err := Convert(pyval.Strip(part), nested, "")
		if err != nil {
			return pyval.Str(code)
		}
		list.Items = append(list.Items, v)
	}
	return list
}

// roomFor is an empty list with room for what is between commas.
func roomFor(content string) *pyval.List {
	return &pyval.List{Items: make([]pyval.Value, 0, 1+strings.Count(content, ","))}
}

func literals(content string) *pyval.List {
	list := roomFor(content)
	for part := range strings.SplitSeq(content, ",") {
		list.Items = append(list.Items, literal(part))
	}
	return list
}

// arrayContent is what is between [ and the first ], or between `new Array(`
// and the first ), on one line.
func arrayContent(code string) (string, bool) {
	if rest, ok := strings.CutPrefix(code, "["); ok {
		return upTo(rest, ']')
	}
	if n := newArray(code); n > 0 {
		return upTo(code[n:], ')')
	}
	return "", false
}

func upTo(s string, end byte) (string, bool) {
	i := strings.IndexByte(s, end)
	if i < 0 || strings.IndexByte(s[:i], '\n') >= 0 {
		return "", false
	}
	return s[:i], true
}

// newArray is the length of `new Array(` at the start of s, 0 if it is not
// there.
func newArray(s string) int {
	rest, ok := strings.CutPrefix(s, "new")
	if !ok {
		return 0
	}
	trimmed := rest[spaceLen(rest):]
	if len(trimmed) == len(rest) || !strings.HasPrefix(trimmed, "Array(") {
		return 0
	}
	return len(s) - len(trimmed) + len("Array(")
}

// matrix reads the rows of an array of arrays, whatever the nested type.
func matrix(code string) pyval.Value {
	rows := pyval.NewList()
	for first := true; ; first = false {
		row, rest, ok := nextBracket(code)
		if !ok {
			return rows
		}
		code = rest
		if row = pyval.Strip(row); first {
			row = strings.TrimPrefix(row, "[") // the outer array's bracket was taken for the row's
		}
		rows.Items = append(rows.Items, literals(row))
	}
}

// nextBracket finds the next [ that a ] follows on the same line.
func nextBracket(s string) (content, rest string, ok bool) {
	for {
		i := strings.IndexByte(s, '[')
		if i < 0 {
			return "", "", false
		}
		s = s[i+1:]
		end := strings.IndexAny(s, "]\n")
		if end < 0 {
			return "", "", false
		}
		if s[end] == ']' {
			return s[:end], s[end+1:], true
		}
		// Brackets before the line break have no partner either.
		s = s[end:]
	}
}

// matrixEnd is the length of an array of arrays at the start of s, -1 if there
// is none. In linear time it finds the end that upstream's pattern finds, in
// which a row may contain closing brackets if only then the whole matches.
func matrixEnd(s string) int {
	start, closer := 1, byte(']')
	if n := newArray(s); n > 0 {
		start, closer = n, ')'
	} else if s == "" || s[0] != '[' {
		return -1
	}
	start += spaceLen(s[start:])
	if start >= len(s) || s[start] != '[' {
		return -1
	}
	// ends[i] is the end of the match if the current row closes at the first
	// fitting ] at or after i, or 0 if there is none.
	ends := make([]int, len(s)+2)
	for i := len(s) - 1; i > start; i-- {
		switch s[i] {
		case '\n':
		case ']':
			if ends[i] = afterRow(s, i+1, closer, ends); ends[i] == 0 {
				ends[i] = ends[i+1]
			}
		default:
			ends[i] = ends[i+1]
		}
	}
	if ends[start+1] == 0 {
		return -1
	}
	return ends[start+1]
}

// afterRow is the end of the match if a row closes just before i, or 0.
func afterRow(s string, i int, closer byte, ends []int) int {
	if i += spaceLen(s[i:]); i >= len(s) {
		return 0
	}
	switch s[i] {
	case closer:
		return i + 1
	case ',':
		if i += 1 + spaceLen(s[i+1:]); i < len(s) && s[i] == '[' {
			return ends[i+1]
		}
	}
	return 0
}

// convertDict is upstream's parse_js_collection for objects: it reads up to the
// first closing bracket, which may be a nested object's.
func convertDict(code string) pyval.Value {
	rest, ok := strings.CutPrefix(code, "{")
	if ok {
		rest, ok = upTo(rest, '}')
	}
	if !ok {
		return pyval.Str(code)
	}
	d := pyval.NewDict(4)
	for rest != "" {
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

// digitsLen is the length of a run of decimal digits, Python's \d*.
func digitsLen(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool {
		_, ok := pyval.Decimal(r)
		return !ok
	})
	if n < 0 {
		return len(s)
	}
	return n
}

// looksInteger is Python's pattern -?\d+.
func looksInteger(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && digitsLen(s) == len(s)
}

// looksDecimal is Python's pattern -?\d+(\.\d+)?.
func looksDecimal(s string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return whole != "" && digitsLen(whole) == len(whole) &&
		(!point || fraction != "" && digitsLen(fraction) == len(fraction))
}
