package pyval

import "strings"

// Lines reads JSON texts one after the other, such as the lines of a file. The
// objects in a list that is a member of the outermost object are checked, and
// parsed when they are first needed; one that was in a text before is the same
// value, which must not be changed.
type Lines struct {
	// Late is the key of that member.
	Late string

	known  map[string]known // by the object's beginning
	inside bool             // the member
}

// A known is an object that was read, and its text.
type known struct {
	text  string
	value Value
}

// ParseJSON reads the next text as the package's ParseJSON does.
func (l *Lines) ParseJSON(s string) (Value, error) {
	p := parsers.Get().(*jsonParser)
	defer p.release()
	p.lines = l
	return p.text(s)
}

// late reads an object of the late member. A text that begins with that of an
// object is that object.
func (p *jsonParser) late(depth int) (v Value, err error) {
	const beginning = 64
	start, l := p.i, p.lines
	key := p.s[start:min(start+beginning, len(p.s))]
	if k, ok := l.known[key]; ok && strings.HasPrefix(p.s[start:], k.text) {
		p.i += len(k.text)
		return k.value, nil
	}
	p.check, p.odd = true, false
	_, err = p.object(depth)
	p.check = false
	end := p.i
	switch p.i = start; {
	case err != nil:
		return nil, err
	case p.odd:
		v, err = p.object(depth)
	default:
		v = p.lateDict(end)
	}
	if l.known == nil {
		l.known = map[string]known{}
	}
	l.known[key] = known{p.s[start:end], v}
	return v, err
}

// lateDict returns the dict of a text that was checked and is not odd.
func (p *jsonParser) lateDict(end int) *Dict {
	m, d := &more{text: p.s[p.i:end]}, &Dict{}
	p.i++
	if key, err := p.str(); err == nil { // there is none in {}
		if p.i += len(": "); p.s[p.i] == '"' {
			value, _ := p.str()
			m.first = entry{p.keys.Str(key), Str(value)}
		}
	}
	p.i = end
	d.more.Store(m)
	return d
}
