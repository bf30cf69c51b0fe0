package pycall

func (w *unparser) comprehension(left string, n *node, right string) {
	w.text(left)
	w.expr(n.first, precTest)
	for c := n.second(); c != nil; c = c.next {
		if c.op == 1 {
			w.text(" async")
		}
		w.text(" for ")
		w.expr(c.first, precTuple)
		w.text(" in ")
		iterable := c.second()
		w.expr(iterable, precOr)
		for e := iterable.next; e != nil; e = e.next {
			w.text(" if ")
			w.expr(e, precOr)
		}
	}
	w.text(right)
}

func (w *unparser) lambda(n *node) {
	w.text("lambda")
	separator, pass := " ", uint8(passPlain)
	param := n.first
	for ; param.kind == kParam; param = param.next {
		w.text(separator)
		separator = ", "
		if pass == passPosOnly && param.op != passPosOnly {
			w.text("/, ")
		}
		w.parameter(param, pass)
		pass = param.op
	}
	if pass == passPosOnly {
		w.text(", /")
	}
	w.text(": ")
	w.expr(param, precTest)
}

func (w *unparser) parameter(n *node, before uint8) {
	switch {
	case n.op == passVar:
		w.text("*")
	case n.op == passKwargs:
		w.text("**")
	case n.op == passKeyOnly && before != passVar && before != passKeyOnly:
		w.text("*, ")
	}
	w.text(n.text)
	if n.first != nil {
		w.text("=")
		w.expr(n.first, precTest)
	}
}
