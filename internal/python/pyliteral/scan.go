package pyliteral

import (
	"fmt"
	"strings"
)

// A SyntaxError says where a module cannot be read.
type SyntaxError struct {
	Line int // from 1
	Msg  string
}

// Error is "line n: message".
func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// maxDepth bounds open brackets.
const maxDepth = 1000

// A scanner cuts a module into logical lines and finds its texts. It knows only
// the tokens that it needs for that: strings, comments and brackets.
type scanner struct {
	src      string
	pos      int
	line     int
	brackets []byte
	// statement is called with the start, the end and the first line's number
	// of each logical line.
	statement func(start, end, line int)
	// run is called with each run of string literals side by side.
	run func(start, end int)

	begin, beginLine int // of the logical line
	runBegin, runEnd int
}

// scan reads the whole module.
func (s *scanner) scan() error {
	s.line, s.beginLine, s.begin, s.runBegin = 1, 1, -1, -1
	for s.pos < len(s.src) {
		if err := s.step(s.src[s.pos]); err != nil {
			return err
		}
	}
	if n := len(s.brackets); n > 0 {
		return s.fail("the file ends inside %q", s.brackets[n-1])
	}
	s.endRun()
	s.endStatement()
	return nil
}

func (s *scanner) fail(format string, args ...any) error {
	return &SyntaxError{s.line, fmt.Sprintf(format, args...)}
}

// step reads one token's worth.
func (s *scanner) step(c byte) error {
	switch {
	case c == '\n':
		s.newline()
		return nil
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		s.pos++
		return nil
	case c == '\\':
		return s.continuation()
	case c == '#':
		for s.pos < len(s.src) && s.src[s.pos] != '\n' {
			s.pos++
		}
		return nil
	}
	if s.begin < 0 {
		s.begin, s.beginLine = s.pos, s.line
	}
	switch {
	case c == '"' || c == '\'':
		return s.text(s.pos)
	case nameByte(c):
		return s.word()
	}
	s.endRun()
	s.pos++
	return s.bracket(c)
}

func (s *scanner) newline() {
	s.pos++
	if len(s.brackets) == 0 {
		s.endRun()
		s.endStatement()
	}
	s.line++
}

// continuation is a backslash that joins two lines.
func (s *scanner) continuation() error {
	rest := strings.TrimPrefix(s.src[s.pos+1:], "\r")
	if !strings.HasPrefix(rest, "\n") {
		return s.fail("a backslash in the middle of a line")
	}
	s.pos = len(s.src) - len(rest) + 1
	s.line++
	return nil
}

var opening = map[byte]byte{')': '(', ']': '[', '}': '{'}

func (s *scanner) bracket(c byte) error {
	switch c {
	case '(', '[', '{':
		if len(s.brackets) >= maxDepth {
			return s.fail("nested too deeply")
		}
		s.brackets = append(s.brackets, c)
	case ')', ']', '}':
		n := len(s.brackets)
		if n == 0 || s.brackets[n-1] != opening[c] {
			return s.fail("%q closes no bracket", c)
		}
		s.brackets = s.brackets[:n-1]
	}
	return nil
}

// word reads a name or a number; one right before a quote is the prefix of a
// string literal.
func (s *scanner) word() error {
	start := s.pos
	for s.pos < len(s.src) && nameByte(s.src[s.pos]) {
		s.pos++
	}
	word := strings.ToLower(s.src[start:s.pos])
	if s.pos < len(s.src) && (s.src[s.pos] == '"' || s.src[s.pos] == '\'') && len(word) <= 2 && strings.Trim(word, "rbuf") == "" {
		return s.text(start)
	}
	s.endRun()
	return nil
}

// text reads a string literal, whose prefix begins at start.
func (s *scanner) text(start int) error {
	quote, line := s.src[s.pos:s.pos+1], s.line
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s.src[s.pos:], triple) {
		quote = triple
	}
	for i := s.pos + len(quote); i < len(s.src); i++ {
		switch {
		case strings.HasPrefix(s.src[i:], quote):
			if s.runBegin < 0 {
				s.runBegin = start
			}
			s.pos = i + len(quote)
			s.runEnd = s.pos
			return nil
		case s.src[i] == '\\':
			if i++; i < len(s.src) && s.src[i] == '\n' {
				s.line++
			}
		case s.src[i] == '\n':
			if len(quote) == 1 {
				return s.fail("a string literal is not closed")
			}
			s.line++
		}
	}
	s.line = line
	return s.fail("a string literal is not closed")
}

func (s *scanner) endRun() {
	if s.runBegin >= 0 {
		s.run(s.runBegin, s.runEnd)
		s.runBegin = -1
	}
}

func (s *scanner) endStatement() {
	if s.begin >= 0 {
		s.statement(s.begin, s.pos, s.beginLine)
		s.begin = -1
	}
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
