package catalog

import (
	"errors"
	"regexp"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/kit/pattern"
	"github.com/gobfcl/bfcl/internal/kit/yamlfile"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// fields are the keys of a model in the file. docs/models.md describes each of
// them; a test keeps the two the same.
var fields = []member[Entry]{
	guarded("adapter", matching(adapterName, "the name of an adapter such as openai or anthropic"), func(e *Entry) *string { return &e.Adapter }),
	text("id", func(e *Entry) *string { return &e.ID }),
	{"aliases", readAliases},
	guarded("base_url", guardURL, func(e *Entry) *string { return &e.BaseURL }),
	guarded("mode", guardMode, func(e *Entry) *string { return (*string)(&e.Mode) }),
	guarded("dialect", dialect.Check, func(e *Entry) *string { return &e.Dialect }),
	{"parameters", func(r *yamlfile.Reader, e *Entry, n *yaml.Node) {
		object(r, n, "parameters", parameterFields, &e.Parameters)
	}},
	{"extra", readExtra},
	guarded("tool_style", guardStyle, func(e *Entry) *string { return (*string)(&e.Wire.ToolStyle) }),
	guarded("max_tokens_field", orNone(matching(variableName, "the name of a field such as max_tokens or max_completion_tokens")), func(e *Entry) *string { return &e.Wire.MaxTokensField }),
	guarded("functions_as", completion.CheckChat, func(e *Entry) *string { return &e.Wire.FunctionsAs }),
	truth("stream", func(e *Entry) **bool { return &e.Wire.Stream }),
	truth("repeat_reasoning", func(e *Entry) **bool { return &e.Wire.RepeatReasoning }),
	truth("strict", func(e *Entry) **bool { return &e.Wire.Strict }),
	{"headers", readHeaders},
	guarded("key", guardVariable, func(e *Entry) *string { return &e.Key }),
	guarded("key_command", guardCommand, func(e *Entry) *string { return &e.KeyCommand }),
	{"prices", readPrices},
	truth("underscore_to_dot", func(e *Entry) **bool { return &e.UnderscoreToDot }),
	count("concurrency", func(e *Entry) *int { return &e.Concurrency }),
	count("rpm", func(e *Entry) *int { return &e.RPM }),
	count("tpm", func(e *Entry) *int { return &e.TPM }),
	text("display_name", func(e *Entry) *string { return &e.DisplayName }),
	text("organization", func(e *Entry) *string { return &e.Organization }),
	text("license", func(e *Entry) *string { return &e.License }),
	guarded("url", guardURL, func(e *Entry) *string { return &e.URL }),
	{"supports", func(r *yamlfile.Reader, e *Entry, n *yaml.Node) { object(r, n, "supports", supportFields, &e.Supports) }},
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
	amount("chars_per_token", func(p *Prices) **float64 { return &p.CharsPerToken }),
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
	return member[Support]{language, func(r *yamlfile.Reader, s *Support, n *yaml.Node) {
		object(r, n, "supports."+language, abilityFields, at(s))
	}}
}

// guarded reads a text that must pass a check.
func guarded[T any](name string, check func(string) error, at func(*T) *string) member[T] {
	plain := text(name, at)
	return member[T]{name, func(r *yamlfile.Reader, into *T, n *yaml.Node) {
		before := r.Faults()
		was := *at(into)
		plain.read(r, into, n)
		if err := check(*at(into)); err != nil && r.Faults() == before {
			r.Fault(n, "%s: %v", name, err)
			*at(into) = was
		}
	}}
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

// orNone lets a check pass what is not set.
func orNone(check func(string) error) func(string) error {
	return func(text string) error {
		if text == "" {
			return nil
		}
		return check(text)
	}
}

func readAliases(r *yamlfile.Reader, e *Entry, n *yaml.Node) {
	e.Aliases = nil
	if yamlfile.IsNull(n) {
		return
	}
	if n.Kind != yaml.SequenceNode {
		r.Fault(n, "aliases: want a list of names, found %s", yamlfile.Kind(n))
		return
	}
	for _, item := range n.Content {
		if item = r.Follow(item); item == nil {
			return
		}
		var alias string
		text("aliases", func(s *string) *string { return s }).read(r, &alias, item)
		if alias != "" {
			e.Aliases = append(e.Aliases, alias)
		}
	}
}

// readExtra adds to the fields of an overridden entry. If the whole is null the
// fields are reset; a null value makes the adapter leave the field out.
func readExtra(r *yamlfile.Reader, e *Entry, n *yaml.Node) {
	if yamlfile.IsNull(n) {
		e.Extra = nil
		return
	}
	r.Pairs(n, "extra", func(key string, _, v *yaml.Node) {
		if e.Extra == nil {
			e.Extra = map[string]any{}
		}
		e.Extra[key] = anything(r, v, "extra."+yamlfile.Printable(key), 0)
	})
}

// readHeaders adds to the headers of an overridden entry; null resets them.
func readHeaders(r *yamlfile.Reader, e *Entry, n *yaml.Node) {
	if yamlfile.IsNull(n) {
		e.Headers = nil
		return
	}
	r.Pairs(n, "headers", func(name string, k, v *yaml.Node) {
		value, before := "", r.Faults()
		if v = r.Follow(v); v == nil {
			return
		}
		if yamlfile.IsNull(v) {
			e.dropHeader(name)
			return
		}
		text("headers."+yamlfile.Printable(name), func(s *string) *string { return s }).read(r, &value, v)
		if r.Faults() > before {
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
func readPrices(r *yamlfile.Reader, e *Entry, n *yaml.Node) {
	e.Prices = Prices{}
	before := r.Faults()
	object(r, n, "prices", priceFields, &e.Prices)
	if (e.Prices.Input == nil) != (e.Prices.Output == nil) && r.Faults() == before {
		r.Fault(n, "prices: set both input and output; write 0 for what is free")
	}
}

func readPriced(r *yamlfile.Reader, p *Prices, n *yaml.Node) {
	if yamlfile.IsNull(n) {
		p.Priced = ""
		return
	}
	if _, err := time.Parse(time.DateOnly, n.Value); err != nil || n.Kind != yaml.ScalarNode {
		r.Fault(n, "priced: want a day such as 2026-01-31")
		return
	}
	p.Priced = n.Value
}
