package command

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// words splits a command line as a shell does, quotes and backslashes included.
// No shell runs it, so only a leading ~ is expanded, and what would need a
// shell is refused rather than passed to the program.
func words(line string) ([]string, error) {
	var out []string
	cfg := &expand.Config{Env: expand.FuncEnviron(os.Getenv)}
	parser := syntax.NewParser(syntax.Variant(syntax.LangPOSIX))
	for word, err := range parser.WordsSeq(strings.NewReader(line)) {
		if err != nil {
			return nil, fmt.Errorf("command line %s: %w (no shell runs it: quote the characters that are special in a shell)", quote(line), err)
		}
		if !plain(word) {
			return nil, fmt.Errorf("command line %s: $ and ` are not expanded: put them in single quotes, or start a shell yourself: sh -c '...'", quote(line))
		}
		escaped(word)
		text, err := expand.Literal(cfg, word)
		if err != nil {
			return nil, fmt.Errorf("command line %s: %w", quote(line), err)
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return nil, errors.New("the command line is empty: write command:<program and its arguments>")
	}
	return out, nil
}

// backslash matches a backslash outside quotes, with the character it escapes.
var backslash = regexp.MustCompile(`(?s)\\(.)`)

// escaped removes the backslashes from a word's unquoted text, where
// expand.Literal keeps them.
func escaped(word *syntax.Word) {
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			lit.Value = backslash.ReplaceAllString(lit.Value, "$1")
		}
	}
}

// plain reports whether a word has only text and quotes.
func plain(word *syntax.Word) bool {
	ok := true
	syntax.Walk(word, func(node syntax.Node) bool {
		switch node.(type) {
		case nil, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			ok = false
		}
		return ok
	})
	return ok
}
