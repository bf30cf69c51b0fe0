package transport

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// A complaint is the content of an error reply's body.
type complaint struct {
	text string
	// code has the provider's codes for the error, such as
	// "insufficient_quota", in one string.
	code string
	// delay is the wait that the body asks for (Google's RetryInfo).
	delay time.Duration
	// status is an HTTP status inside the body.
	status int
	// failed is the model's answer that the server could not read.
	failed string
}

// readComplaint reads the error bodies of the providers: an object under
// "error", or in a list; "message"; "detail"; a web page; plain text.
func readComplaint(body []byte) complaint {
	text := strings.TrimSpace(string(body))
	var v any
	if json.Unmarshal(body, &v) != nil {
		return complaint{text: pageText(text)}
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	top, ok := v.(map[string]any)
	if !ok {
		return complaint{text: text}
	}
	var c complaint
	c.take(top)
	if inner, ok := top["error"].(map[string]any); ok {
		c.take(inner)
	}
	if c.text == "" {
		c.text = text
	}
	return c
}

// take reads one object. What it says takes precedence over what was said
// outside it.
func (c *complaint) take(o map[string]any) {
	for _, name := range []string{"detail", "Message", "error", "message"} {
		switch said := o[name].(type) {
		case string:
			c.text = said
		case []any:
			if text, err := json.Marshal(said); err == nil {
				c.text = string(text)
			}
		}
	}
	for _, name := range []string{"code", "type", "status", "__type"} {
		if word, ok := o[name].(string); ok {
			c.code += " " + word
		}
	}
	if text, ok := o["failed_generation"].(string); ok { // Groq's
		c.failed = text
	}
	if n, ok := o["code"].(float64); ok && n >= 400 && n < 600 {
		c.status = int(n)
	}
	if meta, ok := o["metadata"].(map[string]any); ok {
		if raw, ok := meta["raw"].(string); ok && raw != "" {
			c.text += ": " + raw
		}
	}
	c.details(o["details"])
}

// details reads google.rpc error details.
func (c *complaint) details(v any) {
	list, _ := v.([]any)
	for _, item := range list {
		detail, _ := item.(map[string]any)
		if reason, ok := detail["reason"].(string); ok {
			c.code += " " + reason
		}
		if text, ok := detail["retryDelay"].(string); ok {
			if d, err := time.ParseDuration(text); err == nil && d > 0 {
				c.delay = min(d, forever)
			}
		}
	}
}

var (
	pageTitle = pattern.Of(`(?is)<title[^>]*>(.*?)</title>`)
	loginPage = pattern.Of(`(?is)<input[^>]+type=["']?password|<title[^>]*>[^<]*\b(log ?in|sign ?in|single sign-on|sso|authenticat\w*|anmeld\w*)\b`)
	pageStart = pattern.Of(`(?is)^\s*(<!doctype html|<html|<head|<body)`)
)

// pageText returns a web page's title, and any other text as it is.
func pageText(text string) string {
	if !pageStart().MatchString(text) {
		return text
	}
	if m := pageTitle().FindStringSubmatch(text); m != nil {
		return "a web page: " + strings.Join(strings.Fields(m[1]), " ")
	}
	return "a web page"
}

// errorStatus returns the HTTP status of an error that came with status 200, as
// OpenRouter sends it, or 0. A reply that has choices is an answer.
func errorStatus(body []byte) int {
	head := body[:min(len(body), 512)]
	if !bytes.Contains(head, []byte(`"error"`)) {
		return 0
	}
	var reply struct {
		Error   json.RawMessage
		Choices json.RawMessage
	}
	var list []json.RawMessage // Google's form of an error
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	if json.Unmarshal(body, &reply) != nil || reply.Choices != nil {
		return 0
	}
	var inner struct{ Code float64 }
	if json.Unmarshal(reply.Error, &inner) != nil || inner.Code < 400 || inner.Code >= 600 {
		return 0
	}
	return int(inner.Code)
}
