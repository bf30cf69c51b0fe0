package openai

import (
	"cmp"
	"strings"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// streamed describes replies that come as streams of chunks.
var streamed = &provider.Stream{
	Begin: func() provider.Assembly { return &stream{} },
	Token: isToken,
	Done:  "[DONE]",
}

// isToken reports whether a chunk holds a part of the answer. Most streams
// begin with a chunk that only names the role.
func isToken(chunk pyval.Value) bool {
	for _, choice := range provider.Items(chunk, "choices") {
		delta := provider.Get(choice, "delta")
		for _, key := range []string{"content", "reasoning_content", "reasoning", "reasoning_details", "tool_calls", "function_call", "refusal"} {
			if pyval.Truth(provider.Get(delta, key)) {
				return true
			}
		}
	}
	return false
}

// A stream assembles the first choice from its chunks.
type stream struct {
	began   bool
	message message
	finish  pyval.Value
	failure pyval.Value // of the choice
	usage   pyval.Value
	model   string
}

// Add adds a chunk.
func (s *stream) Add(chunk *pyval.Dict) {
	s.began = true
	s.model = cmp.Or(s.model, provider.Text(chunk, "model"))
	if u := provider.Get(chunk, "usage"); u != pyval.None {
		s.usage = u
	}
	for _, choice := range provider.Items(chunk, "choices") {
		if provider.Count(choice, "index") > 0 {
			continue
		}
		if u := provider.Get(choice, "usage"); u != pyval.None && s.usage == nil { // where Moonshot puts it
			s.usage = u
		}
		if f := provider.Get(choice, "finish_reason"); f != pyval.None && f != pyval.Str("") {
			s.finish = f
		}
		if e := provider.Get(choice, "error"); pyval.Truth(e) {
			s.failure = e
		}
		delta, ok := provider.Get(choice, "delta").(*pyval.Dict)
		if !ok { // some servers end with the whole message
			delta, _ = provider.Get(choice, "message").(*pyval.Dict)
		}
		if delta != nil {
			s.message.add(delta)
		}
	}
}

// Begun reports whether a chunk has come.
func (s *stream) Begun() bool { return s.began }

// Ended reports whether a finish reason has come.
func (s *stream) Ended() bool { return s.finish != nil }

// Closed reports whether the last event has come: it is no object.
func (s *stream) Closed() bool { return false }

// Counted reports whether the usage has come, as it does at the end.
func (s *stream) Counted() bool { return provider.Count(s.usage, "completion_tokens") > 0 }

// Reply returns the completion as it would have come in one piece.
func (s *stream) Reply() (*pyval.Dict, error) {
	message, err := s.message.whole()
	if err != nil {
		return nil, err
	}
	choice := pyval.Object("message", message)
	if s.finish != nil {
		choice.SetStr("finish_reason", s.finish)
	}
	if s.failure != nil {
		choice.SetStr("error", s.failure)
	}
	reply := pyval.Object("choices", pyval.NewList(choice))
	if !s.began {
		reply = pyval.Object("choices", pyval.NewList())
	}
	if s.model != "" {
		reply.SetStr("model", pyval.Str(s.model))
	}
	if s.usage != nil {
		reply.SetStr("usage", s.usage)
	}
	return reply, nil
}

// A message assembles a message from its deltas.
type message struct {
	role   pyval.Value
	texts  []string                    // the keys of text, in the order they came
	text   map[string]*strings.Builder // content, refusal, reasoning
	parts  *pyval.List                 // content that comes in parts
	blocks *pyval.List                 // reasoning_details
	calls  provider.Calls
	extra  map[*provider.Call]*pyval.Dict // other fields of a call, such as a signature
	legacy *provider.Calls
	odd    *pyval.Dict // tool_calls that are no list
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
		m.addCall(item)
	}
	if f, ok := provider.Get(delta, "function_call").(*pyval.Dict); ok {
		if m.legacy == nil {
			m.legacy = &provider.Calls{}
		}
		piece := pieceOf(pyval.None, f)
		piece.Index = pyval.MakeInt(0) // there is one
		m.legacy.Add(piece)
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

func (m *message) addCall(delta pyval.Value) {
	function := provider.Get(delta, "function")
	if _, ok := function.(*pyval.Dict); !ok {
		function = delta // name and arguments are in the call itself
	}
	call := m.calls.Add(pieceOf(delta, function))
	d, ok := delta.(*pyval.Dict)
	if !ok || call == nil {
		return
	}
	for key, v := range d.All() {
		switch name := pyval.Text(key); name {
		case "id", "index", "type", "function", "name", "arguments":
		default:
			if v == pyval.None {
				continue
			}
			if m.extra == nil {
				m.extra = map[*provider.Call]*pyval.Dict{}
			}
			if m.extra[call] == nil {
				m.extra[call] = pyval.NewDict(1)
			}
			m.extra[call].SetStr(name, v)
		}
	}
}

func pieceOf(delta, function pyval.Value) provider.Piece {
	p := provider.Piece{Index: provider.Get(delta, "index"), ID: provider.Text(delta, "id"), Name: provider.Text(function, "name")}
	switch args := provider.Get(function, "arguments").(type) {
	case pyval.Str:
		p.Arguments = string(args)
	case pyval.NoneType:
	default:
		p.Read = args
	}
	return p
}

func functionOf(c *provider.Call) *pyval.Dict {
	return pyval.Object("name", pyval.Str(c.Name), "arguments", c.Arguments())
}

func (m *message) call(c *provider.Call) *pyval.Dict {
	out := pyval.Object("id", pyval.Str(c.ID), "type", pyval.Str("function"), "function", functionOf(c))
	if extra := m.extra[c]; extra != nil {
		for key, v := range extra.All() {
			out.SetStr(pyval.Text(key), v)
		}
	}
	return out
}

// whole returns the message as it would have come in one piece. If there are
// calls and the content is empty, it is null, as in a reply in one piece.
func (m *message) whole() (*pyval.Dict, error) {
	made, err := m.calls.Finish()
	if err != nil {
		return nil, err
	}
	role := m.role
	if role == nil {
		role = pyval.Str("assistant")
	}
	out := pyval.Object("role", role, "content", m.said(len(made) > 0))
	if len(made) > 0 {
		calls := &pyval.List{}
		for _, c := range made {
			calls.Items = append(calls.Items, m.call(c))
		}
		out.SetStr("tool_calls", calls)
	}
	if m.odd != nil {
		out.SetStr("tool_calls", m.odd)
	}
	if m.legacy != nil {
		legacy, err := m.legacy.Finish()
		if err != nil {
			return nil, err
		}
		for _, c := range legacy {
			out.SetStr("function_call", functionOf(c))
		}
	}
	for _, key := range m.texts {
		if key != "content" {
			out.SetStr(key, pyval.Str(m.text[key].String()))
		}
	}
	if m.blocks != nil && len(m.blocks.Items) > 0 {
		out.SetStr("reasoning_details", m.blocks)
	}
	return out, nil
}

func (m *message) said(called bool) pyval.Value {
	if m.parts != nil {
		return m.parts
	}
	if b := m.text["content"]; b != nil && (b.Len() > 0 || !called && m.legacy == nil) {
		return pyval.Str(b.String())
	}
	return pyval.None
}
