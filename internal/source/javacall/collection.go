package javacall

import (
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// The collections that upstream recognizes, anywhere in the text.
var (
	arrayForm = pattern.Of(`new` + pyBlank + `+` + pyWord + `+\[\]` + pyBlank + `*\{(.*?)\}`)

	listStart  = `new` + pyBlank + `+ArrayList<` + pyWord + `*>\(`
	listOfForm = pattern.Of(listStart + `Arrays\.asList\((.+?)\)\)`)
	listAdding = pattern.Of(`(?s)` + listStart + `\)` + pyBlank + `*\{\{` + pyBlank + `*(.+?)` + pyBlank + `*\}\}`)
	listEmpty  = pattern.Of(listStart + `\)`)
	addForm    = pattern.Of(`add\((.+?)\)`)

	mapStart   = `new` + pyBlank + `+HashMap<.*?>`
	mapPutting = pattern.Of(`(?s)` + mapStart + pyBlank + `*\(\)` + pyBlank + `*\{` + pyBlank + `*\{?` + pyBlank + `*(.*?)` + pyBlank + `*\}?` + pyBlank + `*\}`)
	mapEmpty   = pattern.Of(mapStart + `\(\)`)
	putForm    = pattern.Of(`put\("(.*?)",` + pyBlank + `*(.*?)\)`)
)

// convertArray is upstream's parse_java_array part of parse_java_collection:
// elements may not hold commas or braces, empty ones are left out.
func convertArray(value, nested string) (pyval.Value, error) {
	items, ok := arrayItems(value)
	if !ok {
		return pyval.Str(value), nil
	}
	out := pyval.NewList()
	for item := range strings.SplitSeq(items, ",") {
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

// arrayItems is what is between the braces of an array. The usual spelling is
// read without the pattern, which also covers others.
func arrayItems(value string) (string, bool) {
	if rest, ok := strings.CutPrefix(value, "new "); ok {
		rest, ok = strings.CutPrefix(rest[wordAt(rest):], "[]")
		if rest = strings.TrimPrefix(rest, " "); ok && value[4] != '[' && strings.HasPrefix(rest, "{") {
			if end := strings.IndexAny(rest, "}\n"); end >= 0 && rest[end] == '}' {
				return rest[1:end], true
			}
		}
	}
	if m := arrayForm().FindStringSubmatch(value); m != nil {
		return m[1], true
	}
	return "", false
}

// listItems is what is between the brackets of Arrays.asList in a new list;
// like arrayItems it reads the usual spelling without the pattern.
func listItems(value string) (string, bool) {
	if rest, ok := strings.CutPrefix(value, "new ArrayList<"); ok {
		if rest, ok = strings.CutPrefix(rest[wordAt(rest):], ">(Arrays.asList("); ok && rest != "" {
			if end := strings.Index(rest[1:], "))"); end >= 0 && strings.IndexByte(rest[:1+end], '\n') < 0 {
				return rest[:1+end], true
			}
		}
	}
	if m := listOfForm().FindStringSubmatch(value); m != nil {
		return m[1], true
	}
	return "", false
}

// wordAt is the length of the ASCII letters, digits and underscores that s
// begins with.
func wordAt(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || grammar.Digit(s[n]) || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	return n
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
	if items, ok := listItems(value); ok {
		return listOf(strings.Split(items, ","), nested)
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
