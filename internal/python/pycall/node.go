package pycall

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

type kind uint8

// The kinds of nodes; the comment gives the children in order.
const (
	kBad       kind = iota
	kName           // text
	kConst          // val; op is 1 for a u"" prefix
	kFString        // kConst and kFormatted
	kFormatted      // value, then the format spec (kFString) if there is one; op is the conversion
	kList           // elements
	kTuple          // elements
	kSet            // elements
	kDict           // kPair and kUnpack
	kPair           // key, value
	kUnpack         // value of a ** in a dict display
	kCall           // function, then arguments in source order; op is 1 with keywords
	kKeyword        // value; text is the name, op is 1 for **
	kAttribute      // value; text is the name
	kSubscript      // value, index
	kSlice          // lower, upper, step, if op's bits 1, 2, 4 are set
	kStarred        // value
	kUnary          // operand; op is the token
	kBinary         // left, right; op is the token
	kBool           // values; op is the token
	kCompare        // left, then kComparand
	kComparand      // value; op is the comparison
	kIf             // body, test, else
	kLambda         // kParam, then the body
	kParam          // default if there is one; text is the name, op says how it is passed
	kNamed          // target, value
	kAwait          // value
	kYield          // value if there is one
	kYieldFrom      // value
	kListComp       // element, then kFor
	kSetComp        // element, then kFor
	kDictComp       // kPair, then kFor
	kGenerator      // element, then kFor
	kFor            // target, iterable, then conditions; op is 1 for async
)

// kindNames are the names of Python's ast classes, for error texts.
var kindNames = [...]string{
	kName: "Name", kConst: "Constant", kFString: "JoinedStr", kList: "List", kTuple: "Tuple",
	kSet: "Set", kDict: "Dict", kCall: "Call", kAttribute: "Attribute", kSubscript: "Subscript",
	kSlice: "Slice", kStarred: "Starred", kUnary: "UnaryOp", kBinary: "BinOp", kBool: "BoolOp",
	kCompare: "Compare", kIf: "IfExp", kLambda: "Lambda", kNamed: "NamedExpr", kAwait: "Await",
	kYield: "Yield", kYieldFrom: "YieldFrom", kListComp: "ListComp", kSetComp: "SetComp",
	kDictComp: "DictComp", kGenerator: "GeneratorExp",
	kFormatted: "FormattedValue", kKeyword: "keyword", kComparand: "comparator", kParam: "arg", kFor: "comprehension",
}

// How a lambda's parameter is passed: the op of a kParam.
const (
	passPlain   = iota
	passPosOnly // before a "/"
	passVar     // *args
	passKeyOnly // after a "*"
	passKwargs  // **kwargs
)

// A node is one node of the syntax tree. Children form a linked list, so that
// a tree costs no allocation beyond its chunk of nodes.
type node struct {
	kind        kind
	op          uint8
	pos         int32
	depth       int32 // levels below and including this node
	text        string
	val         pyval.Value
	first, last *node
	next        *node
}

func (n *node) second() *node { return n.first.next }

const (
	firstChunk = 48
	nextChunk  = 512
)

// new makes a node whose children are complete.
func (p *parser) new(k kind, pos int, children ...*node) *node {
	if p.used == len(p.nodes) {
		if p.kept == nil {
			p.kept = p.nodes
		}
		p.nodes, p.used = make([]node, nextChunk), 0
	}
	n := &p.nodes[p.used]
	p.used++
	n.kind, n.pos, n.depth = k, int32(pos), 1
	for _, c := range children {
		p.add(n, c)
	}
	return n
}

// add appends a complete child.
func (p *parser) add(parent, child *node) {
	if parent.last == nil {
		parent.first = child
	} else {
		parent.last.next = child
	}
	parent.last = child
	if parent.depth <= child.depth {
		parent.depth = child.depth + 1
	}
	if parent.depth > maxDepth {
		p.fail("RecursionError", int(parent.pos), "nested too deeply")
	}
}

// An ExprKind is the kind of an Expr. The comments below name the parts of
// each.
type ExprKind string

