package provider

import (
	"strconv"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Fault is an error that a server reports in a reply with a status of
// success. Replies with a status of failure are the transport's errors.
type Fault struct {
	// Status is the HTTP status in the reply itself, or 0.
	Status int
	// Code is the provider's code for it, such as "rate_limit_exceeded".
	Code string
	// Message is the provider's message.
	Message string
}

// faultIn returns the fault in a reply, nil if there is none: {"error": ...},
// as in the replies of routers such as OpenRouter and in failed Responses, or
// {"object": "error", ...}.
func faultIn(reply *pyval.Dict) *Fault {
	if e := Get(reply, "error"); pyval.Truth(e) {
		return FaultOf(e)
	}
	if Text(reply, "object") == "error" {
		return FaultOf(reply)
	}
	return nil
}

// FaultOf reads an error object, or any other value as a message.
func FaultOf(e pyval.Value) *Fault {
	f := &Fault{Message: textOf(Get(e, "message")), Code: Text(e, "type")}
	if f.Message == "" {
		f.Message = textOf(e)
	}
	for _, key := range []string{"status", "code"} {
		code := textOf(Get(e, key))
		if n, err := strconv.Atoi(code); err == nil && n >= 300 && n <= 599 {
			f.Status = n
		} else if code != "" {
			f.Code = code
		}
	}
	return f
}

func textOf(v pyval.Value) string {
	switch v := v.(type) {
	case pyval.NoneType:
		return ""
	case pyval.Str:
		return string(v)
	}
	text, _ := pyval.JSON(v, pyval.JSONUnicode)
	return text
}

// Infra returns the fault as the transport's own error, so that callers need
// not know how it was reported.
func (f *Fault) Infra() error {
	e := &transport.Error{Kind: transport.KindOf(f.Status, f.Code), Status: f.Status, Message: "the server reports an error"}
	if f.Code != "" {
		e.Message += " (" + quote(f.Code) + ")"
	}
	if f.Message != "" {
		e.Message += ": " + quote(f.Message)
	}
	if e.Understand(f.Code, f.Message) {
		return transport.AsInfra(e)
	}
	// 403 is also how routers refuse a single request.
	e.Fatal = f.Status != 403 && (e.Kind == transport.Unauthorized || e.Kind == transport.Quota)
	return transport.AsInfra(e)
}

// maxQuote bounds what is quoted of a reply, in bytes.
const maxQuote = 500

// quote returns a server's text, quoted and capped.
func quote(s string) string {
	if len(s) <= maxQuote {
		return strconv.Quote(s)
	}
	cut := maxQuote
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "…"
}
