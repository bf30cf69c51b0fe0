package catalog

import (
	"errors"
	"math"
	"reflect"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/read/dialect"
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
	if to, ok := at.Addr().Interface().(*Parameters); ok {
		object(r, n, name, to)
		return
	}
	if plainfile.IsNull(n) {
		at.SetZero()
		return
	}
	switch to := at.Addr().Interface().(type) {
	case *[]string:
		readAliases(r, to, n)
	case *map[string]any:
		readExtra(r, to, n)
	case *map[string]string:
		readHeaders(r, of.(*Entry), n)
	case *Prices:
		readPrices(r, to, n)
	case **float64:
		amount(r, n, name, to)
	case **bool:
		var x bool
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" || n.Decode(&x) != nil {
			r.Fault(n, "%s: want true or false, found %s", name, plainfile.Kind(n))
			return
		}
		*to = &x
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
	if name == "priced" { // which YAML may take for a time
		*to = n.Value
		_, err := time.Parse(time.DateOnly, n.Value)
		if err != nil || n.Kind != yaml.ScalarNode {
			r.Fault(n, "priced: want a day such as 2026-01-31")
			return false
		}
		return true
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

// checks are those of the texts that have a form, by key, if they are set.
var checks = map[string]func(string) error{
	"adapter":          matching(adapterName, "the name of an adapter such as openai or anthropic"),
	"base_url":         guardURL,
	"mode":             guardMode,
	"dialect":          dialect.Check,
	"tool_style":       guardStyle,
	"max_tokens_field": matching(variableName, "the name of a field such as max_tokens or max_completion_tokens"),
	"functions_as":     completion.CheckChat,
	"key":              guardVariable,
	"key_command": func(command string) error {
		if looksLikeKey(command) {
			return errors.New("this looks like a key; want a command that prints one")
		}
		return nil
	},
	"url":    guardURL,
	"source": guardURL,
}

var adapterName = pattern.Of(`^[a-z][a-z0-9_-]*$`)

// matching returns a check for a text with a pattern.
func matching(form func() *regexp.Regexp, want string) func(string) error {
	return func(text string) error {
		if !form().MatchString(text) {
			return errors.New("want " + want)
		}
		return nil
	}
}

func readAliases(r *plainfile.Reader, aliases *[]string, n *yaml.Node) {
	*aliases = nil
	if n.Kind != yaml.SequenceNode {
		r.Fault(n, "aliases: want a list of names, found %s", plainfile.Kind(n))
		return
	}
	for _, item := range n.Content {
		if item = r.Follow(item); item == nil {
			return
		}
		var alias string
		if text(r, item, "aliases", &alias); alias != "" {
			*aliases = append(*aliases, alias)
		}
	}
}

// readExtra adds to the fields of an overridden entry. A null value makes the
// adapter leave the field out.
func readExtra(r *plainfile.Reader, extra *map[string]any, n *yaml.Node) {
	r.Pairs(n, "extra", func(key string, _, v *yaml.Node) {
		if *extra == nil {
			*extra = map[string]any{}
		}
		(*extra)[key] = anything(r, v, "extra."+plainfile.Printable(key), 0)
	})
}

// readHeaders adds to the headers of an overridden entry.
func readHeaders(r *plainfile.Reader, e *Entry, n *yaml.Node) {
	r.Pairs(n, "headers", func(name string, k, v *yaml.Node) {
		value, before := "", r.Faults()
		if v = r.Follow(v); v == nil {
			return
		}
		if plainfile.IsNull(v) {
			e.dropHeader(name)
			return
		}
		if text(r, v, "headers."+plainfile.Printable(name), &value); r.Faults() > before {
			return
		}
		if err := guardHeader(name, value); err != nil {
			r.Fault(k, "%v", err)
			return
		}
		e.SetHeader(name, value)
	})
}

// readPrices replaces all of the prices, because a price, its day and its
// source belong together.
func readPrices(r *plainfile.Reader, p *Prices, n *yaml.Node) {
	*p = Prices{}
	before := r.Faults()
	object(r, n, "prices", p)
	if (p.Input == nil) != (p.Output == nil) && r.Faults() == before {
		r.Fault(n, "prices: set both input and output; write 0 for what is free")
	}
}

// text reads a text; null resets it.
func text(r *plainfile.Reader, n *yaml.Node, name string, to *string) {
	switch {
	case plainfile.IsNull(n):
		*to = ""
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		r.Fault(n, "%s: want a string, found %s", name, plainfile.Kind(n))
	case strings.ContainsFunc(n.Value, isControl):
		r.Fault(n, "%s: it holds a control character", name)
	default:
		*to = n.Value
	}
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f }

// amount reads a number that is not negative.
func amount(r *plainfile.Reader, n *yaml.Node, name string, to **float64) {
	var x float64
	switch tag := n.ShortTag(); {
	case n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float":
		r.Fault(n, "%s: want a number, found %s", name, plainfile.Kind(n))
	case n.Decode(&x) != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0:
		r.Fault(n, "%s: want a finite number of 0 or more", name)
	default:
		*to = &x
	}
}

// count reads a whole number of 1 or more.
func count(r *plainfile.Reader, n *yaml.Node, name string, to *int) {
	var x int
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int":
		r.Fault(n, "%s: want a whole number, found %s", name, plainfile.Kind(n))
	case n.Decode(&x) != nil || x < 1 || x > math.MaxInt32:
		r.Fault(n, "%s: want a whole number between 1 and %d", name, math.MaxInt32)
	default:
		*to = x
	}
}

// anything reads a value of a request's body into the types that
// encoding/json writes.
func anything(r *plainfile.Reader, n *yaml.Node, where string, depth int) any {
	if n = r.Follow(n); n == nil {
		return nil
	}
	if depth > plainfile.MaxDepth {
		r.Fault(n, "%s: nested too deeply", where)
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		r.Pairs(n, where, func(key string, _, v *yaml.Node) { out[key] = anything(r, v, where, depth+1) })
		return out
	case yaml.SequenceNode:
		out := []any{}
		for _, item := range n.Content {
			out = append(out, anything(r, item, where, depth+1))
		}
		return out
	}
	return scalar(r, n, where)
}

func scalar(r *plainfile.Reader, n *yaml.Node, where string) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!str", "!!timestamp":
		if looksLikeKey(n.Value) {
			r.Fault(n, "%s: this looks like a key; keys come from environment variables only", where)
			return nil
		}
		return n.Value
	case "!!bool", "!!int", "!!float":
		var x any
		err := n.Decode(&x)
		if f, ok := x.(float64); err == nil && (!ok || !math.IsNaN(f) && !math.IsInf(f, 0)) {
			return x
		}
	}
	r.Fault(n, "%s: %s that JSON cannot hold", where, plainfile.Kind(n))
	return nil
}
