package openai

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A message assembles a message from its deltas.
type message struct {
	role   pyval.Value
	texts  []string                    // the keys of text, in the order they came
	text   map[string]*strings.Builder // content, refusal, reasoning
	parts  *pyval.List                 // content that comes in parts
	blocks *pyval.List                 // reasoning_details
	calls  []*call
	legacy *call
	odd    *pyval.Dict // tool_calls that are no list
}

// A call assembles a call from its deltas.
type call struct {
	index     int
	id, name  string
	arguments strings.Builder
	read      pyval.Value // arguments that came as an object
	extra     *pyval.Dict // other fields of the call, such as a signature
}

// textKeys are the fields of a delta that hold pieces of text.
var textKeys = []string{"content", "refusal", "reasoning_content", "reasoning"}

func (m *message) add(delta *pyval.Dict) {
	if r := provider.Text(delta, "role"); r != "" {
		m.role = pyval.Str(r)
	}
	for _, key := range textKeys {
		m.addText(key, provider.Get(delta, key))
	}
	if list, ok := provider.Get(delta, "reasoning_details").(*pyval.List); ok {
		m.addBlocks(list.Items)
	}
	if odd, ok := provider.Get(delta, "tool_calls").(*pyval.Dict); ok {
		m.odd = odd
	}
	for _, item := range provider.Items(delta, "tool_calls") {
		m.callOf(item).add(item, provider.Get(item, "function"))
	}
	if f, ok := provider.Get(delta, "function_call").(*pyval.Dict); ok {
		if m.legacy == nil {
			m.legacy = &call{}
		}
		m.legacy.add(pyval.None, f)
	}
}

func (m *message) addText(key string, v pyval.Value) {
	switch v := v.(type) {
	case pyval.Str:
		if key == "content" && m.parts != nil {
			m.parts.Items = append(m.parts.Items, pyval.Object("type", pyval.Str("text"), "text", v))
			return
		}
		if m.text == nil {
			m.text = map[string]*strings.Builder{}
		}
		if m.text[key] == nil {
			m.text[key] = &strings.Builder{}
			m.texts = append(m.texts, key)
		}
		m.text[key].WriteString(string(v))
	case *pyval.List:
		if key != "content" {
			return
		}
		if m.parts == nil {
			m.parts = &pyval.List{}
			if before := m.text[key]; before != nil && before.Len() > 0 {
				m.parts.Items = append(m.parts.Items, pyval.Object("type", pyval.Str("text"), "text", pyval.Str(before.String())))
			}
		}
		m.parts.Items = append(m.parts.Items, v.Items...)
	}
}

// addBlocks joins OpenRouter's blocks of reasoning by their index: texts are
// appended, other fields are overwritten.
func (m *message) addBlocks(items []pyval.Value) {
	if m.blocks == nil {
		m.blocks = &pyval.List{}
	}
	for _, item := range items {
		d, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		if before := m.block(d); before != nil {
			grow(before, d)
			continue
		}
		m.blocks.Items = append(m.blocks.Items, d.Clone())
	}
}

// block returns the block that a piece belongs to, nil if it begins one.
func (m *message) block(piece *pyval.Dict) *pyval.Dict {
	index, ok := piece.GetStr("index")
	if !ok {
		return nil
	}
	for _, b := range m.blocks.Items {
		d := b.(*pyval.Dict)
		if pyval.Equal(provider.Get(d, "index"), index) && provider.Text(d, "type") == provider.Text(piece, "type") {
			return d
		}
	}
	return nil
}

func grow(block, piece *pyval.Dict) {
	for key, v := range piece.All() {
		name := pyval.Text(key)
		before, isText := provider.Get(block, name).(pyval.Str)
		more, alsoText := v.(pyval.Str)
		switch {
		case isText && alsoText && (name == "text" || name == "summary" || name == "data"):
			block.SetStr(name, before+more)
		case v != pyval.None:
			block.SetStr(name, v)
		}
	}
}

// callOf returns the call that a delta belongs to, by its index. Servers that
// give all calls the same index identify them by id; for those that give none,
// each name or id begins a call.
func (m *message) callOf(delta pyval.Value) *call {
	id, name := provider.Text(delta, "id"), provider.Text(provider.Get(delta, "function"), "name")
	_, numbered := provider.Get(delta, "index").(pyval.Int)
	index := provider.Count(delta, "index")
	for i := len(m.calls) - 1; i >= 0; i-- {
		c := m.calls[i]
		other := id != "" && c.id != "" && id != c.id
		switch {
		case numbered && c.index == index && !(other && name != ""):
			return c
		case !numbered && !other && (id != "" && id == c.id || name == ""):
			return c
		}
	}
	c := &call{index: index}
	m.calls = append(m.calls, c)
	return c
}

func (c *call) add(delta, function pyval.Value) {
	if id := provider.Text(delta, "id"); id != "" {
		c.id = id
	}
	if _, ok := function.(*pyval.Dict); !ok {
		function = delta // name and arguments are in the call itself
	}
	if name := provider.Text(function, "name"); name != c.name {
		c.name += name
	}
	switch args := provider.Get(function, "arguments").(type) {
	case pyval.Str:
		c.arguments.WriteString(string(args))
	case pyval.NoneType:
	default:
		c.read = args
	}
	d, _ := delta.(*pyval.Dict)
	if d == nil {
		return
	}
	for key, v := range d.All() {
		switch name := pyval.Text(key); name {
		case "id", "index", "type", "function", "name", "arguments":
		default:
			if v != pyval.None {
				if c.extra == nil {
					c.extra = pyval.NewDict(1)
				}
				c.extra.SetStr(name, v)
			}
		}
	}
}

func (c *call) function() *pyval.Dict {
	args := c.read
	if args == nil || c.arguments.Len() > 0 {
		args = pyval.Str(c.arguments.String())
	}
	return pyval.Object("name", pyval.Str(c.name), "arguments", args)
}

func (c *call) whole() *pyval.Dict {
	out := pyval.Object("id", pyval.Str(c.id), "type", pyval.Str("function"), "function", c.function())
	if c.extra != nil {
		for key, v := range c.extra.All() {
			out.SetStr(pyval.Text(key), v)
		}
	}
	return out
}

// whole returns the message as it would have come in one piece. If there are
// calls and the content is empty, it is null, as in a reply in one piece.
func (m *message) whole() *pyval.Dict {
	role := m.role
	if role == nil {
		role = pyval.Str("assistant")
	}
	out := pyval.Object("role", role, "content", m.said())
	if len(m.calls) > 0 {
		calls := &pyval.List{}
		for _, c := range m.calls {
			calls.Items = append(calls.Items, c.whole())
		}
		out.SetStr("tool_calls", calls)
	}
	if m.odd != nil {
		out.SetStr("tool_calls", m.odd)
	}
	if m.legacy != nil {
		out.SetStr("function_call", m.legacy.function())
	}
	for _, key := range m.texts {
		if key != "content" {
			out.SetStr(key, pyval.Str(m.text[key].String()))
		}
	}
	if m.blocks != nil && len(m.blocks.Items) > 0 {
		out.SetStr("reasoning_details", m.blocks)
	}
	return out
}

func (m *message) said() pyval.Value {
	if m.parts != nil {
		return m.parts
	}
	if b := m.text["content"]; b != nil && (b.Len() > 0 || len(m.calls) == 0 && m.legacy == nil) {
		return pyval.Str(b.String())
	}
	return pyval.None
}
