// Package say writes texts for people: numbers with their nouns, names that are
// near to a wrong one, tables, and text from outside that is safe to print. Test
// output is line based: a raw control byte or a crafted "--- PASS" line in a
// model's answer would forge results. Every such text is quoted and capped here
// before it reaches a log, a terminal, JUnit or Markdown.
package say

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Quote makes a text safe to print: as a Go string literal with control,
// format and bidirectional characters escaped, cut to at most limit bytes.
func Quote(s string, limit int) string {
	if len(s) <= limit {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(Cut(s, limit)), len(s))
}

// Plain quotes prose, as Quote does, without the quotation marks.
func Plain(s string, limit int) string {
	q := Quote(s, limit)
	end := strings.LastIndexByte(q, '"')
	return strings.ReplaceAll(q[1:end], `\"`, `"`) + q[end+1:]
}

// Cut returns the beginning of s, at most limit bytes, without splitting a
// character.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// Printable makes a text printable that was quoted before, such as one read
// back from a report: it escapes only characters that do not print, so that
// nothing is escaped twice, and cuts to at most limit bytes.
func Printable(s string, limit int) string {
	end := ""
	if len(s) > limit {
		s, end = Cut(s, limit), "…"
	}
	if !strings.ContainsFunc(s, unprintable) {
		return s + end
	}
	var b strings.Builder
	for _, r := range s {
		if unprintable(r) {
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String() + end
}

// JSON escapes what does not print in a JSON text, so that it cannot control a
// terminal. The meaning stays the same: such characters occur only in strings.
func JSON(text []byte) []byte {
	hidden := func(r rune) bool { return r >= utf8.RuneSelf-1 && !unicode.IsPrint(r) }
	if !bytes.ContainsFunc(text, hidden) {
		return text
	}
	out := make([]byte, 0, len(text)+len(text)/8)
	for _, r := range string(text) {
		if !hidden(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }

// ShellWord quotes a word of a command for a shell if it needs quoting.
func ShellWord(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,@+%"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	if Printable(word, len(word)) != word {
		return dollarQuote(word)
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// dollarQuote writes a word that holds what must not be printed as $'…', which
// POSIX's shells read with the escapes of C and expand nothing in.
func dollarQuote(word string) string {
	var b strings.Builder
	for i := range len(word) {
		if c := word[i]; c < ' ' || c > '~' || c == '\'' || c == '\\' {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	return "$'" + b.String() + "'"
}

// EncodeJSON writes a value as JSON that cannot control a terminal.
func EncodeJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(JSON(b.Bytes()))
	return err
}

// markdown escapes the characters with a meaning in GitHub's and GitLab's
// Markdown as entities, which have none.
var markdown = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;", "*", "&#42;", "~", "&#126;",
	"[", "&#91;", "]", "&#93;", "#", "&#35;", "@", "&#64;", `\`, "&#92;", "://", "&#58;//", "www.", "www&#46;",
)

// Markdown makes a text safe in a Markdown table: escaped and capped as by
// Plain, without links, images, mentions and formatting.
func Markdown(s string, limit int) string { return PlainMarkdown(Plain(s, limit)) }

// PlainMarkdown escapes a printable text for Markdown.
func PlainMarkdown(s string) string { return markdown.Replace(s) }
