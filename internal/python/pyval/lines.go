package pyval

// Lines reads JSON texts one after the other, such as the lines of a file. A
// member of the outermost object that is the same as in the text before is not
// read again: both objects hold the same value, which must not be changed.
type Lines struct {
	// Shared is the key of that member.
	Shared string

	text  string // the member in the text before; "" if it is not known
	value Value
}

// ParseJSON reads the next text as the package's ParseJSON does.
func (l *Lines) ParseJSON(s string) (Value, error) {
	p := parsers.Get().(*jsonParser)
	defer p.release()
	p.last = l
	return p.text(s)
}

// keep records the member of a text. Only an array or an object can be
// recognised by its beginning: 12 also begins with 1.
func (l *Lines) keep(text string, v Value) {
	l.text, l.value = "", nil
	if text[0] == '[' || text[0] == '{' {
		l.text, l.value = text, v
	}
}
