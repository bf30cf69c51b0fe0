package match

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// sampleOf returns a short text that contains a match of an expression; false
// if the simple way of making one fails, as with word boundaries.
func sampleOf(re *regexp.Regexp) (string, bool) {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	write(&b, tree)
	return b.String(), b.Len() <= longestSample && re.MatchString(b.String())
}

const longestSample = 1000

// write appends the shortest match of an expression, if it has one.
func write(b *strings.Builder, re *syntax.Regexp) {
	if b.Len() > longestSample {
		return
	}
	times := 1
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
		return
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			b.WriteRune(preferred(re.Rune))
		}
		return
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
		return
	case syntax.OpAlternate:
		write(b, re.Sub[0])
		return
	case syntax.OpStar, syntax.OpQuest:
		return
	case syntax.OpRepeat:
		times = re.Min
	}
	for range times {
		for _, sub := range re.Sub {
			write(b, sub)
		}
	}
}

// preferred returns a readable character of a class, or else its first.
func preferred(ranges []rune) rune {
	for _, want := range "a1A x-" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] {
				return want
			}
		}
	}
	return ranges[0]
}
