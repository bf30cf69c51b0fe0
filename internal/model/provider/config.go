package provider

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/pose/tool"
)

// A Config says which model to ask, where and with what parameters. Printing
// one shows neither the key nor the values of headers.
type Config struct {
	// Model is the model's id as the server knows it; it may have slashes.
	Model string
	// BaseURL is the server's address; "" means OpenAI. A host without a path
	// gets the path /v1, any other path is used as it is, and an address that
	// ends in the protocol's own path (such as /chat/completions) is complete.
	BaseURL string
	// APIVersion is Azure's api-version. If it is set, the requests to an Azure
	// host go to the address of the deployment that Model names.
	APIVersion string
	// Key is sent as a bearer token, and to Azure as api-key. "" sends none.
	Key string `json:"-"`
	// Secrets returns further texts that must not appear in answers, such as
	// the keys that replace Key if it changes; may be nil.
	Secrets func() []string `json:"-"`
	// Headers are sent with each request. One that carries a key
	// (Authorization, Api-Key) replaces Key.
	Headers http.Header `json:"-"`

	// Temperature is sent as it is; nil means DefaultTemperature, or none for
	// a model that refuses it (see RefusesTemperature).
	Temperature *float64
	// MaxTokens limits the answer; 0 leaves it to the server.
	MaxTokens int
	// MaxTokensField is the field of Chat Completions that carries MaxTokens.
	// "" means max_completion_tokens at OpenAI and Azure, and for OpenAI's
	// reasoning models behind any gateway; otherwise it means max_tokens.
	MaxTokensField string
	// ReasoningEffort is "low", "medium", "high" or another word that the model
	// knows; "" sends none.
	ReasoningEffort string
	// Extra are fields of the request's body. They override the adapter's own;
	// the value nil removes a field.
	Extra map[string]any

	// ToolStyle is the form of tool schemas in Chat Completions; "" means
	// tool.OpenAICompletions.
	ToolStyle tool.Style
	// Stream asks for answers as streams, in Chat Completions and Messages.
	Stream bool
	// Strict is the `strict` of tool schemas in OpenAI's protocols; nil leaves
	// it out, as upstream does.
	Strict *bool
	// RepeatReasoning says whether a model of Chat Completions gets its own
	// reasoning back; nil decides by the model's family and the server's
	// refusals.
	RepeatReasoning *bool
	// Google finds Google's default credentials for Vertex AI, and returns what
	// gives an access token of them; nil in builds without.
	Google func() (token func() (string, error), err error)
	// Wording holds the texts of tool schemas. It may be nil for requests
	// without tools.
	Wording *tool.Wording
	// Transport carries the requests; nil means one with default options.
	Transport *transport.Transport
}

// String names the model and the address.
func (c Config) String() string {
	addr := c.BaseURL
	if u, err := parseBase(c.BaseURL); err == nil {
		addr = redacted(u)
	} else if addr != "" {
		addr = "[not an address]"
	}
	key := "none"
	if c.Key != "" {
		key = "[hidden]"
	}
	return fmt.Sprintf("{Model:%q BaseURL:%q Key:%s Headers:%d}", c.Model, addr, key, len(c.Headers))
}

// Format prints String whatever the verb: no verb shows the key.
func (c Config) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// MarshalJSON writes String, so that JSON does not show the key either.
func (c Config) MarshalJSON() ([]byte, error) { return json.Marshal(c.String()) }

// DefaultTemperature is upstream's default for every model.
const DefaultTemperature = 0.001

var reasoning = pattern.Of(`^(o[1-9](-|$)|gpt-5|gpt-oss|codex)`)

// Reasons reports whether a model's name is that of one of OpenAI's reasoning
// models.
func Reasons(model string) bool {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	return reasoning().MatchString(name) && !strings.HasPrefix(name, "gpt-5-chat")
}

// RefusesTemperature reports whether OpenAI refuses a temperature for a model
// of this name. Upstream's OpenAIResponsesHandler has such a list. Open weights
// are not on it, because the servers that run them take a temperature.
func RefusesTemperature(model string) bool {
	return Reasons(model) && !strings.Contains(strings.ToLower(model), "gpt-oss")
}

// TokensField returns the field of Chat Completions that limits an answer.
func (c *Config) TokensField(official bool) string {
	switch {
	case c.MaxTokensField != "":
		return c.MaxTokensField
	case official || RefusesTemperature(c.Model):
		return "max_completion_tokens"
	}
	return "max_tokens"
}
