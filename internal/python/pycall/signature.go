package pycall

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Param is a declared parameter.
type Param struct {
	Name string
	// Default is used if the argument is missing; nil makes the parameter
	// required. It is shared by all calls and must be immutable.
	Default pyval.Value
}

// A Callee is the function or method that has the parameters, as Python's
// errors name it.
type Callee struct {
	// Class is a method's class; "" for a function. A method's first parameter,
	// self, is always given and not among its Params.
	Class, Name string
}

// Bind returns one argument for each parameter, in the order of the parameters.
// They are stored in room if its capacity is large enough.
func Bind(room []pyval.Value, callee Callee, params []Param, args []Arg) ([]pyval.Value, error) {
	bound := slices.Grow(room, len(params))[:len(params)]
	clear(bound)
	positional := 0
	for ; positional < len(args) && args[positional].Name == ""; positional++ {
		if positional < len(bound) {
			bound[positional] = args[positional].Value
		}
	}
	if err := callee.keywords(params, bound, args[positional:]); err != nil {
		return nil, err
	}
	if positional > len(params) {
		return nil, callee.tooMany(params, positional)
	}
	var missing []string
	for i := range params {
		if bound[i] == nil {
			if bound[i] = params[i].Default; bound[i] == nil {
				missing = append(missing, "'"+params[i].Name+"'")
			}
		}
	}
	if missing != nil {
		return nil, callee.wrong("missing %d required positional argument%s: %s", len(missing), plural(len(missing)), enumerate(missing))
	}
	return bound, nil
}

func (c Callee) keywords(params []Param, bound []pyval.Value, args []Arg) error {
	for _, arg := range args {
		i := Index(params, arg.Name)
		switch {
		case arg.Name == "":
			return pyval.Raise("SyntaxError", "positional argument follows keyword argument unpacking")
		case arg.Name == "self" && c.Class != "":
			return c.wrong("got multiple values for argument 'self'")
		case i < 0:
			return c.wrong("got an unexpected keyword argument '%s'", arg.Name)
		case bound[i] != nil:
			return c.wrong("got multiple values for argument '%s'", arg.Name)
		}
		bound[i] = arg.Value
	}
	return nil
}

// Index returns the position of the parameter with a name, or -1 if there is
// none.
func Index(params []Param, name string) int {
	return slices.IndexFunc(params, func(p Param) bool { return p.Name == name })
}

// self is how many arguments are given implicitly.
func (c Callee) self() int {
	if c.Class != "" {
		return 1
	}
	return 0
}

func (c Callee) wrong(format string, args ...any) error {
	name := c.Name
	if c.Class != "" {
		name = c.Class + "." + name
	}
	return pyval.Raise("TypeError", "%s() "+format, append([]any{name}, args...)...)
}

func (c Callee) tooMany(params []Param, given int) error {
	required := c.self()
	for _, p := range params {
		if p.Default == nil {
			required++
		}
	}
	most := len(params) + c.self()
	takes := strconv.Itoa(most)
	if required < most {
		takes = "from " + strconv.Itoa(required) + " to " + takes
	}
	were := "were"
	if given += c.self(); given == 1 {
		were = "was"
	}
	return c.wrong("takes %s positional argument%s but %d %s given", takes, plural(most), given, were)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// enumerate joins as Python's error texts do: 'a', 'b', and 'c'.
func enumerate(names []string) string {
	switch n := len(names); n {
	case 1:
		return names[0]
	case 2:
		return names[0] + " and " + names[1]
	default:
		return strings.Join(names[:n-1], ", ") + ", and " + names[n-1]
	}
}
