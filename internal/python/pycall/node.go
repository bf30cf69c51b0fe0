package pycall

import "github.com/gobfcl/bfcl/internal/python/pyval"

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
