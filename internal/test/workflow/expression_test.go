package workflow_test

import (
	"fmt"
	"strconv"
	"strings"
)

// An expression evaluates what stands in ${{ }} and in `if:`, as far as our
// workflows use the language: literals, names, ==, !=, !, &&, ||, parentheses and
// functions. Values are strings; "" and "false" are false.
type expression struct {
	rest   string
	lookup func(name string) string
	call   func(name string, args []string) string
	err    error
}

func evaluate(text string, lookup func(string) string, call func(string, []string) string) (string, error) {
	e := &expression{rest: text, lookup: lookup, call: call}
	v := e.or()
	if e.skip(); e.err == nil && e.rest != "" {
		e.err = fmt.Errorf("%q is left of %q", e.rest, text)
	}
	return v, e.err
}

func isTrue(v string) bool { return v != "" && v != "false" && v != "0" }

func (e *expression) skip() { e.rest = strings.TrimLeft(e.rest, " \t\n") }

func (e *expression) take(token string) bool {
	e.skip()
	rest, ok := strings.CutPrefix(e.rest, token)
	if ok {
		e.rest = rest
	}
	return ok
}

func (e *expression) or() string {
	v := e.and()
	for e.take("||") {
		if w := e.and(); !isTrue(v) {
			v = w
		}
	}
	return v
}

func (e *expression) and() string {
	v := e.equal()
	for e.take("&&") {
		if w := e.equal(); isTrue(v) {
			v = w
		}
	}
	return v
}

func (e *expression) equal() string {
	v := e.unary()
	switch {
	case e.take("=="):
		return strconv.FormatBool(strings.EqualFold(v, e.unary()))
	case e.take("!="):
		return strconv.FormatBool(!strings.EqualFold(v, e.unary()))
	}
	return v
}

func (e *expression) unary() string {
	switch {
	case e.take("!"):
		return strconv.FormatBool(!isTrue(e.unary()))
	case e.take("("):
		v := e.or()
		e.expect(")")
		return v
	case e.take("'"):
		text, rest, ok := strings.Cut(e.rest, "'")
		if !ok {
			e.err = fmt.Errorf("a quote stays open: %q", e.rest)
		}
		e.rest = rest
		return text
	}
	return e.name()
}

func (e *expression) expect(token string) {
	if !e.take(token) && e.err == nil {
		e.err = fmt.Errorf("want %q before %q", token, e.rest)
	}
}

func (e *expression) name() string {
	end := 0
	for end < len(e.rest) && strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", rune(e.rest[end])) {
		end++
	}
	name := e.rest[:end]
	if e.rest = e.rest[end:]; name == "" {
		e.err = fmt.Errorf("want a value at %q", e.rest)
		e.rest = ""
		return ""
	}
	if !e.take("(") {
		if name == "true" || name == "false" {
			return name
		}
		return e.lookup(name)
	}
	var args []string
	for !e.take(")") && e.err == nil {
		args = append(args, e.or())
		e.take(",")
	}
	return e.call(name, args)
}
