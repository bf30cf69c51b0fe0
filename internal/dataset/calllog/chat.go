package calllog

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// readChat reads a chat completion.
func (e *exchange) readChat(request, response *pyval.Dict) (err error) {
	all := list(request, "messages")
	if len(all) == 0 {
		return errors.New(`the request has no "messages"`)
	}
	for i, item := range all {
		m := asDict(item)
		if m == nil {
			return fmt.Errorf("message %d is not an object", i+1)
		}
		if err := e.chatMessage(m); err != nil {
			return fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	e.tools = list(request, "tools")
	e.calls, err = chatAnswer(response)
	return err
}

func (e *exchange) chatMessage(m *pyval.Dict) error {
	who, err := role(str(m, "role"))
	if err != nil {
		return err
	}
	calls, err := chatCalls(list(m, "tool_calls"))
	if err != nil {
		return err
	}
	text := ""
	if len(calls) == 0 || get(m, "content") != nil { // calls often have no text beside them
		if text, err = texts(get(m, "content"), "text", "text"); err != nil {
			return err
		}
	}
	if who == "tool" {
		e.result(str(m, "tool_call_id"), text)
		return nil
	}
	e.say(who, text, calls)
	return nil
}

func chatCalls(given []pyval.Value) (out []call, err error) {
	for i, item := range given {
		c, err := chatCall(item)
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
		out = append(out, c)
	}
	return out, nil
}

func chatCall(v pyval.Value) (call, error) {
	wire := asDict(v)
	if wire == nil {
		return call{}, errors.New("it is not an object")
	}
	if wire.Has("custom") {
		return call{}, errors.New("it calls a custom tool, which takes free text and not JSON")
	}
	function := asDict(get(wire, "function"))
	return newCall(str(wire, "id"), str(function, "name"), get(function, "arguments"))
}

// chatAnswer returns the calls of the response's first choice.
func chatAnswer(response *pyval.Dict) ([]call, error) {
	if get(response, "error") != nil {
		return nil, errors.New("the response is an error")
	}
	choices := list(response, "choices")
	if len(choices) == 0 {
		return nil, errors.New("the response has no choices")
	}
	choice := asDict(choices[0])
	if reason := str(choice, "finish_reason"); slices.Contains(unfinished, reason) {
		return nil, cutShort(reason)
	}
	message := asDict(get(choice, "message"))
	switch {
	case message == nil || !message.Has("content") && !message.Has("tool_calls"):
		return nil, errors.New("the response has no message")
	case get(message, "function_call") != nil:
		return nil, errors.New("it holds a call in the older form (function_call)")
	}
	return chatCalls(list(message, "tool_calls"))
}

// unfinished are the reasons for which servers end answers that are not whole.
var unfinished = []string{"length", "model_length", "max_tokens", "content_filter", "error", "abort", "network_error", "insufficient_system_resource"}

func cutShort(reason string) error {
	return fmt.Errorf("the response was cut short (%.40s)", reason)
}
