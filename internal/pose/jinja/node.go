package jinja

import "github.com/gobfcl/bfcl/internal/python/pyval"

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
		recursive bool
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
