package catalog

import (
	"maps"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/tool"
)

// An Entry is one model. The tags are the keys of a model in the file, and in
// `models --json`; docs/models.md describes the former, and a test keeps the two
// the same.
type Entry struct {
	// Name is what selects the model in -model; for a model that is not in a
	// catalogue it is what the user wrote.
	Name string `json:"name"`
	// Aliases are other names, and other ids by which the provider knows
	// the model.
	Aliases []string `yaml:"aliases" json:"aliases,omitempty"`
	// Adapter is the kind of adapter that asks it.
	Adapter string `yaml:"adapter" json:"adapter"`
	// ID is the model's id as the server knows it.
	ID string `yaml:"id" json:"id"`
	// BaseURL is the server's address; "" means the adapter's own default. It
	// may hold ${VAR}.
	BaseURL string `yaml:"base_url" json:"base_url,omitempty"`
	// Mode is how calls are made: as tool calls or as text. "" leaves it to the
	// adapter.
	Mode eval.Mode `yaml:"mode" json:"mode,omitempty"`
	// Dialect is how the model writes calls if no server reads them for it, and
	// how upstream's result files of it are read: a name of package dialect, ""
	// if it is not known.
	Dialect string `yaml:"dialect" json:"dialect,omitempty"`
	// Parameters are sent with each request.
	Parameters Parameters `yaml:"parameters" json:"-"`
	// Extra are fields of the request's body.
	Extra map[string]any `yaml:"extra" json:"-"`
	// Wire is how the server's protocol differs from the adapter's own.
	Wire Wire `yaml:",inline" json:"-"`
	// Headers are sent with each request. Their values may hold ${VAR} but
	// never a key itself.
	Headers map[string]string `yaml:"headers" json:"-"`
	// Key is the environment variable that holds the key; "" means the
	// provider's convention.
	Key string `yaml:"key" json:"-"`
	// KeyCommand is a command that prints the key, for short-lived keys.
	KeyCommand string `yaml:"key_command" json:"-"`
	// Prices say what the model costs.
	Prices `yaml:"prices"`
	// UnderscoreToDot says whether the model sees dots in function names as
	// underscores; nil means the mode's default.
	UnderscoreToDot *bool `yaml:"underscore_to_dot" json:"-"`
	// Concurrency is the number of cases in flight; 0 means the adapter's
	// default.
	Concurrency int `yaml:"concurrency" json:"-"`
	// RPM and TPM are the endpoint's limits of requests and tokens per minute;
	// 0 means not known.
	RPM int `yaml:"rpm" json:"-"`
	TPM int `yaml:"tpm" json:"-"`
	// DisplayName, Organization, License and URL are for tables.
	DisplayName  string `yaml:"display_name" json:"display_name,omitempty"`
	Organization string `yaml:"organization" json:"organization,omitempty"`
	License      string `yaml:"license" json:"license,omitempty"`
	URL          string `yaml:"url" json:"url,omitempty"`
	// Origin is the file and line the entry comes from; "" for a model that is
	// in no file.
	Origin string `json:"origin,omitempty"`
}

// A Wire says how a server's protocol differs from the adapter's own. Unset
// fields mean the adapter's default.
type Wire struct {
	// ToolStyle is the form of tool schemas in Chat Completions.
	ToolStyle tool.Style `yaml:"tool_style"`
	// MaxTokensField is the field of Chat Completions that limits the answer.
	MaxTokensField string `yaml:"max_tokens_field"`
	// FunctionsAs is the form in which upstream describes the functions to the
	// model, if it is not the mode's own; see completion.Chat.
	FunctionsAs string `yaml:"functions_as"`
	// Stream says whether answers come as streams, for servers that know no
	// other way.
	Stream *bool `yaml:"stream"`
	// RepeatReasoning says whether the model's reasoning is sent back to it
	// with its message.
	RepeatReasoning *bool `yaml:"repeat_reasoning"`
	// Strict is the `strict` of tool schemas.
	Strict *bool `yaml:"strict"`
}

// Streams reports whether answers come as streams.
func (w Wire) Streams() bool { return w.Stream != nil && *w.Stream }

// Parameters are sent with each request; unset ones mean the adapter's default.
type Parameters struct {
	Temperature     *float64 `yaml:"temperature"`
	ReasoningEffort string   `yaml:"reasoning_effort"`
	MaxTokens       int      `yaml:"max_tokens"`
}

// Prices are in dollars. A nil price is not known; 0 means free.
type Prices struct {
	// Input and Output are per million tokens; both or neither is set.
	Input  *float64 `yaml:"input" json:"input_price,omitempty"`
	Output *float64 `yaml:"output" json:"output_price,omitempty"`
	// GPUHour is the price of an hour on all the GPUs that serve the model.
	GPUHour *float64 `yaml:"gpu_hour" json:"gpu_hour_price,omitempty"`
	// CharsPerToken is about how many characters make a token, for servers
	// whose replies do not count tokens; nil means no estimate.
	CharsPerToken *float64 `yaml:"chars_per_token" json:"-"`
	// Priced is the day the prices were looked up, as 2006-01-02; Source
	// is the page.
	Priced string `yaml:"priced" json:"priced,omitempty"`
	Source string `yaml:"source" json:"price_source,omitempty"`
}

// Known reports whether the price of the model's tokens is known.
func (p Prices) Known() bool { return p.Input != nil && p.Output != nil }

// Cost returns what tokens cost in dollars, unrounded; 0 if no price is known. It
// is the formula of upstream's get_cost_latency_info, which sums all tokens of a
// run first and rounds last.
func (p Prices) Cost(in, out int) float64 {
	if !p.Known() {
		return 0
	}
	return float64(in)*(*p.Input)/1e6 + float64(out)*(*p.Output)/1e6
}

// SetHeader sets a header. It replaces one whose name differs only by case, since
// only one of them would be sent.
func (e *Entry) SetHeader(name, value string) {
	e.dropHeader(name)
	if e.Headers == nil {
		e.Headers = map[string]string{}
	}
	e.Headers[name] = value
}

func (e *Entry) dropHeader(name string) {
	maps.DeleteFunc(e.Headers, func(there, _ string) bool { return strings.EqualFold(there, name) })
}

// clone returns a copy that shares nothing that reading a file may change.
func (e Entry) clone() Entry {
	e.Headers, e.Extra = maps.Clone(e.Headers), maps.Clone(e.Extra)
	return e
}
