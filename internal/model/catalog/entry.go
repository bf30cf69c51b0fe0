package catalog

import (
	"cmp"
	"maps"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/tool"
)

// An Entry is one model. The tags are the keys of a model in the file;
// docs/models.md describes each of them, and a test keeps the two the same.
type Entry struct {
	// Name is what selects the model in -model; for a model that is not in a
	// catalogue it is what the user wrote.
	Name string
	// Aliases are other names, and other ids by which the provider knows
	// the model.
	Aliases []string `yaml:"aliases"`
	// Adapter is the kind of adapter that asks it.
	Adapter string `yaml:"adapter"`
	// ID is the model's id as the server knows it.
	ID string `yaml:"id"`
	// BaseURL is the server's address; "" means the adapter's own default. It
	// may hold ${VAR}.
	BaseURL string `yaml:"base_url"`
	// Mode is how calls are made: as tool calls or as text. "" leaves it to the
	// adapter.
	Mode eval.Mode `yaml:"mode"`
	// Dialect is how the model writes calls if no server reads them for it, and
	// how upstream's result files of it are read: a name of package dialect, ""
	// if it is not known.
	Dialect string `yaml:"dialect"`
	// Parameters are sent with each request.
	Parameters Parameters `yaml:"parameters"`
	// Extra are fields of the request's body.
	Extra map[string]any `yaml:"extra"`
	// Wire is how the server's protocol differs from the adapter's own.
	Wire Wire `yaml:",inline"`
	// Headers are sent with each request. Their values may hold ${VAR} but
	// never a key itself.
	Headers map[string]string `yaml:"headers"`
	// Key is the environment variable that holds the key; "" means the
	// provider's convention.
	Key string `yaml:"key"`
	// KeyCommand is a command that prints the key, for short-lived keys.
	KeyCommand string `yaml:"key_command"`
	// Prices say what the model costs.
	Prices Prices `yaml:"prices"`
	// UnderscoreToDot says whether the model sees dots in function names as
	// underscores; nil means the mode's default.
	UnderscoreToDot *bool `yaml:"underscore_to_dot"`
	// Concurrency is the number of cases in flight; 0 means the adapter's
	// default.
	Concurrency int `yaml:"concurrency"`
	// RPM and TPM are the endpoint's limits of requests and tokens per minute;
	// 0 means not known.
	RPM int `yaml:"rpm"`
	TPM int `yaml:"tpm"`
	// DisplayName, Organization, License and URL are for tables.
	DisplayName  string `yaml:"display_name"`
	Organization string `yaml:"organization"`
	License      string `yaml:"license"`
	URL          string `yaml:"url"`
	// Supports says what is known of the model's function calling.
	Supports Support `yaml:"supports"`
	// Origin is the file and line the entry comes from; "" for a model that is
	// in no file.
	Origin string
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
	Input  *float64 `yaml:"input"`
	Output *float64 `yaml:"output"`
	// GPUHour is the price of an hour on all the GPUs that serve the model.
	GPUHour *float64 `yaml:"gpu_hour"`
	// CharsPerToken is about how many characters make a token, for servers
	// whose replies do not count tokens; nil means no estimate.
	CharsPerToken *float64 `yaml:"chars_per_token"`
	// Priced is the day the prices were looked up, as 2006-01-02; Source
	// is the page.
	Priced string `yaml:"priced"`
	Source string `yaml:"source"`
}

// Abilities say what a model can do in function calling; nil means not known.
type Abilities struct {
	// FC is function calling at all.
	FC *bool `json:"fc,omitempty" yaml:"fc"`
	// Parallel is several calls in one answer.
	Parallel *bool `json:"parallel,omitempty" yaml:"parallel"`
	// Multiple is a choice among several functions.
	Multiple *bool `json:"multiple,omitempty" yaml:"multiple"`
}

// A Support says what is known of a model's function calling: in general, and
// for the languages that differ.
type Support struct {
	Abilities  `yaml:",inline"`
	Python     Abilities `json:"python,omitzero" yaml:"python"`
	Java       Abilities `json:"java,omitzero" yaml:"java"`
	JavaScript Abilities `json:"javascript,omitzero" yaml:"javascript"`
}

// languages are those that a Support distinguishes.
var languages = []string{"python", "java", "javascript"}

// For returns the abilities in a language ("python", "java", "javascript"): the
// language's own, else the general ones.
func (s Support) For(language string) Abilities {
	own := map[string]Abilities{"python": s.Python, "java": s.Java, "javascript": s.JavaScript}[language]
	return Abilities{
		FC:       cmp.Or(own.FC, s.FC),
		Parallel: cmp.Or(own.Parallel, s.Parallel),
		Multiple: cmp.Or(own.Multiple, s.Multiple),
	}
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
