package failure

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable is for texts that were quoted once, such as those read back from
// a report: it escapes only what does not print, so that nothing is escaped
// twice, and cuts to at most limit bytes.
func Printable(s string, limit int) string {
	end := ""
	if len(s) > limit {
		cut := limit
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s, end = s[:cut], "…"
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

func unprintable(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
