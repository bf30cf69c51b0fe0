package pycall

import "github.com/gobfcl/bfcl/internal/python/pyval"

// ParseV1 reads calls as the ast_parse of upstream's first release did. The
// whole text must be a list, tuple or set display of calls: nothing around it
// is dropped. A call without keyword arguments becomes its own text.
func ParseV1(src string) (pyval.Value, error) {
	p := start(src)
	defer p.release()
	body := p.eval()
	if p.err != nil {
		return nil, p.err
	}
	calls := p.callsV1(body)
	if p.err != nil {
		return nil, p.err
	}
	return calls, nil
}

func (p *parser) callsV1(body *node) pyval.Value {
	if body.kind != kList && body.kind != kTuple && body.kind != kSet {
		return p.missing(body, "elts")
	}
	out := &pyval.List{}
	for e := body.first; e != nil && p.err == nil; e = e.next {
		if e.kind != kCall {
			return p.wrong(e, "AssertionError", "")
		}
		out.Items = append(out.Items, p.value(e))
	}
	return out
}
