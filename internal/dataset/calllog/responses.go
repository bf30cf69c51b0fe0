package calllog

import (
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// readResponses reads a response of the Responses API.
func (e *exchange) readResponses(request, response *pyval.Dict) (err error) {
	for _, key := range []string{"conversation", "prompt", "previous_response_id"} {
		if get(request, key) != nil {
			return fmt.Errorf("the request's %s is kept by the provider and is not in the log", key)
		}
	}
	if text := str(request, "instructions"); text != "" {
		e.say("system", text, nil)
	}
	if text, ok := get(request, "input").(pyval.Str); ok {
		e.say("user", string(text), nil)
	}
	for i, item := range list(request, "input") {
		if err := e.item(asDict(item)); err != nil {
			return fmt.Errorf("input %d: %w", i+1, err)
		}
	}
	if get(request, "input") == nil {
		return errors.New(`the request has no "input"`)
	}
	e.tools = list(request, "tools")
	e.calls, err = responsesOutput(response)
	return err
}

// item adds an item of a conversation; reasoning says nothing to a model.
func (e *exchange) item(d *pyval.Dict) error {
	switch typ := str(d, "type"); typ {
	case "", "message":
		who, err := role(str(d, "role"))
		if err != nil {
			return err
		}
		text, err := responsesText(get(d, "content"))
		e.say(who, text, nil)
		return err
	case "function_call":
		if str(d, "status") == "incomplete" {
			return errors.New("the call was cut short")
		}
		c, err := newCall(str(d, "call_id"), str(d, "name"), get(d, "arguments"))
		if err == nil {
			e.say("assistant", "", []call{c})
			e.calls = append(e.calls, c)
		}
		return err
	case "function_call_output":
		text, err := responsesText(get(d, "output"))
		e.result(str(d, "call_id"), text)
		return err
	case "reasoning":
		return nil
	case "item_reference":
		return errors.New("the item it refers to is kept by the provider and is not in the log")
	default:
		return fmt.Errorf("it is of type %.40q, but a suite can hold only messages and function calls", typ)
	}
}

// responsesText joins the parts of a content.
func responsesText(content pyval.Value) (string, error) {
	parts, _ := content.(*pyval.List)
	if parts == nil {
		return texts(content, "text")
	}
	flat := &pyval.List{}
	for _, item := range parts.Items {
		part := asDict(item)
		if str(part, "type") == "refusal" {
			item = pyval.Object("type", pyval.Str("text"), "text", pyval.Str(str(part, "refusal")))
		}
		flat.Items = append(flat.Items, item)
	}
	return texts(flat, "text", "text", "input_text", "output_text")
}

// responsesOutput returns the calls of a response.
func responsesOutput(response *pyval.Dict) (calls []call, err error) {
	if get(response, "error") != nil {
		return nil, errors.New("the response is an error")
	}
	switch status := str(response, "status"); status {
	case "", "completed":
	case "incomplete":
		return nil, cutShort(str(asDict(get(response, "incomplete_details")), "reason"))
	default:
		return nil, fmt.Errorf("the response is %.40q", status)
	}
	items := list(response, "output")
	if len(items) == 0 {
		return nil, errors.New("the response has no output")
	}
	answer := exchange{}
	for i, item := range items {
		if err := answer.item(asDict(item)); err != nil {
			return nil, fmt.Errorf("output %d: %w", i+1, err)
		}
	}
	return answer.calls, nil
}
