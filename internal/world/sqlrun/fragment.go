package sqlrun

import (
	"fmt"
	"strings"
)

// A word is an identifier or keyword of a fragment, with its position and the
// number of parentheses open there.
type word struct {
	text      string // in capitals, without quotes
	at, depth int
	quoted    bool
}

// A fragment is a piece of SQL that a model wrote: a column, a condition.
type fragment struct {
	text  string
	words []word
}

// refused are words that no honest fragment needs and that would reach beyond
// the case's tables, make rows out of nothing or let chance decide.
var refused = map[string]bool{
	"ATTACH": true, "DETACH": true, "PRAGMA": true, "VACUUM": true, "WITH": true, "RECURSIVE": true, "VALUES": true,
	"LOAD_EXTENSION": true, "RANDOM": true, "RANDOMBLOB": true, "READFILE": true, "WRITEFILE": true, "RETURNING": true,
	"CURRENT_DATE": true, "CURRENT_TIME": true, "CURRENT_TIMESTAMP": true,
}

// inner begin the names of the engine's own tables.
var inner = []string{"SQLITE_", "PRAGMA_", "DBSTAT", "FTS5"}

// longest bounds a fragment, in bytes.
const longest = 4000

// readFragment finds a fragment's words. It refuses what would end the
// statement that the fragment becomes part of, or hide a part of it.
func readFragment(text string) (*fragment, error) {
	if len(text) > longest {
		return nil, fmt.Errorf("a text of %d bytes is longer than %d", len(text), longest)
	}
	s := scanner{text: text}
	for s.at < len(text) {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	if s.depth != 0 {
		return nil, fmt.Errorf("parentheses do not match in %.200q", text)
	}
	return &fragment{text: text, words: s.words}, nil
}

type scanner struct {
	text      string
	at, depth int
	words     []word
}

// closing are the quotes that end what others begin.
var closing = map[byte]byte{'\'': '\'', '"': '"', '`': '`', '[': ']'}

func (s *scanner) next() error {
	c := s.text[s.at]
	rest := s.text[s.at:]
	switch {
	case c == ';' || c == 0 || strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "/*"):
		return fmt.Errorf("only one statement without comments is run, not %.200q", s.text)
	case c == '(':
		s.depth++
	case c == ')':
		if s.depth--; s.depth < 0 {
			return fmt.Errorf("parentheses do not match in %.200q", s.text)
		}
	case c == '?' || c == '@' || c == ':' || c == '$':
		return fmt.Errorf("there is no value for %q in %.200q", string(c), s.text)
	case closing[c] != 0:
		return s.quoted(closing[c])
	case isWord(c):
		return s.word()
	}
	s.at++
	return nil
}

// quoted passes over a quoted text; a doubled quote is part of it.
func (s *scanner) quoted(end byte) error {
	from := s.at + 1
	for i := from; i < len(s.text); i++ {
		switch {
		case s.text[i] != end:
		case end != ']' && i+1 < len(s.text) && s.text[i+1] == end:
			i++
		default:
			at := s.at
			s.at = i + 1
			if end == '\'' {
				return nil
			}
			return s.add(word{text: strings.ToUpper(s.text[from:i]), at: at, depth: s.depth, quoted: true})
		}
	}
	return fmt.Errorf("a quote is not closed in %.200q", s.text)
}

func (s *scanner) word() error {
	from := s.at
	for s.at < len(s.text) && isWord(s.text[s.at]) {
		s.at++
	}
	return s.add(word{text: strings.ToUpper(s.text[from:s.at]), at: from, depth: s.depth})
}

func (s *scanner) add(w word) error {
	bad := refused[w.text] && !w.quoted
	for _, prefix := range inner {
		bad = bad || strings.HasPrefix(w.text, prefix)
	}
	if bad {
		return fmt.Errorf("%.60q is not allowed", w.text)
	}
	s.words = append(s.words, w)
	return nil
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// name is a name as it may be written in a statement: a plain one is quoted, so
// that keywords can be names; of others each word is checked already.
func (f *fragment) name() string {
	if len(f.words) == 1 && !f.words[0].quoted && len(f.words[0].text) == len(f.text) && !('0' <= f.text[0] && f.text[0] <= '9') {
		return "`" + f.text + "`"
	}
	return f.text
}

// clauses are the words that end a condition.
var clauses = map[string]bool{"GROUP": true, "HAVING": true, "ORDER": true, "LIMIT": true}

// split separates a condition from the clauses that a model wrote after it.
func (f *fragment) split() (condition, clause string, ordered bool) {
	cut := len(f.text)
	for _, w := range f.words {
		if w.depth > 0 || w.quoted || !clauses[w.text] {
			continue
		}
		cut = min(cut, w.at)
		ordered = ordered || w.text == "ORDER"
	}
	condition, clause = strings.TrimSpace(f.text[:cut]), f.text[cut:]
	if len(f.words) > 0 && f.words[0].text == "WHERE" {
		condition = strings.TrimSpace(condition[len("WHERE"):])
	}
	return condition, clause, ordered
}
