package calllog

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// readChat reads a chat completion.
func (e *exchange) readChat(request, response *pyval.Dict) error {
	err := e.messages(request, func(m *pyval.Dict, at string) ([]said, error) {
		s, err := chatMessage(m)
		s.at = at
		return []said{s}, err
	})
	if err != nil {
		return err
	}
	e.tools = slices.Concat(list(request, "tools"), list(request, "functions"))
	e.calls, err = chatAnswer(response)
	return err
}

func chatMessage(m *pyval.Dict) (s said, err error) {
	if str(m, "role") == "function" {
		return s, errors.New("a result in the older form (role function) does not name its call")
	}
	if s.role, err = role(str(m, "role")); err != nil {
		return s, err
	}
	if s.role == "assistant" {
		if s.calls, err = chatCalls(list(m, "tool_calls")); err != nil {
			return s, err
		}
	}
	s.of = str(m, "tool_call_id")
	s.text, err = texts(get(m, "content"), "text", "text")
	if len(s.calls) > 0 && get(m, "content") == nil {
		return s, nil // calls often have no text beside them
	}
	return s, err
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
	id := str(wire, "id")
	if inner, ok := wire.GetStr("function"); ok {
		if wire = asDict(inner); wire == nil {
			return call{}, errors.New("its function is not an object")
		}
	}
	return newCall(id, str(wire, "name"), get(wire, "arguments"))
}

// chatAnswer returns the calls of the response's first choice.
func chatAnswer(response *pyval.Dict) ([]call, error) {
	if get(response, "error") != nil {
		return nil, errors.New("the response is an error")
	}
	message := response
	if response.Has("choices") {
		choices := list(response, "choices")
		if len(choices) == 0 {
			return nil, errors.New("the response has no choices")
		}
		choice, _ := choices[0].(*pyval.Dict)
		if choice == nil {
			return nil, errors.New("the response's choice is not an object")
		}
		if reason := str(choice, "finish_reason"); slices.Contains(unfinished, reason) {
			return nil, cutShort(reason)
		}
		message = asDict(get(choice, "message"))
	}
	if message == nil || !message.Has("content") && !message.Has("tool_calls") && !message.Has("function_call") {
		return nil, errors.New("the response has no message")
	}
	given := list(message, "tool_calls")
	if older := get(message, "function_call"); older != nil {
		given = append(slices.Clone(given), older)
	}
	return chatCalls(given)
}

// unfinished are the reasons for which servers end answers that are not whole.
var unfinished = []string{"length", "model_length", "max_tokens", "content_filter", "error", "abort", "network_error", "insufficient_system_resource"}

func cutShort(reason string) error {
	return fmt.Errorf("the response was cut short (%.40s)", reason)
}
