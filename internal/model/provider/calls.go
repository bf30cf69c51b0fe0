package provider

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Calls assembles the calls of a stream from their pieces. Ids and names tell
// calls apart, and so does the end of their arguments: a piece with neither id
// nor name belongs to a call whose arguments have not ended. An index only
// decides between such calls, because servers get it wrong.
type Calls struct {
	list []*Call
	now  *Call            // got the last piece
	at   map[string]*Call // got the last piece with an index
	void bool             // a piece held nothing, and no call had begun
	late bool             // a name came behind the arguments
}

// A Piece is a part of a call.
type Piece struct {
	// Index is the hint; anything but a number is none.
	Index    pyval.Value
	ID, Name string
	// Arguments are a part of the arguments' text; Read are arguments that came
	// as an object or a list, nil if they did not.
	Arguments string
	Read      pyval.Value
}

// A Call is a call that is being assembled.
type Call struct {
	ID, Name string

	text strings.Builder
	read pyval.Value
	scan scanner
	// nextID and nextName came behind the arguments: they begin the next call if
	// other arguments follow, and repeat this one's if none do.
	nextID, nextName string
	joined           bool // text goes on behind the arguments with others
}

// Add adds a piece and returns the call that it belongs to; nil if the piece
// holds nothing and no call has begun.
func (c *Calls) Add(p Piece) *Call {
	if c.now == nil && p.ID == "" && p.Name == "" && p.bare() {
		c.void = true
		return nil
	}
	call := c.owner(p)
	if call == nil {
		call = &Call{}
		if c.now != nil {
			p.ID, p.Name = cmp.Or(p.ID, c.now.nextID), cmp.Or(p.Name, c.now.nextName)
			c.now.nextID, c.now.nextName = "", ""
		}
		c.list = append(c.list, call)
	}
	c.late = c.late || call.ended() && call.Name == "" && p.Name != ""
	call.add(p)
	c.now = call
	if hint := p.hint(); hint != "" {
		if c.at == nil {
			c.at = map[string]*Call{}
		}
		c.at[hint] = call
	}
	return call
}

// hint returns the index as text; "" if there is none.
func (p Piece) hint() string {
	if n, ok := p.Index.(pyval.Int); ok {
		return pyval.Repr(n)
	}
	return ""
}

const jsonSpace = " \t\r\n"

// opens reports whether a piece's arguments begin an object or a list.
func (p Piece) opens() bool { return p.Read != nil || opens(p.Arguments) }

