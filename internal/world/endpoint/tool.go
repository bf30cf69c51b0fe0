package endpoint

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Tools are function documents as tools, with the names, descriptions and
// schemas that models get in Chat Completions; or, if sent is not nil, with
// those that a suite's owner wrote.
func Tools(w *tool.Wording, docs, sent []*pyval.Dict) ([]*mcp.Tool, error) {
	list, err := schemas(w, docs, sent)
	if err != nil {
		return nil, err
	}
	out := make([]*mcp.Tool, len(list.Items))
	for i, item := range list.Items {
		if out[i], err = newTool(item); err != nil {
			return nil, tool.InFunction(docs[i], err)
		}
	}
	return out, nil
}

func schemas(w *tool.Wording, docs, sent []*pyval.Dict) (*pyval.List, error) {
	if sent != nil {
		return tool.Written(sent, tool.OpenAICompletions)
	}
	return w.Convert(docs, tool.OpenAICompletions)
}

func newTool(item pyval.Value) (*mcp.Tool, error) {
	frame, _ := item.(*pyval.Dict)
	if frame == nil {
		return nil, errShown
	}
	v, _ := frame.GetStr("function")
	function, _ := v.(*pyval.Dict)
	if function == nil {
		return nil, errShown
	}
	name, _ := function.GetStr("name")
	description, _ := function.GetStr("description")
	parameters, given := function.GetStr("parameters")
	if !given { // the protocol insists on a schema
		d := pyval.NewDict(1)
		d.SetStr("type", pyval.Str("object"))
		parameters = d
	}
	schema, err := pyval.AppendJSON(nil, parameters, pyval.JSONUnicode|pyval.JSONCompact)
	if err != nil {
		return nil, fmt.Errorf("%w: its parameters: %w", errShown, err)
	}
	out := &mcp.Tool{Name: pyval.Text(name), InputSchema: json.RawMessage(schema)}
	if text, ok := description.(pyval.Str); ok {
		out.Description = string(text)
	}
	return out, nil
}

// Show adds tools to those that clients see, and notifies the clients.
func (e *Endpoint) Show(tools []*mcp.Tool) error {
	for _, t := range tools {
		e.mu.Lock()
		if _, again := e.shown[t.Name]; !again {
			e.shown[t.Name] = len(e.shown)
		}
		e.mu.Unlock()
		if err := e.add(t); err != nil {
			return err
		}
	}
	return nil
}

// add adds a tool. The SDK panics if it refuses a schema.
func (e *Endpoint) add(t *mcp.Tool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errShown, p)
		}
	}()
	e.server.AddTool(t, unreached)
	return nil
}
