package provider

import (
	"regexp"
	"strings"
)

// DefaultTemperature is upstream's default for every model.
const DefaultTemperature = 0.001

var reasoning = regexp.MustCompile(`^(o[1-9](-|$)|gpt-5|gpt-oss|codex)`)

// Reasons reports whether a model's name is that of one of OpenAI's reasoning
// models.
func Reasons(model string) bool {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	return reasoning.MatchString(name) && !strings.HasPrefix(name, "gpt-5-chat")
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

// temperature returns the temperature to send; ok is false if none is sent.
func (c *Config) temperature() (t float64, ok bool) {
	if c.Temperature != nil {
		return *c.Temperature, true
	}
	return DefaultTemperature, !RefusesTemperature(c.Model)
}
