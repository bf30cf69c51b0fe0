package pycall

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A joiner joins adjacent string literals into one text or, if one of them is
// an f-string, into a kFString. It follows CPython 3.11, where f-strings are
// string tokens that are parsed once more.
type joiner struct {
	p         *parser
	pos       int
	formatted bool
	text      []byte // literal text since the last formatted value
	first     *node  // formatted values and texts so far, linked through next
	last      *node
	depth     int32
}

func (j *joiner) literal(l literal) {
	if l.formatted {
		f := fstring{joiner: j, src: l.body, raw: l.raw}
		f.parts(0)
		return
	}
	text, err := decodeText(l)
	if err != nil {
		j.p.syntax(j.pos, err.Error())
		return
	}
	j.text = append(j.text, text...)
}

func (j *joiner) push(n *node) {
	if j.last == nil {
		j.first = n
	} else {
		j.last.next = n
	}
	j.last, j.depth = n, max(j.depth, n.depth)
}

func (j *joiner) flush() {
	if len(j.text) == 0 {
		return
	}
	n := j.p.new(kConst, j.pos)
	n.val = pyval.Str(j.text)
	j.text = nil
	j.push(n)
}

func (j *joiner) finish(pos int) *node {
	j.flush()
	n := j.p.new(kFString, pos)
	n.first, n.last, n.depth = j.first, j.last, j.depth+1
	if n.depth > maxDepth {
		return j.p.fail("RecursionError", pos, "nested too deeply")
	}
	return n
}

// An fstring reads the body of an f-string, or one of its format specs.
type fstring struct {
	*joiner
	src string
	i   int
	raw bool
}

func (f *fstring) at() byte {
	if f.i < len(f.src) {
		return f.src[f.i]
	}
	return 0
}

func (f *fstring) more() bool { return f.p.err == nil && f.i < len(f.src) }

func (f *fstring) syntax(msg string) { f.p.syntax(f.pos, "f-string: "+msg) }

// parts reads texts and values: at level 0 up to the end of the body, at deeper
// levels up to the brace that ends the format spec.
func (f *fstring) parts(level int) {
	for f.more() {
		f.literalPart(level)
		if !f.more() || f.at() == '}' {
			break
		}
		if f.at() == '{' {
			f.value(level)
		}
	}
	if level == 0 && f.more() {
		f.syntax("unexpected end of string")
	}
}

// literalPart reads text up to a brace. A doubled brace at level 0 ends up in
// the text once.
func (f *fstring) literalPart(level int) {
	start := f.i
	for f.i < len(f.src) {
		c := f.src[f.i]
		f.i++
		if c == '\\' && !f.raw && f.i < len(f.src) {
			if c = f.src[f.i]; c != '{' && c != '}' {
				f.skipEscape()
				continue
			}
			f.i++
		}
		if c != '{' && c != '}' {
			continue
		}
		if level == 0 && f.at() == c {
			f.textPart(start, f.i)
			f.i++
			start = f.i
			continue
		}
		if level == 0 && c == '}' {
			f.syntax("single '}' is not allowed")
			return
		}
		f.i--
		break
	}
	f.textPart(start, f.i)
}

// skipEscape moves over the character after a backslash and, since braces of
// \N{name} are not values, over the name.
func (f *fstring) skipEscape() {
	c := f.src[f.i]
	f.i++
	if c != 'N' || f.i >= len(f.src) {
		return
	}
	c = f.src[f.i]
	f.i++
	if c != '{' {
		return
	}
	if n := strings.IndexByte(f.src[f.i:], '}'); n >= 0 {
		f.i += n + 1
	} else {
		f.i = len(f.src)
	}
}

func (f *fstring) textPart(start, end int) {
	text, err := decodeText(literal{body: f.src[start:end], raw: f.raw})
	if err != nil {
		f.syntax(err.Error())
		return
	}
	f.text = append(f.text, text...)
}

