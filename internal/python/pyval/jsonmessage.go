package pyval

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// JSONException returns the exception that Python's json.loads raises for a
// text that ParseJSON refused with err, in CPython's wording.
func JSONException(text string, err error) *Exception {
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		return Raise("ValueError", "%v", err)
	}
	switch {
	case strings.HasPrefix(syntax.Msg, "nested"):
		return Raise("RecursionError", "maximum recursion depth exceeded while decoding a JSON array from a unicode string")
	case strings.HasPrefix(syntax.Msg, "integer of more"):
		return Raise("ValueError", "Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit",
			maxDigits, digitsAt(text, syntax.Offset))
	}
	at := syntax.Offset
	if strings.HasPrefix(syntax.Msg, `\u`) {
		at = min(at+1, len(text))
	} else if at < len(text) && text[at] == '\\' && strings.HasPrefix(syntax.Msg, "unterminated") {
		at = lastQuote(text[:at])
	}
	return Raise("JSONDecodeError", "%s", positioned(pythonWording(syntax.Msg), text, at))
}

// pythonWording turns the reader's own wording into that of Python's json.
func pythonWording(msg string) string {
	switch {
	case msg == "extra data":
		return "Extra data"
	case strings.HasPrefix(msg, "',' or"):
		return "Expecting ',' delimiter"
	case strings.HasPrefix(msg, "':'"):
		return "Expecting ':' delimiter"
	case strings.HasPrefix(msg, "property name"):
		return "Expecting property name enclosed in double quotes"
	case strings.HasPrefix(msg, "raw control"):
		return "Invalid control character at"
	case strings.HasPrefix(msg, "unterminated"):
		return "Unterminated string starting at"
	case strings.HasPrefix(msg, `\u`):
		return "Invalid \\uXXXX escape"
	case strings.HasPrefix(msg, "unknown escape"):
		return "Invalid \\escape"
	}
	return "Expecting value"
}

// lastQuote is where the unterminated string at the end of the text begins.
func lastQuote(text string) (start int) {
	inside := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			inside, start = !inside, i
		case text[i] == '\\' && inside:
			i++
		}
	}
	return start
}

func positioned(msg, text string, at int) string {
	before := text[:min(at, len(text))]
	start := strings.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("%s: line %d column %d (char %d)", msg, 1+strings.Count(before, "\n"),
		1+utf8.RuneCountInString(before[start:]), utf8.RuneCountInString(before))
}

func digitsAt(text string, at int) (n int) {
	text = strings.TrimPrefix(text[at:], "-")
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}
