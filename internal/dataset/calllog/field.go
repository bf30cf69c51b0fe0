package calllog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func asDict(v pyval.Value) *pyval.Dict {
	if s, ok := v.(pyval.Str); ok {
		v, _ = pyval.ParseJSON(string(s))
	}
	d, _ := v.(*pyval.Dict)
	return d
}

func str(d *pyval.Dict, key string) string {
	s, _ := get(d, key).(pyval.Str)
	return string(s)
}

// list returns the items of the list under a key; nil if there is none.
func list(d *pyval.Dict, key string) []pyval.Value {
	l, _ := get(d, key).(*pyval.List)
	if l == nil {
		return nil
	}
	if l.Items == nil {
		return []pyval.Value{}
	}
	return l.Items
}

// get returns the value under a key; nil if it is missing or null.
func get(d *pyval.Dict, key string) pyval.Value {
	if d == nil {
		return nil
	}
	v, _ := d.GetStr(key)
	if v == pyval.Value(pyval.None) {
		return nil
	}
	return v
}

var errMore = errors.New("it holds more than text, such as an image")

// texts joins the parts of a content: a text, or a list of parts of the given
// types, each with a text.
func texts(content pyval.Value, key string, types ...string) (string, error) {
	switch v := content.(type) {
	case pyval.Str:
		return string(v), nil
	case *pyval.List:
		var all []string
		for _, item := range v.Items {
			part, _ := item.(*pyval.Dict)
			if part == nil || !slices.Contains(types, str(part, "type")) {
				return "", errMore
			}
			all = append(all, str(part, key))
		}
		return strings.Join(all, "\n"), nil
	}
	return "", errors.New("it has no text")
}

// role returns a message's role as suites write it.
func role(given string) (string, error) {
	switch given {
	case "developer":
		return "system", nil
	case "system", "user", "assistant", "tool":
		return given, nil
	}
	return "", fmt.Errorf("the role %.40q is unknown", given)
}
