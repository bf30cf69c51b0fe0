package provider

import (
	"regexp"
	"strings"
)

// DefaultTemperature is upstream's default for every model.
const DefaultTemperature = 0.001

var reasoning = regexp.MustCompile(`^(o[1-9](-|$)|gpt-5|gpt-oss|codex)`)

// Reasons reports whether a model, by its name, is one of OpenAI's that reason
// before they answer.
func Reasons(model string) bool {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	return reasoning.MatchString(name) && !strings.HasPrefix(name, "gpt-5-chat")
}

// RefusesTemperature reports whether OpenAI refuses a temperature for a model
// of this name. Upstream's OpenAIResponsesHandler keeps such a list;
// open weights are not on it, since the servers that run them take one.
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

// Temperature is the temperature to send; ok is false if none is.
func (c *Config) temperature() (t float64, ok bool) {
	if c.Temperature != nil {
		return *c.Temperature, true
	}
	return DefaultTemperature, !RefusesTemperature(c.Model)
}
