package jinja

import (
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An expr is a node that has a value.
type expr interface {
	eval(f *frame) object
}

// A stmt is a node that is executed.
type stmt interface {
	exec(f *frame) signal
}

// A signal says how a loop continues.
type signal uint8

const (
	proceed signal = iota
	leave
	again
)

// An argument is an argument of a call: positional, by keyword, or spread.
type argument struct {
	name   string // of a keyword
	spread string // "*" or "**"
	value  expr
}

type (
	literal struct{ value pyval.Value }
	load    struct {
		line int
		name string
	}
	listExpr struct {
		line  int
		items []expr
		tuple bool
	}
	dictExpr struct {
		line       int
		keys, vals []expr
	}
	attrExpr struct {
		line int
		of   expr
		name string
	}
	itemExpr struct {
		line    int
		of, key expr
	}
	sliceExpr struct {
		line                int
		of, low, high, step expr
	}
	callExpr struct {
		line int
		of   expr
		args []argument
	}
	// A useExpr applies a filter or a test, whose result may be negated.
	useExpr struct {
		line    int
		kind    string // "filter" or "test"
		of      expr
		name    string
		args    []argument
		negated bool
	}
	unaryExpr struct {
		line int
		op   string
		of   expr
	}
	binaryExpr struct {
		line int
		op   string
		a, b expr
	}
	concatExpr struct {
		line  int
		parts []expr
	}
	compareExpr struct {
		line  int
		first expr
		ops   []string
		rest  []expr
	}
	logicExpr struct {
		and  bool
		a, b expr
	}
	notExpr  struct{ of expr }
	condExpr struct {
		line           int
		cond, yes, alt expr // alt is nil without else
	}
)

// A target is what a value is assigned to: a name, a namespace's attribute
// or a tuple of targets.
type target struct {
	line  int
	name  string
	attr  string
	parts []target
}

type (
	dataStmt   struct{ text string }
	outputStmt struct {
		line  int
		value expr
	}
	ifStmt struct {
		conds  []expr
		bodies [][]stmt // one more than conds if there is an else
	}
	forStmt struct {
		line      int
		target    target
		in, only  expr // only is nil without a filter
		body, alt []stmt
	}
	setStmt struct {
		line   int
		target target
		value  expr
	}
	setBlock struct {
		line   int
		target target
		filter expr // nil without one
		body   []stmt
	}
	macroStmt struct{ macro *macroDef }
	callBlock struct {
		line   int
		caller *macroDef
		call   *callExpr
	}
	filterBlock struct {
		filter expr
		body   []stmt
	}
	withStmt struct {
		line    int
		targets []target
		values  []expr
		body    []stmt
	}
	scopeStmt  struct{ body []stmt }
	signalStmt struct{ signal signal }
)

// A macroDef is a macro as the template writes it.
type macroDef struct {
	line     int
	name     string
	params   []string
	defaults []expr // of the last parameters
	body     []stmt
	uses     map[string]bool // those of caller, kwargs and varargs that its body names
}

// quoted reads a string in quotes.
func (l *lexer) quoted(src string) {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case src[0]:
			s := src[:i+1]
			l.tokens = append(l.tokens, token{kind: text, text: s, value: pyval.Str(l.unescaped(s[1:i])), line: l.line})
			l.skip(len(s))
			return
		}
	}
	fail(l.line, "a string is never closed")
}

// unescaped returns the text of a Python string literal.
func (l *lexer) unescaped(s string) string {
	text, err := pycall.Unescape(s)
	if err != nil {
		fail(l.line, "%v in a string", err)
	}
	return text
}

func digit(c byte, base int) bool {
	_, err := strconv.ParseUint(string(c), base, 8)
	return err == nil
}

// number reads an int or a float.
func (l *lexer) number(src string) {
	if len(src) > 1 && src[0] == '0' && strings.ContainsRune("xXoObB", rune(src[1])) {
		base := map[byte]int{'x': 16, 'o': 8, 'b': 2}[src[1]|0x20]
		n := 2
		for n < len(src) && (digit(src[n], base) || src[n] == '_') {
			n++
		}
		v, ok := pyval.ParseInt(strings.ReplaceAll(src[2:n], "_", ""), base)
		if !ok {
			fail(l.line, "invalid number %s", src[:n])
		}
		l.value(src[:n], v)
		return
	}
	n := digits(src)
	whole := n
	if l.at == 0 || l.src[l.at-1] != '.' { // a.0.1 holds no float
		n = fraction(src, n)
	}
	s := strings.ReplaceAll(src[:n], "_", "")
	if n > whole {
		l.value(src[:n], pyval.ParseFloat(s))
		return
	}
	v, ok := pyval.ParseInt(s, 10)
	if !ok || len(s) > 4300 {
		fail(l.line, "invalid number %.40s", s)
	}
	l.value(src[:n], v)
}

func (l *lexer) value(s string, v pyval.Value) {
	l.tokens = append(l.tokens, token{kind: number, text: s, value: v, line: l.line})
	l.skip(len(s))
}

// digits returns the length of the decimal digits at the beginning of s.
func digits(s string) int {
	n := 0
	for n < len(s) && (digit(s[n], 10) || s[n] == '_' && n+1 < len(s) && digit(s[n+1], 10)) {
		n++
	}
	return n
}

// fraction returns the end of a number whose whole digits end at n.
func fraction(s string, n int) int {
	if n+1 < len(s) && s[n] == '.' && digit(s[n+1], 10) {
		n += 1 + digits(s[n+1:])
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		exp := n + 1
		if exp < len(s) && (s[exp] == '+' || s[exp] == '-') {
			exp++
		}
		if d := digits(s[min(exp, len(s)):]); d > 0 {
			n = exp + d
		}
	}
	return n
}