// The kinds of expressions that have a meaning of their own; all others are
// named like the classes of Python's ast module and carry no parts.
const (
	ExprName      ExprKind = "Name"       // Text
	ExprConst     ExprKind = "Constant"   // Value
	ExprList      ExprKind = "List"       // Parts: elements
	ExprTuple     ExprKind = "Tuple"      // Parts: elements
	ExprSet       ExprKind = "Set"        // Parts: elements
	ExprDict      ExprKind = "Dict"       // Parts: key, value, key, value, ...
	ExprCall      ExprKind = "Call"       // Parts: function, then arguments in source order
	ExprKeyword   ExprKind = "keyword"    // Text: name; Parts: value
	ExprAttribute ExprKind = "Attribute"  // Text: name; Parts: value
	ExprSubscript ExprKind = "Subscript"  // Parts: value, index
	ExprUnary     ExprKind = "UnaryOp"    // Op; Parts: operand
	ExprBinary    ExprKind = "BinOp"      // Op; Parts: left, right
	ExprBool      ExprKind = "BoolOp"     // Op; Parts: values
	ExprCompare   ExprKind = "Compare"    // Parts: left, then comparands
	ExprComparand ExprKind = "comparator" // Op; Parts: value
	ExprIf        ExprKind = "IfExp"      // Parts: body, test, else
	ExprLambda    ExprKind = "Lambda"     // Parts: parameters, then the body
	ExprParam     ExprKind = "arg"        // Text: name; Parts: default if there is one

	ExprJoined    ExprKind = "JoinedStr"      // Parts: constants and formatted values
	ExprFormatted ExprKind = "FormattedValue" // Op: not "" for a conversion; Parts: value, then the format if there is one
	ExprStarred   ExprKind = "Starred"        // Parts: value; none if it unpacks a mapping
	ExprListComp  ExprKind = "ListComp"       // Parts: element, then clauses
	ExprClause    ExprKind = "comprehension"  // Op: not "" for async; Parts: target, iterable, then conditions
)

// An Expr is one node of a Python expression, for packages that give calls a
// meaning of their own. It is only a description: nothing is evaluated.
type Expr struct {
	Kind  ExprKind
	Text  string      // the name, if the kind has one
	Op    string      // the operator as Python writes it
	Value pyval.Value // a constant's value
	Parts []*Expr
}

// Expression reads one Python expression. The error is an *Error; its text is
// CPython's for the more common mistakes.
func Expression(src string) (*Expr, error) {
	p := start(src)
	defer p.release()
	n := p.eval()
	var fault *Error
	if errors.As(p.err, &fault) {
		return nil, explain(src, fault)
	}
	return describe(n), nil
}

func describe(n *node) *Expr {
	e := &Expr{Kind: ExprKind(kindNames[n.kind])}
	switch n.kind {
	case kSlice, kNamed, kAwait, kYield, kYieldFrom, kSetComp, kDictComp, kGenerator:
		return e
	case kUnpack:
		return &Expr{Kind: ExprStarred}
	case kKeyword, kParam:
		if n.op != 0 {
			return &Expr{Kind: ExprStarred}
		}
	case kUnary, kBinary, kBool, kComparand:
		e.Op = spellings[n.op]
	case kFormatted, kFor:
		if n.op != 0 {
			e.Op = "!"
		}
	}
	e.Text, e.Value = n.text, n.val
	for part := n.first; part != nil; part = part.next {
		if part.kind == kPair {
			e.Parts = append(e.Parts, describe(part.first), describe(part.second()))
			continue
		}
		e.Parts = append(e.Parts, describe(part))
	}
	return e
}

// Compose returns the value of a display, a subscript or an operation, given
// the values of its Parts in their order. The error is a *pyval.Exception.
func (e *Expr) Compose(parts []pyval.Value) (pyval.Value, error) {
	switch e.Kind {
	case ExprList:
		return pyval.NewList(parts...), nil
	case ExprTuple:
		return pyval.NewTuple(parts...), nil
	case ExprSet:
		set, err := pyval.NewSet(parts...)
		if err != nil {
			return nil, pyval.Raise("TypeError", "%v", err)
		}
		return set, nil
	case ExprDict:
		d := pyval.NewDict(len(parts) / 2)
		for i := 0; i+1 < len(parts); i += 2 {
			if err := d.Set(parts[i], parts[i+1]); err != nil {
				return nil, pyval.Raise("TypeError", "%v", err)
			}
		}
		return d, nil
	case ExprSubscript:
		return pyval.Subscript(parts[0], parts[1])
	case ExprBinary:
		return Operate(e.Op, parts[0], parts[1])
	case ExprUnary:
		if e.Op == "not" {
			return pyval.Bool(!pyval.Truth(parts[0])), nil
		}
		return pyval.Unary(e.Op, parts[0])
	}
	return nil, pyval.Raise("NotImplementedError", "%s expressions are not evaluated", e.Kind)
}
