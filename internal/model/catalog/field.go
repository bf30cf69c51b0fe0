package catalog

import (
	"errors"
	"regexp"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

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
	"key_command":      guardCommand,
	"url":              guardURL,
	"source":           guardURL,
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
	if plainfile.IsNull(n) {
		return
	}
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

// readExtra adds to the fields of an overridden entry. If the whole is null the
// fields are reset; a null value makes the adapter leave the field out.
func readExtra(r *plainfile.Reader, extra *map[string]any, n *yaml.Node) {
	if plainfile.IsNull(n) {
		*extra = nil
		return
	}
	r.Pairs(n, "extra", func(key string, _, v *yaml.Node) {
		if *extra == nil {
			*extra = map[string]any{}
		}
		(*extra)[key] = anything(r, v, "extra."+plainfile.Printable(key), 0)
	})
}

// readHeaders adds to the headers of an overridden entry; null resets them.
func readHeaders(r *plainfile.Reader, e *Entry, n *yaml.Node) {
	if plainfile.IsNull(n) {
		e.Headers = nil
		return
	}
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

// readDay reads the day of prices, which YAML may take for a time; null resets
// it.
func readDay(r *plainfile.Reader, n *yaml.Node, to *string) bool {
	_, err := time.Parse(time.DateOnly, n.Value)
	switch {
	case plainfile.IsNull(n):
		*to = ""
	case err != nil || n.Kind != yaml.ScalarNode:
		r.Fault(n, "priced: want a day such as 2026-01-31")
		return false
	default:
		*to = n.Value
	}
	return true
}
