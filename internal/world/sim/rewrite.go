package sim

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// rewrite is upstream's process_method_calls: before every "(", a word that
// the table knows gets the instance's name and a dot in front, and white
// space between any word and the "(" goes. Upstream does so in the whole
// text, also inside string literals, and so a stored text can change.
func rewrite(call string, instanceOf func(method string) (instance string, ok bool)) string {
	var out []byte
	done := 0
	for i := 0; ; {
		next := strings.IndexByte(call[i:], '(')
		if next < 0 {
			break
		}
		paren := i + next
		i = paren + 1
		end := runStart(call[:paren], pyval.IsSpace)
		start := runStart(call[:end], isWord)
		if start == end || !isASCIILetter(rune(call[start])) {
			continue
		}
		instance, known := instanceOf(call[start:end])
		if !known && paren == end {
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(call)+len(instance)+1)
		}
		out = append(out, call[done:start]...)
		if known {
			out = append(append(out, instance...), '.')
		}
		out = append(out, call[start:end]...)
		done = paren
	}
	if out == nil {
		return call
	}
	return string(append(out, call[done:]...))
}

// runStart is where the run of characters of a kind at the end of a text begins.
func runStart(s string, is func(rune) bool) int {
	for len(s) > 0 {
		r, size := utf8.DecodeLastRuneInString(s)
		if !is(r) || r == utf8.RuneError {
			break
		}
		s = s[:len(s)-size]
	}
	return len(s)
}

// isWord is \w of Python's re.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || isASCIILetter(r) || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isASCIILetter(c rune) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// refused is the name for which upstream's execute_multi_turn_func_call
// refuses a rewritten call: the part before the first "(", or of its parts
// between dots the second.
func refused(call string) (name string, is bool) {
	name, _, _ = strings.Cut(call, "(")
	if _, rest, ok := strings.Cut(name, "."); ok {
		name, _, _ = strings.Cut(rest, ".")
	}
	switch name {
	case "kill", "exit", "quit", "remove", "unlink", "popen", "Popen", "run":
		return name, true
	}
	return "", false
}
