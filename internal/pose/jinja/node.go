package jinja

// An expr is an expression: it has a value.
type expr interface {
	eval(f *frame) object
}

// A computed is an expression as the function that evaluates it.
type computed func(f *frame) object

func (c computed) eval(f *frame) object { return c(f) }

// A stepped is a computed that counts as one step of its line.
func stepped(line int, value func(f *frame) object) expr {
	return computed(func(f *frame) object {
		f.r.spend(line, stepCost)
		return value(f)
	})
}

// A callExpr is a call.
type callExpr struct {
	line int
	of   expr
	args []argument
}

// A stmt is a statement as the function that executes it.
type stmt func(f *frame) signal

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

// A target is what a value is assigned to: a name, a namespace's attribute
// or a tuple of targets.
type target struct {
	line  int
	name  string
	attr  string
	parts []target
}

// A macroDef is a macro as the template writes it.
type macroDef struct {
	line     int
	name     string
	params   []string
	defaults []expr // of the last parameters
	body     []stmt
	uses     map[string]bool // those of caller, kwargs and varargs that its body names
}
