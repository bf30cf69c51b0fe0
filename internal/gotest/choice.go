package gotest

import (
	"flag"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A choice is a value of go test's -run or -skip: alternatives, with an expression for each level.
type choice [][]*regexp.Regexp

// compile reads a pattern as package testing does. What is no expression ends a
// test binary before any test, and matches nothing here.
func compile(text string) (out choice) {
	for _, texts := range split(text) {
		var levels []*regexp.Regexp
		for _, s := range texts {
			expression, err := regexp.Compile(written(s))
			if err != nil {
				expression = regexp.MustCompile(`$^`)
			}
			levels = append(levels, expression)
		}
		out = append(out, levels)
	}
	return out
}

// split divides a pattern into alternatives and these into levels: by "|" and "/",
// unless they stand in brackets.
func split(text string) (out [][]string) {
	var levels []string
	sets, groups := 0, 0
	start := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[':
			sets++
		case c == ']':
			sets = max(sets-1, 0)
		case c == '(' && sets == 0:
			groups++
		case c == ')' && sets == 0:
			groups--
		case c == '\\':
			i++
		case (c == '/' || c == '|') && sets == 0 && groups == 0:
			levels = append(levels, text[start:i])
			start = i + 1
			if c == '|' {
				out, levels = append(out, levels), nil
			}
		}
	}
	return append(out, append(levels, text[start:]))
}

// matches reports whether the pattern matches the beginning of a test's path,
// and whether it says more than the path does.
func (p choice) matches(path []string) (ok, more bool) {
	for _, levels := range p {
		if ok = true; len(levels) > 0 {
			for i, name := range path[:min(len(path), len(levels))] {
				ok = ok && levels[i].MatchString(name)
			}
		}
		if ok {
			return true, len(path) < len(levels)
		}
	}
	return false, false
}

// written writes a name as package testing writes those of subtests.
func written(name string) string {
	var b strings.Builder
	for _, c := range name {
		switch {
		case unicode.IsSpace(c):
			b.WriteByte('_')
		case !strconv.IsPrint(c):
			quoted := strconv.QuoteRune(c)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// Chosen returns what tells which trials go test's -run and -skip choose below a
// test; nil if they leave out none.
func Chosen(test string) func(category, id string, trial int) bool {
	value := func(name string) string {
		if f := flag.Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	run, skip := value("test.run"), value("test.skip")
	return chosen(test, run, skip)
}

// chosen is Chosen for values of -run and -skip.
func chosen(test, run, skip string) func(category, id string, trial int) bool {
	if run == "" && skip == "" {
		return nil
	}
	above := strings.Split(test, "/")
	keep, drop := compile(run), compile(skip)
	return func(category, id string, trial int) bool {
		name := written(category) + "/" + written(id)
		if trial > 0 {
			name += "/" + strconv.Itoa(trial)
		}
		path := append(above[:len(above):len(above)], strings.Split(name, "/")...)
		for n := len(above) + 1; n <= len(path); n++ {
			if ok, _ := keep.matches(path[:n]); run != "" && !ok {
				return false
			}
			if ok, more := drop.matches(path[:n]); skip != "" && ok && !more {
				return false
			}
		}
		return true
	}
}
