package workflow_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// An expression is what stands in ${{ }} and in `if:`. Values are strings; "" and
// "false" are false.
type expression struct {
	lookup func(name string) string
	call   func(name string, args []string) string
}

// foreign matches what Go writes in another way: texts in single quotes, and
// dashes in names.
var foreign = regexp.MustCompile(`'[^']*'|-`)

const dash = "ǀ" // a letter

// evaluate evaluates an expression. What our workflows use of the language is Go's,
// with the same precedence, but for foreign.
func evaluate(text string, lookup func(string) string, call func(string, []string) string) (string, error) {
	source := foreign.ReplaceAllStringFunc(text, func(m string) string {
		if m == "-" {
			return dash
		}
		return strconv.Quote(m[1 : len(m)-1])
	})
	n, err := parser.ParseExpr(source)
	if err != nil {
		return "", fmt.Errorf("%q: %w", text, err)
	}
	return expression{lookup, call}.value(n)
}

func isTrue(v string) bool { return v != "" && v != "false" && v != "0" }

func (e expression) value(n ast.Expr) (string, error) {
	switch n := n.(type) {
	case *ast.ParenExpr:
		return e.value(n.X)
	case *ast.BasicLit:
		return strconv.Unquote(n.Value)
	case *ast.UnaryExpr:
		v, err := e.value(n.X)
		return strconv.FormatBool(!isTrue(v)), err
	case *ast.CallExpr:
		var args []string
		for _, arg := range n.Args {
			v, err := e.value(arg)
			if err != nil {
				return "", err
			}
			args = append(args, v)
		}
		return e.call(name(n.Fun), args), nil
	case *ast.BinaryExpr:
		v, err := e.value(n.X)
		if err != nil {
			return "", err
		}
		w, err := e.value(n.Y)
		switch {
		case n.Op == token.EQL || n.Op == token.NEQ:
			v = strconv.FormatBool(strings.EqualFold(v, w) == (n.Op == token.EQL))
		case n.Op == token.LAND && isTrue(v), n.Op == token.LOR && !isTrue(v):
			v = w
		}
		return v, err
	}
	if is := name(n); is == "true" || is == "false" {
		return is, nil
	}
	return e.lookup(name(n)), nil
}

// name returns a name with its dots.
func name(n ast.Expr) string {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return name(n.X) + "." + name(n.Sel)
	case *ast.Ident:
		return strings.ReplaceAll(n.Name, dash, "-")
	}
	return fmt.Sprintf("%T", n)
}
