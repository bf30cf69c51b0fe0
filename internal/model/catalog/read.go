package catalog

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/plainfile"
)

// object reads a mapping into the fields of a struct that have its keys as tags.
func object(r *plainfile.Reader, n *yaml.Node, where string, into any) {
	names, fields := keysOf(reflect.ValueOf(into).Elem())
	r.Known(n, where, names, func(key string, _, v *yaml.Node) { field(r, v, key, fields[key], into) })
}

// keysOf returns the keys of a struct in their order, and the fields that they
// are for.
func keysOf(of reflect.Value) (names []string, fields map[string]reflect.Value) {
	fields = map[string]reflect.Value{}
	for i := range of.NumField() {
		name, inline := strings.CutSuffix(of.Type().Field(i).Tag.Get("yaml"), ",inline")
		switch {
		case inline:
			inner, more := keysOf(of.Field(i))
			names = append(names, inner...)
			for key, at := range more {
				fields[key] = at
			}
		case name != "":
			names, fields[name] = append(names, name), of.Field(i)
		}
	}
	return names, fields
}

// field reads the value of a key by the type of its field; null resets it.
func field(r *plainfile.Reader, n *yaml.Node, name string, at reflect.Value, of any) {
	switch to := at.Addr().Interface().(type) {
	case *[]string:
		readAliases(r, to, n)
	case *map[string]any:
		readExtra(r, to, n)
	case *map[string]string:
		readHeaders(r, of.(*Entry), n)
	case *Prices:
		readPrices(r, to, n)
	case *Parameters, *Support:
		object(r, n, name, to)
	case *Abilities:
		object(r, n, "supports."+name, to)
	case **float64:
		amount(r, n, name, to)
	case **bool:
		truth(r, n, name, to)
	case *int:
		count(r, n, name, to)
	default: // a kind of text
		was := at.String()
		if checked(r, n, name, &was) {
			at.SetString(was)
		}
	}
}

// checked reads a text that must pass the check of its key, if there is one, and
// reports whether it does.
func checked(r *plainfile.Reader, n *yaml.Node, name string, to *string) bool {
	if name == "priced" {
		return readDay(r, n, to)
	}
	before := r.Faults()
	if text(r, n, name, to); r.Faults() > before {
		return false
	}
	if check := checks[name]; check != nil && *to != "" {
		if err := check(*to); err != nil {
			r.Fault(n, "%s: %v", name, err)
			return false
		}
	}
	return true
}
