package pycall

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var allQuotes = []string{"'", `"`, `"""`, "'''"}

// fstring writes an f-string: Python's _Unparser.visit_JoinedStr. All parts
// must agree on quotes; if they do not, repr's escapes are used.
func (w *unparser) fstring(n *node) {
	w.text("f")
	if w.plain {
		w.quoted(w.inner(n))
		return
	}
	quotes, parts := allQuotes, make([]string, 0, 4)
	for v := n.first; v != nil; v = v.next {
		part, possible := literalText(w.inner(v), quotes, v.kind == kConst)
		if !slices.ContainsFunc(possible, func(q string) bool { return slices.Contains(quotes, q) }) {
			w.text("'''")
			for v := n.first; v != nil; v = v.next {
				text := pyval.Repr(pyval.Str(`"` + w.inner(v)))
				w.text(text[2 : len(text)-1])
			}
			w.text("'''")
			return
		}
		quotes, parts = possible, append(parts, part)
	}
	w.text(quotes[0], strings.Join(parts, ""), quotes[0])
}

// inner is the source text of an f-string's part, before quoting.
func (w *unparser) inner(n *node) string {
	switch n.kind {
	case kConst:
		s, _ := n.val.(pyval.Str)
		return strings.NewReplacer("{", "{{", "}", "}}").Replace(string(s))
	case kFormatted:
		return w.formatted(n)
	}
	var b strings.Builder
	for v := n.first; v != nil; v = v.next {
		b.WriteString(w.inner(v))
	}
	return b.String()
}

func (w *unparser) formatted(n *node) string {
	in := unparser{p: w.p, plain: true}
	in.expr(n.first, precOr)
	expr := string(in.out)
	if strings.IndexByte(expr, '\\') >= 0 {
		w.p.fail("ValueError", int(n.pos), "Unable to avoid backslash in f-string expression part")
	}
	if strings.HasPrefix(expr, "{") {
		expr = " " + expr
	}
	if n.op != 0 {
		expr += "!" + string(rune(n.op))
	}
	if spec := n.second(); spec != nil {
		expr += ":" + w.inner(spec)
	}
	return "{" + expr + "}"
}

// quoted writes a literal with as few backslashes as possible.
func (w *unparser) quoted(s string) {
	text, quotes := literalText(s, allQuotes, false)
	w.text(quotes[0], text, quotes[0])
}

// literalText is Python's _Unparser._str_literal_helper: the text between the
// quotes, and the quotes that may enclose it.
func literalText(s string, quotes []string, escapeBlanks bool) (string, []string) {
	text := escapeUnprintable(s, escapeBlanks)
	possible := make([]string, 0, len(quotes))
	multiline := strings.Contains(text, "\n")
	for _, q := range quotes {
		if !strings.Contains(text, q) && (!multiline || len(q) == 3) {
			possible = append(possible, q)
		}
	}
	if len(possible) == 0 {
		text := pyval.Repr(pyval.Str(s))
		quote := text[:1]
		for _, q := range quotes {
			if strings.Contains(q, quote) {
				quote = q
				break
			}
		}
		return text[1 : len(text)-1], []string{quote}
	}
	if text == "" {
		return text, possible
	}
	last := text[len(text)-1]
	possible = append(endingOther(possible, last, true), endingOther(possible, last, false)...)
	if possible[0][0] == last {
		text = text[:len(text)-1] + `\` + string(last)
	}
	return text, possible
}

// endingOther returns the quotes that differ from the last character or, if
// differ is false, those that do not.
func endingOther(quotes []string, last byte, differ bool) []string {
	var out []string
	for _, q := range quotes {
		if (q[0] != last) == differ {
			out = append(out, q)
		}
	}
	return out
}

// escapeUnprintable escapes backslashes and what is not str.isprintable in
// Python; newlines and tabs only if blanks is set.
func escapeUnprintable(s string, blanks bool) string {
	var out []byte
	for i := 0; i < len(s); {
		_, size := pyval.DecodeRune(s[i:])
		c := s[i : i+size]
		i += size
		if !blanks && (c == "\n" || c == "\t") || c == "'" {
			out = append(out, c...)
			continue
		}
		text := pyval.AppendRepr(nil, pyval.Str(c))
		out = append(out, text[1:len(text)-1]...)
	}
	return string(out)
}
