package javacall

import (
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A workspace holds the memory that parsing a text takes. The result does not
// refer to it, so the next text is parsed in the same memory.
type workspace struct {
	lexer    lexer
	parser   parser
	renderer renderer
	// tokens and comments are the lexer's: the parser may continue with others.
	tokens   []token
	comments []comment
	names    pyval.Names
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// release keeps the memory, except that of a huge text.
func (w *workspace) release() {
	const most = 1 << 12
	nodes := w.parser.nodes[:0]
	w.tokens, w.comments = w.lexer.tokens[:0], w.lexer.comments[:0]
	if cap(w.tokens) > most || cap(nodes) > most || cap(w.comments) > most {
		w.tokens, w.comments, nodes = nil, nil, nil
	}
	w.lexer, w.parser, w.renderer = lexer{}, parser{nodes: nodes}, renderer{}
	workspaces.Put(w)
}

// Parse reads the first call of a Java text as upstream's
// parse_java_function_call does: a list with one dict, which has the function's
// name and its arguments and is empty if there is no call. Arguments are texts.
// Errors are *Error.
func Parse(src string) (pyval.Value, error) {
	if !utf8.ValidString(src) {
		return nil, &Error{"UnicodeEncodeError", "the text holds a lone surrogate or is not UTF-8"}
	}
	w := workspaces.Get().(*workspace)
	calls, err := w.parse(src)
	w.release()
	return calls, err
}

func (w *workspace) parse(src string) (pyval.Value, error) {
	l, p := &w.lexer, &w.parser
	*l = lexer{src: src, tokens: w.tokens, comments: w.comments}
	l.scan()
	*p = parser{tokens: l.tokens, nodes: p.nodes, trouble: trouble{far: -1}}
	if p.tokens[len(p.tokens)-1].kind == tBad {
		return nil, syntaxError()
	}
	if m := (mender{parser: p, src: src}); !m.mend() {
		if p.deep {
			return nil, &Error{"RecursionError", "maximum recursion depth exceeded"}
		}
		return nil, syntaxError()
	}
	call := p.firstCall()
	if call < 0 {
		return &pyval.Dict{}, nil
	}
	w.renderer = renderer{parser: p, source: newSource(src), comments: l.comments, names: &w.names}
	return w.renderer.call(call)
}