func opens(text string) bool {
	text = strings.TrimLeft(text, jsonSpace)
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// bare reports whether a piece has no arguments.
func (p Piece) bare() bool { return p.Read == nil && strings.Trim(p.Arguments, jsonSpace) == "" }

// owner returns the call that a piece belongs to; nil if it begins one.
func (c *Calls) owner(p Piece) *Call {
	hint := p.hint()
	call, seen := c.at[hint]
	if !seen {
		call = c.now
	}
	elsewhere := hint != "" && !seen
	if known := c.identified(p.ID); known != nil {
		elsewhere, call = hint != "" && c.at[hint] != known, known
	}
	if call == nil {
		return nil
	}
	named := p.ID != "" || p.Name != ""
	if !named {
		call = c.unended(call, p)
	}
	sameID := p.ID == "" || call.ID == "" || p.ID == call.ID
	sameName := p.Name == "" || call.Name == "" || p.Name == call.Name
	switch unended := call.started() && !call.ended(); {
	case call.ended() && p.opens():
		if !elsewhere && sameName && call.follows(p) || !named && !c.late && call.nextID == "" && call.nextName == "" {
			return call
		}
		return nil
	case unended && !p.bare() && !p.opens() && sameName:
		return call // no arguments begin like this
	case unended && p.opens() && p.Name != "" && !call.scan.inside():
		return nil // the model broke off the arguments before these
	case call.Name == "" && !call.started() && !elsewhere:
		return call // the name comes late
	case elsewhere && named && (p.ID == "" || p.ID != call.ID):
		return nil
	case p.Name != "" && (!sameID || call.nextID != ""):
		return nil
	case !sameName && (call.started() || elsewhere || hint == "" && p.ID == ""):
		return nil // otherwise it is a piece of the name
	}
	return call
}

// identified returns the last call with an id.
func (c *Calls) identified(id string) *Call {
	for _, call := range slices.Backward(c.list) {
		if id != "" && call.ID == id {
			return call
		}
	}
	return nil
}

// unended returns the call that arguments without id and name belong to: the
// one that the index leads to, or the one that got the last piece, or the last
// whose arguments have not ended.
func (c *Calls) unended(call *Call, p Piece) *Call {
	if p.Arguments == "" && p.Read == nil {
		return call
	}
	fits := func(one *Call) bool { return !one.ended() && (one.started() || p.opens()) }
	for _, one := range []*Call{call, c.now} {
		if fits(one) {
			return one
		}
	}
	for _, one := range slices.Backward(c.list) {
		if fits(one) {
			return one
		}
	}
	return call
}

// follows reports whether arguments with the id of a call that has some belong
// to it: they repeat them, or replace the {} that some gateways write first.
func (c *Call) follows(p Piece) bool {
	return p.ID != "" && p.ID == c.ID && (c.said(p) || c.placeholder())
}

// started reports whether some of the arguments have come, ended whether all
// have.
func (c *Call) started() bool { return c.read != nil || strings.Trim(c.text.String(), jsonSpace) != "" }

func (c *Call) ended() bool {
	return c.read != nil || c.scan.end > 0 || strings.Trim(c.text.String(), jsonSpace) == "null"
}

// placeholder reports whether the arguments are {}.
func (c *Call) placeholder() bool {
	d, ok := c.read.(*pyval.Dict)
	return ok && d.Len() == 0 || c.read == nil && strings.Trim(c.text.String(), jsonSpace) == "{}"
}

// said reports whether a piece repeats the arguments.
func (c *Call) said(p Piece) bool {
	if p.Read != nil {
		return c.read != nil && pyval.Equal(c.read, p.Read)
	}
	return c.read == nil && strings.Trim(c.text.String(), jsonSpace) == strings.Trim(p.Arguments, jsonSpace)
}

func (c *Call) add(p Piece) {
	switch { // the head
	case c.Name != "" && c.ended() && p.ID != c.ID && p.ID != "":
		c.nextID, c.nextName = p.ID, p.Name
	case c.Name != "" && c.ended() && p.Name != "":
		c.nextName = p.Name
	default:
		c.nameBy(p)
	}
	switch {
	case p.ID != "" && p.ID == c.ID && c.ended() && c.said(p):
	case p.Read != nil:
		c.joined = c.joined || c.ended() && !c.placeholder()
		c.read, c.scan = p.Read, scanner{}
		c.text.Reset()
	case c.read != nil && p.opens():
		c.joined = c.joined || !c.placeholder()
		c.read = nil
		c.write(p.Arguments)
	case c.read == nil:
		c.write(p.Arguments)
	}
}

// nameBy takes the id and the name, or a piece of the name. Some servers send
// all of it that is known so far.
func (c *Call) nameBy(p Piece) {
	switch {
	case p.ID == "" || p.ID == c.ID:
	case c.ID == "":
		c.ID = p.ID
	case p.Name == "" && p.bare():
		c.nextID = p.ID
	}
	switch {
	case c.Name == p.Name:
	case c.Name != "" && strings.HasPrefix(p.Name, c.Name):
		c.Name = p.Name
	default:
		c.Name += p.Name
	}
}

func (c *Call) write(text string) {
	c.text.WriteString(text)
	whole := c.text.String()
	c.scan.read(whole)
	rest := whole[c.scan.end:]
	if c.scan.end == 0 || !opens(rest) {
		return
	}
	if strings.Trim(whole[:c.scan.end], jsonSpace) != "{}" {
		c.joined = true
		return
	}
	c.scan = scanner{}
	c.text.Reset()
	c.write(rest)
}

// Arguments returns the arguments as a reply in one piece has them.
func (c *Call) Arguments() pyval.Value {
	if c.read != nil {
		return c.read
	}
	return pyval.Str(c.text.String())
}

// Finish returns the calls. An error is trouble of the infrastructure: it says
// what cannot be put together.
func (c *Calls) Finish() ([]*Call, error) {
	if c.void && len(c.list) == 0 {
		return nil, eval.Infra("bad_reply", "the stream announces a call and sends none of it")
	}
	for i, call := range c.list {
		if call.ID == "" {
			call.ID = call.nextID
		}
		said := pyval.Repr(call.Arguments())
		switch {
		case call.Name == "":
			return nil, eval.Infra("bad_reply", "the stream's call %d has no name: nothing says which function the pieces %s belong to", i+1, quote(said))
		case call.joined:
			return nil, eval.Infra("bad_reply", "the stream's call %d, of %s, holds arguments of several calls: nothing says which functions the others belong to: %s", i+1, quote(call.Name), quote(said))
		}
	}
	return c.list, nil
}

// A scanner finds the end of the object or list that a text begins with. Texts
// within may have Python's quotes.
type scanner struct {
	at, depth, end int
	quote, last    byte // last is the last character outside texts
}

// read goes on with a text that has become longer.
func (s *scanner) read(text string) {
	if s.depth == 0 && !opens(text) {
		return
	}
	for ; s.at < len(text) && s.end == 0; s.at++ {
		c := text[s.at]
		switch {
		case s.quote != 0 && c == '\\':
			s.at++ // the next character may be in the next piece
		case s.quote != 0 && c == s.quote:
			s.quote = 0
		case s.quote != 0 || strings.IndexByte(jsonSpace, c) >= 0:
			continue
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				s.end = s.at + 1
			}
		case c == '"' || c == '\'':
			s.quote = c
		}
		if s.quote == 0 {
			s.last = c
		}
	}
}

// inside reports whether an object may begin where the text has stopped.
func (s *scanner) inside() bool { return s.quote != 0 || strings.IndexByte(":,[", s.last) >= 0 }
