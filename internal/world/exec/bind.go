package exec

import (
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// bind puts arguments to parameters as Python does, with its TypeErrors.
func bind(name string, params []Param, args Args) ([]pyval.Value, error) {
	bound := make([]pyval.Value, len(params))
	copy(bound, args.Positional)
	for _, kw := range args.Keywords {
		i := indexOf(params, kw.Name)
		switch {
		case i < 0:
			return nil, typeError("%s() got an unexpected keyword argument '%s'", name, kw.Name)
		case bound[i] != nil:
			return nil, typeError("%s() got multiple values for argument '%s'", name, kw.Name)
		}
		bound[i] = kw.Value
	}
	if given := len(args.Positional); given > len(params) {
		return nil, tooMany(name, params, given)
	}
	var missing []string
	for i, p := range params {
		if bound[i] == nil {
			bound[i] = p.Default
		}
		if bound[i] == nil {
			missing = append(missing, "'"+p.Name+"'")
		}
	}
	if len(missing) > 0 {
		return nil, typeError("%s() missing %d required positional argument%s: %s",
			name, len(missing), plural(len(missing)), enumerate(missing))
	}
	return bound, nil
}

func indexOf(params []Param, name string) int {
	for i, p := range params {
		if p.Name == name {
			return i
		}
	}
	return -1
}

func tooMany(name string, params []Param, given int) error {
	required := 0
	for _, p := range params {
		if p.Default == nil {
			required++
		}
	}
	takes, last := strconv.Itoa(len(params)), len(params)
	if required < len(params) {
		takes = "from " + strconv.Itoa(required) + " to " + takes
	}
	were := "were"
	if given == 1 {
		were = "was"
	}
	return typeError("%s() takes %s positional argument%s but %d %s given", name, takes, plural(last), given, were)
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

func typeError(format string, args ...any) error { return pyval.Raise("TypeError", format, args...) }
