package decode

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Attempted reports whether an answer without readable calls looks like an
// attempt to call one of the named functions: tool calls with broken arguments,
// a text that begins like a call, or one that names a function as calls do. A
// text that only talks about functions is not an attempt.
func Attempted(names []string, result pyval.Value) bool {
	text, ok := result.(pyval.Str)
	if !ok {
		n, sized := pyval.Len(result)
		return sized && n > 0
	}
	if Opens(string(text)) {
		return true
	}
	for _, name := range names {
		if mentions(string(text), name) || mentions(string(text), strings.ReplaceAll(name, ".", "_")) {
			return true
		}
	}
	return false
}

// fences are the marks that models put before a call formatted as code.
var fences = []string{"```python", "```json", "```java", "```javascript", "```xml", "```"}

// Opens reports whether a text begins with name(, a JSON list or object, or a
// tag.
func Opens(text string) bool {
	text = opening(text)
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "<") {
		return true
	}
	end := strings.IndexFunc(text, func(r rune) bool {
		return !(r == '_' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	})
	return end > 0 && text[end] == '('
}

// opening returns a text without the fence and brackets before a call.
func opening(text string) string {
	text = strings.TrimSpace(text)
	for _, fence := range fences {
		if rest, ok := strings.CutPrefix(text, fence); ok {
			text = strings.TrimSpace(rest)
			break
		}
	}
	return strings.TrimLeft(text, "`[ \n")
}

// Begins reports whether a text that no reader takes for calls begins as a call
// of one of the named functions: with an object that is no JSON and names it, or
// with name( and, so that it is no sentence, a bracket before it or at the end.
func Begins(names []string, text string) bool {
	rest := strings.TrimLeft(opening(text), `"'`)
	object := strings.HasPrefix(rest, "{")
	listed := strings.HasPrefix(strings.TrimSpace(text), "[") || strings.HasSuffix(strings.TrimSpace(text), ")")
	if _, err := LoadJSON(rest); object && err == nil {
		return false
	}
	for _, name := range names {
		for _, name := range []string{name, strings.ReplaceAll(name, ".", "_")} {
			if object && mentions(rest, name) || listed && strings.HasPrefix(rest, name+"(") {
				return true
			}
		}
	}
	return false
}

// mentions reports whether a text contains name( or the name in quotes.
func mentions(text, name string) bool {
	if name == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		next := byte(0)
		if to < len(text) {
			next = text[to]
		}
		if next == '(' || from > 0 && (next == '"' || next == '\'') && text[from-1] == next {
			return true
		}
		at = to
	}
}
