package calllog

import (
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// readAnthropic reads a message of the Messages API.
func (e *exchange) readAnthropic(request, response *pyval.Dict) error {
	if system := get(request, "system"); system != nil {
		text, err := texts(system, "text", "text")
		if err != nil {
			return fmt.Errorf("system: %w", err)
		}
		e.said = append(e.said, said{at: "system", role: "system", text: text})
	}
	err := e.messages(request, func(m *pyval.Dict, at string) ([]said, error) {
		return anthropicMessage(str(m, "role"), get(m, "content"), at)
	})
	if err != nil {
		return err
	}
	e.tools = list(request, "tools")
	e.calls, err = anthropicAnswer(response)
	return err
}

// anthropicMessage reads a message. A user's message with results of calls
// becomes one message for each result and one for its text.
func anthropicMessage(given string, content pyval.Value, at string) (out []said, err error) {
	if given != "user" && given != "assistant" {
		return nil, fmt.Errorf("the role %.40q is unknown", given)
	}
	s := said{at: at, role: given}
	blocks, _ := content.(*pyval.List)
	if blocks == nil {
		s.text, err = texts(content, "text")
		return []said{s}, err
	}
	plain := &pyval.List{} // without calls and results
	for i, item := range blocks.Items {
		block := asDict(item)
		typ := str(block, "type")
		switch {
		case typ == "tool_use" && given == "assistant":
			c, err := newCall(str(block, "id"), str(block, "name"), get(block, "input"))
			if err != nil {
				return nil, fmt.Errorf("block %d: %w", i+1, err)
			}
			s.calls = append(s.calls, c)
		case typ == "tool_result" && given == "user":
			text := ""
			if inner := get(block, "content"); inner != nil {
				if text, err = texts(inner, "text", "text"); err != nil {
					return nil, fmt.Errorf("block %d: %w", i+1, err)
				}
			}
			out = append(out, said{at: at, role: "tool", of: str(block, "tool_use_id"), text: text})
		case typ == "thinking" || typ == "redacted_thinking":
		case typ == "text":
			plain.Items = append(plain.Items, item)
		case typ == "image" || typ == "document":
			return nil, errMore
		default:
			return nil, fmt.Errorf("block %d is of type %.40q, but a suite can hold only text and function calls", i+1, typ)
		}
	}
	if len(plain.Items) == 0 && len(out) > 0 {
		return out, nil
	}
	s.text, err = texts(plain, "text", "text")
	return append(out, s), err
}

// anthropicAnswer returns the calls of the response.
func anthropicAnswer(response *pyval.Dict) ([]call, error) {
	if get(response, "error") != nil || str(response, "type") == "error" {
		return nil, errors.New("the response is an error")
	}
	switch reason := str(response, "stop_reason"); {
	case reason == "" && response.Has("stop_reason"):
		return nil, cutShort("it has no stop_reason")
	case reason != "" && reason != "end_turn" && reason != "tool_use" && reason != "stop_sequence":
		return nil, cutShort(reason)
	}
	if !response.Has("content") {
		return nil, errors.New("the response has no content")
	}
	all, err := anthropicMessage("assistant", get(response, "content"), "the response")
	if err != nil {
		return nil, fmt.Errorf("the response: %w", err)
	}
	return all[0].calls, nil
}
