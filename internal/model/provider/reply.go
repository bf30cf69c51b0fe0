package provider

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// parseReply reads a body. Bytes that are not UTF-8 become U+FFFD: a model's
// tokenizer may split a character, and the rest of the answer counts.
func parseReply(text string) (*pyval.Dict, error) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	v, err := pyval.ParseJSON(text)
	if err != nil {
		return nil, eval.Infra(transport.NotJSON, "the reply is not JSON: %w; it begins with %s", err, quote(text))
	}
	reply, ok := v.(*pyval.Dict)
	if list, several := v.(*pyval.List); several && len(list.Items) > 0 { // Google's form of an error
		if first, _ := list.Items[0].(*pyval.Dict); first != nil && faultIn(first) != nil {
			return nil, faultIn(first).Infra()
		}
	}
	if !ok {
		return nil, eval.Infra("bad_reply", "the reply must be a JSON object, not %s: %s", pyval.TypeName(v), quote(text))
	}
	if fault := faultIn(reply); fault != nil {
		return nil, fault.Infra()
	}
	return reply, nil
}

// Get returns a field's value, None if v is not a dict or lacks the field.
func Get(v pyval.Value, key string) pyval.Value {
	if d, ok := v.(*pyval.Dict); ok {
		if field, ok := d.GetStr(key); ok {
			return field
		}
	}
	return pyval.None
}

// Text returns a field's text, "" if it is missing or not a text.
func Text(v pyval.Value, key string) string {
	s, _ := Get(v, key).(pyval.Str)
	return string(s)
}

// Items returns a field's elements, nil if it is missing or not a list.
func Items(v pyval.Value, key string) []pyval.Value {
	if list, ok := Get(v, key).(*pyval.List); ok {
		return list.Items
	}
	return nil
}

// Count returns a field's number of tokens, 0 if it is missing or not a number
// of tokens.
func Count(v pyval.Value, key string) int {
	switch n := Get(v, key).(type) {
	case pyval.Int:
		if i, ok := n.Int64(); ok && i > 0 && i <= 1<<31-1 {
			return int(i)
		}
	case pyval.Float:
		if n > 0 && n <= 1<<31-1 {
			return int(n)
		}
	}
	return 0
}

// Usage returns the tokens that a reply in OpenAI's form states, 0 for those that it
// does not. Some servers leave the reasoning out of the completion: it is part of the
// total, or else more than the completion could hold.
func Usage(reply pyval.Value) (input, output int) {
	usage := Get(reply, "usage")
	input, output = Count(usage, "prompt_tokens"), Count(usage, "completion_tokens")
	if thought := Count(Get(usage, "completion_tokens_details"), "reasoning_tokens"); output > 0 && thought > output {
		output += thought
	}
	if total := Count(usage, "total_tokens"); input > 0 && total > input {
		output = max(output, total-input)
	}
	return input, output
}

// Arguments returns a call's arguments as JSON text. What the model wrote stays
// as it is, even if it is broken. An object, from a server that has already
// read the text, becomes text again. Missing arguments are "", which no decoder
// accepts.
func Arguments(v pyval.Value) string {
	switch v := v.(type) {
	case pyval.Str:
		return string(v)
	case pyval.NoneType:
		return ""
	}
	text, err := pyval.JSON(v, pyval.JSONUnicode)
	if err != nil { // impossible: v came from JSON
		return ""
	}
	return text
}

// Excerpt returns the beginning of a reply, quoted, for messages.
func Excerpt(v pyval.Value) string {
	text, err := pyval.JSON(v, pyval.JSONUnicode|pyval.JSONCompact)
	if err != nil {
		return "?"
	}
	return quote(text)
}