// value reads {expression}, with "=", conversion and format spec.
func (f *fstring) value(level int) {
	if level >= 2 {
		f.syntax("expressions nested too deeply")
		return
	}
	f.i++
	start := f.i
	f.i = expressionEnd(f.src, start, f.syntax)
	if f.p.err != nil {
		return
	}
	n := f.p.new(kFormatted, f.pos, f.expression(f.src[start:f.i]))
	shown := false
	if f.at() == '=' {
		shown = true
		for f.i++; f.i < len(f.src) && strings.IndexByte(" \t\n\r\v\f", f.src[f.i]) >= 0; {
			f.i++
		}
		f.text = append(f.text, f.src[start:f.i]...)
	}
	if f.at() == '!' {
		f.i++
		n.op = f.at()
		f.i++
		if n.op != 's' && n.op != 'r' && n.op != 'a' {
			f.syntax("invalid conversion character: expected 's', 'r', or 'a'")
		}
	}
	if f.at() == ':' && f.p.err == nil {
		f.i++
		spec := fstring{joiner: &joiner{p: f.p, pos: f.pos}, src: f.src, i: f.i, raw: f.raw}
		spec.parts(level + 1)
		f.i = spec.i
		f.p.add(n, spec.finish(f.pos))
	} else if shown && n.op == 0 {
		n.op = 'r'
	}
	if f.at() != '}' {
		f.syntax("expecting '}'")
		return
	}
	f.i++
	f.flush()
	f.push(n)
}

// expression parses the text between braces as if in parentheses.
func (f *fstring) expression(text string) *node {
	p := f.p
	if strings.Trim(text, " \t\n\f\r") == "" {
		return p.syntax(f.pos, "f-string: empty expression not allowed")
	}
	outer := *p
	p.src, p.end, p.brackets, p.lineStart = "("+text+")", 0, 0, true
	p.advance()
	n := p.starExpression()
	if p.tok != tEnd {
		p.unexpected()
	}
	p.src, p.end, p.pos, p.quote, p.brackets = outer.src, outer.end, outer.pos, outer.quote, outer.brackets
	p.lineStart, p.text = outer.lineStart, outer.text
	if p.err == nil {
		p.tok = outer.tok
	}
	return n
}

// expressionEnd is where the expression that starts at i ends: at a "}", ":",
// "=" or "!" outside brackets and strings.
func expressionEnd(src string, i int, fail func(string)) int {
	var open []byte
	for i < len(src) {
		switch c := src[i]; c {
		case '\\':
			fail("expression part cannot include a backslash")
			return i
		case '#':
			fail("expression part cannot include '#'")
			return i
		case '\'', '"':
			if i = stringEnd(src, i); i < 0 {
				fail("unterminated string or backslash in it")
				return len(src)
			}
			continue
		case '(', '[', '{':
			open = append(open, c+1+c>>6)
		case '!', ':', '}', '=', '<', '>':
			if len(open) > 0 && c == '}' {
				open = closeBracket(open, c, fail)
				break
			}
			if len(open) > 0 || c == '<' || c == '>' {
				if len(open) == 0 && strings.HasPrefix(src[i+1:], "=") {
					i++
				}
				break
			}
			if c != ':' && c != '}' && strings.HasPrefix(src[i+1:], "=") {
				i++
				break
			}
			return i
		case ')', ']':
			if open = closeBracket(open, c, fail); open == nil {
				return i
			}
		}
		i++
	}
	fail("expecting '}'")
	return i
}

// closeBracket takes the bracket that c closes off the stack. If c closes no
// bracket, it fails and returns nil.
func closeBracket(open []byte, c byte, fail func(string)) []byte {
	if len(open) == 0 || open[len(open)-1] != c {
		fail("unmatched closing bracket")
		return nil
	}
	return open[:len(open)-1]
}

// stringEnd is the index after the string literal at i, or -1 if it does not
// end or holds a backslash.
func stringEnd(src string, i int) int {
	quote := src[i : i+1]
	if strings.HasPrefix(src[i+1:], quote+quote) {
		quote = src[i : i+3]
	}
	body := i + len(quote)
	n := strings.Index(src[body:], quote)
	if n < 0 || strings.IndexByte(src[body:body+n], '\\') >= 0 {
		return -1
	}
	return body + n + len(quote)
}
