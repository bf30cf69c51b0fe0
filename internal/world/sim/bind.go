package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// bind orders the arguments of a call as the method declares them, and raises
// what Python raises where they do not fit. They are put into the given slice
// where it has the room.
func (m *Method) bind(room []pyval.Value, class string, args []pycall.Arg) ([]pyval.Value, error) {
	bound := slices.Grow(room, len(m.Params))[:len(m.Params)]
	clear(bound)
	positional := 0
	for ; positional < len(args) && args[positional].Name == ""; positional++ {
		if positional < len(bound) {
			bound[positional] = args[positional].Value
		}
	}
	if err := m.bindKeywords(class, bound, args[positional:]); err != nil {
		return nil, err
	}
	if positional > len(bound) {
		return nil, m.tooMany(class, positional)
	}
	var missing []string
	for i, p := range m.Params {
		if bound[i] == nil {
			if bound[i] = p.Default; p.Default == nil {
				missing = append(missing, "'"+p.Name+"'")
			}
		}
	}
	if missing != nil {
		return nil, m.missing(class, missing)
	}
	return bound, nil
}

func (m *Method) bindKeywords(class string, bound []pyval.Value, args []pycall.Arg) error {
	for _, arg := range args {
		i := m.param(arg.Name)
		switch {
		case arg.Name == "":
			return Raise("SyntaxError", "positional argument follows keyword argument unpacking")
		case arg.Name == "self":
			return m.wrong(class, "got multiple values for argument 'self'")
		case i < 0:
			return m.wrong(class, "got an unexpected keyword argument '"+arg.Name+"'")
		case bound[i] != nil:
			return m.wrong(class, "got multiple values for argument '"+arg.Name+"'")
		}
		bound[i] = arg.Value
	}
	return nil
}

func (m *Method) param(name string) int {
	for i := range m.Params {
		if m.Params[i].Name == name {
			return i
		}
	}
	return -1
}

func (m *Method) wrong(class, msg string) error {
	return Raise("TypeError", class+"."+m.Name+"() "+msg)
}

func (m *Method) tooMany(class string, given int) error {
	required := 0
	for _, p := range m.Params {
		if p.Default == nil {
			required++
		}
	}
	takes := fmt.Sprint(len(m.Params) + 1)
	if required < len(m.Params) {
		takes = fmt.Sprintf("from %d to %s", required+1, takes)
	}
	noun := "arguments"
	if len(m.Params) == 0 {
		noun = "argument"
	}
	return m.wrong(class, fmt.Sprintf("takes %s positional %s but %d were given", takes, noun, given+1))
}

func (m *Method) missing(class string, names []string) error {
	noun := "arguments"
	list := strings.Join(names, ", ")
	switch last := len(names) - 1; last {
	case 0:
		noun = "argument"
	case 1:
		list = strings.Join(names, " and ")
	default:
		list = strings.Join(names[:last], ", ") + ", and " + names[last]
	}
	return m.wrong(class, fmt.Sprintf("missing %d required positional %s: %s", len(names), noun, list))
}
