package provider

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// ReadBlocks reads the blocks of a message of Anthropic's, Bedrock's or
// Gemini's, or the items of a response of OpenAI's. Each protocol marks calls in
// a way that the others do not have.
func (s *Said) ReadBlocks(blocks []pyval.Value) {
	for _, block := range blocks {
		kind := Text(block, "type")
		use, google := Get(block, "toolUse"), Get(block, "functionCall")
		switch {
		case kind == "tool_use":
			s.AddCall(block, Text(block, "id"), "input")
		case kind == "function_call":
			s.AddCall(block, Text(block, "call_id"), "arguments")
		case use != pyval.None:
			s.AddCall(use, Text(use, "toolUseId"), "input")
		case Text(google, "name") != "":
			s.AddCall(google, Text(google, "id"), "args")
			if last := &s.Calls[len(s.Calls)-1]; last.Arguments == "" { // Gemini leaves them out of a call that has none
				last.Arguments = "{}"
			}
		case kind == "message":
			s.Text += Text(block, "content")
			for _, part := range Items(block, "content") {
				s.Text += Text(part, "text") + Text(part, "refusal")
			}
		case kind == "reasoning":
			for _, key := range []string{"summary", "content"} { // OpenAI's, and that of servers of open weights
				for _, part := range Items(block, key) {
					if one := Text(part, "text"); one != "" {
						s.Reasoning += one + "\n"
					}
				}
			}
		case kind == "thinking":
			s.Reasoning += Text(block, "thinking")
		case kind != "" && kind != "text" && kind != "output_text":
		case pyval.Truth(Get(block, "thought")):
			s.Reasoning += Text(block, "text")
		default:
			s.Text += Text(block, "text")
			s.Reasoning += Text(Get(Get(block, "reasoningContent"), "reasoningText"), "text")
		}
	}
}

// AddCall adds a call that has a name, and arguments under a key.
func (s *Said) AddCall(v pyval.Value, id, arguments string) {
	s.Calls = append(s.Calls, eval.ToolCall{ID: id, Name: Text(v, "name"), Arguments: Arguments(Get(v, arguments))})
}

// A Blocks writes a conversation for providers whose messages are lists of
// blocks and whose results are messages of the user.
type Blocks struct {
	// Assistant is the model's role.
	Assistant string
	// Content is the key of a message's blocks.
	Content string
	// Text returns a text as a block.
	Text func(text string) pyval.Value
	// Call returns a call as a block.
	Call func(call eval.ToolCall, args pyval.Value) pyval.Value
	// Result returns a call's result as a block.
	Result func(m eval.Message) pyval.Value
	// Silence is the text of an empty message of the model; "" leaves such
	// messages out.
	Silence string
}

// Messages returns the conversation without its system messages. Consecutive
// results share a message.
func (b *Blocks) Messages(talk []eval.Message) *pyval.List {
	list := &pyval.List{}
	for i, m := range talk {
		var blocks []pyval.Value
		role := m.Role
		switch {
		case m.Role == "assistant":
			role, blocks = b.Assistant, b.answer(m)
			if len(blocks) == 0 {
				continue
			}
		case m.Role != "tool":
			blocks = []pyval.Value{b.Text(m.Content)}
		case i > 0 && talk[i-1].Role == "tool":
			last := Get(list.Items[len(list.Items)-1], b.Content).(*pyval.List)
			last.Items = append(last.Items, b.Result(m))
			continue
		default:
			role, blocks = "user", []pyval.Value{b.Result(m)}
		}
		list.Items = append(list.Items, pyval.Object("role", pyval.Str(role), b.Content, pyval.NewList(blocks...)))
	}
	return list
}

// answer returns the blocks of the model's message: as they came, or else made
// from its text and calls.
func (b *Blocks) answer(m eval.Message) []pyval.Value {
	if raw, ok := m.Raw.(*pyval.List); ok && len(raw.Items) > 0 {
		return raw.Items
	}
	var blocks []pyval.Value
	if m.Content != "" {
		blocks = append(blocks, b.Text(m.Content))
	}
	for _, call := range m.Calls {
		args, err := pyval.ParseJSON(call.Arguments)
		if _, ok := args.(*pyval.Dict); err != nil || !ok {
			args = &pyval.Dict{} // the protocol cannot hold broken arguments
		}
		blocks = append(blocks, b.Call(call, args))
	}
	if len(blocks) == 0 && b.Silence != "" {
		blocks = append(blocks, b.Text(b.Silence))
	}
	return blocks
}
