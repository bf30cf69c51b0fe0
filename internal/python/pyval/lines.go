package pyval

// Lines reads JSON texts that come one after the other, such as the lines of a
// file. Where a member of the outermost object is the same as in the text
// before, it is not read again: both objects hold one value, which must not be
// changed.
type Lines struct {
	// Shared is the key of the member.
	Shared string

	text  string // of the member in the text before; "" for none
	value Value
}

// ParseJSON is the package's ParseJSON for the next text.
func (l *Lines) ParseJSON(s string) (Value, error) {
	p := parsers.Get().(*jsonParser)
	defer p.release()
	p.last = l
	return p.text(s)
}

// keep notes the member of a text. Only what ends in a bracket is known by its
// beginning: 1 begins 12, too.
func (l *Lines) keep(text string, v Value) {
	l.text, l.value = "", nil
	if text[0] == '[' || text[0] == '{' {
		l.text, l.value = text, v
	}
}
