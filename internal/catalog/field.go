package catalog

import (
	"regexp"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/eval"
)

// fields are the keys of a model in the file. docs/models.md describes each;
// a test holds them together.
var fields = []member[Entry]{
	adapterField,
	text("id", func(e *Entry) *string { return &e.ID }),
	{"aliases", readAliases},
	guarded("base_url", guardURL, func(e *Entry) *string { return &e.BaseURL }),
	{"mode", readMode},
	{"parameters", func(r *reader, e *Entry, n *yaml.Node) { object(r, n, "parameters", parameterFields, &e.Parameters) }},
	{"extra", readExtra},
	{"headers", readHeaders},
	{"key", readKey},
	{"prices", func(r *reader, e *Entry, n *yaml.Node) { readPrices(r, e, n) }},
	truth("underscore_to_dot", func(e *Entry) **bool { return &e.UnderscoreToDot }),
	count("concurrency", func(e *Entry) *int { return &e.Concurrency }),
	count("rpm", func(e *Entry) *int { return &e.RPM }),
	count("tpm", func(e *Entry) *int { return &e.TPM }),
	text("display_name", func(e *Entry) *string { return &e.DisplayName }),
	text("organization", func(e *Entry) *string { return &e.Organization }),
	text("license", func(e *Entry) *string { return &e.License }),
	guarded("url", guardURL, func(e *Entry) *string { return &e.URL }),
	{"supports", func(r *reader, e *Entry, n *yaml.Node) { object(r, n, "supports", supportFields, &e.Supports) }},
}

var parameterFields = []member[Parameters]{
	amount("temperature", func(p *Parameters) **float64 { return &p.Temperature }),
	text("reasoning_effort", func(p *Parameters) *string { return &p.ReasoningEffort }),
	count("max_tokens", func(p *Parameters) *int { return &p.MaxTokens }),
}

var priceFields = []member[Prices]{
	amount("input", func(p *Prices) **float64 { return &p.Input }),
	amount("output", func(p *Prices) **float64 { return &p.Output }),
	amount("gpu_hour", func(p *Prices) **float64 { return &p.GPUHour }),
	{"priced", readPriced},
	guarded("source", guardURL, func(p *Prices) *string { return &p.Source }),
}

var abilityFields = []member[Abilities]{
	truth("fc", func(a *Abilities) **bool { return &a.FC }),
	truth("parallel", func(a *Abilities) **bool { return &a.Parallel }),
	truth("multiple", func(a *Abilities) **bool { return &a.Multiple }),
}

var supportFields = []member[Support]{
	truth("fc", func(s *Support) **bool { return &s.FC }),
	truth("parallel", func(s *Support) **bool { return &s.Parallel }),
	truth("multiple", func(s *Support) **bool { return &s.Multiple }),
	abilities("python", func(s *Support) *Abilities { return &s.Python }),
	abilities("java", func(s *Support) *Abilities { return &s.Java }),
	abilities("javascript", func(s *Support) *Abilities { return &s.JavaScript }),
}

func abilities(language string, at func(*Support) *Abilities) member[Support] {
	return member[Support]{language, func(r *reader, s *Support, n *yaml.Node) {
		object(r, n, "supports."+language, abilityFields, at(s))
	}}
}

// guarded reads a text that a check must let pass.
func guarded[T any](name string, check func(string) error, at func(*T) *string) member[T] {
	plain := text(name, at)
	return member[T]{name, func(r *reader, into *T, n *yaml.Node) {
		before := len(r.faults)
		was := *at(into)
		plain.read(r, into, n)
		if err := check(*at(into)); err != nil && len(r.faults) == before {
			r.fault(n, "%s: %v", name, err)
			*at(into) = was
		}
	}}
}

var adapterName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

var adapterField = member[Entry]{"adapter", func(r *reader, e *Entry, n *yaml.Node) {
	before := len(r.faults)
	text("adapter", func(e *Entry) *string { return &e.Adapter }).read(r, e, n)
	if len(r.faults) == before && !adapterName.MatchString(e.Adapter) {
		r.fault(n, "adapter: want the name of an adapter such as openai or anthropic")
	}
}}

func readMode(r *reader, e *Entry, n *yaml.Node) {
	mode, before := "", len(r.faults)
	text("mode", func(s *string) *string { return s }).read(r, &mode, n)
	if len(r.faults) > before {
		return
	}
	switch m := eval.Mode(mode); m {
	case "", eval.FC, eval.Prompt:
		e.Mode = m
	default:
		r.fault(n, "mode: want fc or prompt")
	}
}

func readAliases(r *reader, e *Entry, n *yaml.Node) {
	e.Aliases = nil
	if isNull(n) {
		return
	}
	if n.Kind != yaml.SequenceNode {
		r.fault(n, "aliases: want a list of names, found %s", kind(n))
		return
	}
	for _, item := range n.Content {
		if item = r.follow(item); item == nil {
			return
		}
		var alias string
		text("aliases", func(s *string) *string { return s }).read(r, &alias, item)
		if alias != "" {
			e.Aliases = append(e.Aliases, alias)
		}
	}
}

// readExtra adds to what an overridden entry has; null in place of the whole
// resets it, null as a value asks the adapter to leave the field out.
func readExtra(r *reader, e *Entry, n *yaml.Node) {
	if isNull(n) {
		e.Extra = nil
		return
	}
	r.pairs(n, "extra", func(key string, _, v *yaml.Node) {
		if e.Extra == nil {
			e.Extra = map[string]any{}
		}
		e.Extra[key] = r.anything(v, "extra."+printable(key), 0)
	})
}

// readHeaders adds to what an overridden entry has; null resets.
func readHeaders(r *reader, e *Entry, n *yaml.Node) {
	if isNull(n) {
		e.Headers = nil
		return
	}
	r.pairs(n, "headers", func(name string, k, v *yaml.Node) {
		value, before := "", len(r.faults)
		if v = r.follow(v); v == nil {
			return
		}
		if isNull(v) {
			delete(e.Headers, name)
			return
		}
		text("headers."+printable(name), func(s *string) *string { return s }).read(r, &value, v)
		if len(r.faults) > before {
			return
		}
		if err := guardHeader(name, value); err != nil {
			r.fault(k, "%v", err)
			return
		}
		if e.Headers == nil {
			e.Headers = map[string]string{}
		}
		e.Headers[name] = value
	})
}

func readKey(r *reader, e *Entry, n *yaml.Node) {
	variable, before := "", len(r.faults)
	text("key", func(s *string) *string { return s }).read(r, &variable, n)
	switch {
	case len(r.faults) > before:
	case variable != "" && (!variableName.MatchString(variable) || looksLikeKey(variable)):
		r.fault(n, "key: want the name of an environment variable such as OPENAI_API_KEY, never the key itself")
	default:
		e.Key = variable
	}
}

// readPrices replaces the prices as a whole: a price, its day and its source
// belong together.
func readPrices(r *reader, e *Entry, n *yaml.Node) {
	e.Prices = Prices{}
	before := len(r.faults)
	object(r, n, "prices", priceFields, &e.Prices)
	if (e.Prices.Input == nil) != (e.Prices.Output == nil) && len(r.faults) == before {
		r.fault(n, "prices: input and output belong together; write 0 for what is free")
	}
}

func readPriced(r *reader, p *Prices, n *yaml.Node) {
	if isNull(n) {
		p.Priced = ""
		return
	}
	if _, err := time.Parse(time.DateOnly, n.Value); err != nil || n.Kind != yaml.ScalarNode {
		r.fault(n, "priced: want a day such as 2026-01-31")
		return
	}
	p.Priced = n.Value
}
