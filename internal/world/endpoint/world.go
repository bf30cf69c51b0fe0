package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A World is what the calls of a case act on. An endpoint makes one call at a
// time.
type World interface {
	// Call carries out a call, whose arguments are JSON text. An error is
	// infrastructure's: the caller is not to blame.
	Call(ctx context.Context, name, arguments string) (Answer, error)
}

// An Answer is what a caller gets.
type Answer struct {
	Text string
	// Failed reports whether the call failed.
	Failed bool
	// Unread reports whether the call could not be read, so that nothing was
	// carried out.
	Unread bool
}

// unread is the answer to a call that cannot be read.
var unread = Answer{Text: "The call cannot be read: its arguments must be one JSON object.", Failed: true, Unread: true}

// Simulated are the simulated APIs of a case. Calls are read like those of
// models in function-calling mode.
type Simulated struct{ Env *sim.Env }

// Call carries out a call on the instances.
func (s Simulated) Call(_ context.Context, name, arguments string) (Answer, error) {
	calls, err := decode.FCExecute(eval.CallsResult([]eval.ToolCall{{Name: name, Arguments: arguments}}))
	if err != nil {
		return unread, nil
	}
	results := s.Env.Execute(calls)
	if o := s.Env.Outage(); o != nil {
		return Answer{}, &eval.InfraError{Kind: o.Kind, Err: o.Err}
	}
	return Answer{Text: results[0], Failed: sim.IsError(results[0])}, nil
}

// Scripted answers by the table of results of a case on a suite's own tools.
type Scripted struct {
	Case     *eval.Case
	Settings eval.Settings
}

// Call looks the call up.
func (s Scripted) Call(_ context.Context, name, arguments string) (Answer, error) {
	step := eval.CallsResult([]eval.ToolCall{{Name: name, Arguments: arguments}})
	_, results, err := s.Case.Scene.Script.Execute(s.Case, step, s.Settings)
	if _, broken := errors.AsType[*eval.InfraError](err); broken {
		return Answer{}, err
	}
	if err != nil || len(results) != 1 {
		return unread, nil
	}
	return Answer{Text: results[0], Failed: sim.IsError(results[0])}, nil
}

// Noted is the world of cases whose calls are compared and not carried out.
type Noted struct{}

// notedText is the answer to a call that is not carried out.
const notedText = "noted"

// Call notes the call.
func (Noted) Call(context.Context, string, string) (Answer, error) {
	return Answer{Text: notedText}, nil
}

// Executed carries out the calls of executable cases.
type Executed struct {
	Env *exec.Env
	// Case is the case of the calls. Those of a REST case are requests, to
	// which each case may have its own recorded answers.
	Case *eval.Case
	// Decode turns a call into the text that is run.
	Decode func(result pyval.Value) (pyval.Value, error)
}

// Call carries out a function.
func (x Executed) Call(ctx context.Context, name, arguments string) (Answer, error) {
	decoded, err := x.Decode(eval.CallsResult([]eval.ToolCall{{Name: name, Arguments: arguments}}))
	if err != nil {
		return unread, nil
	}
	list, _ := decoded.(*pyval.List)
	if list == nil || len(list.Items) != 1 {
		return unread, nil
	}
	answer, err := x.run(ctx, pyval.Text(list.Items[0]))
	if raised, ok := errors.AsType[*pyval.Exception](err); ok {
		return Answer{Text: "Error during execution: " + raised.Msg, Failed: true}, nil
	}
	return answer, err
}

func (x Executed) run(ctx context.Context, call string) (Answer, error) {
	if x.Case.Rule == eval.REST {
		resp, err := exec.Get(ctx, x.Env, x.Case.ID, call)
		if err != nil || resp.Status == http.StatusOK {
			return Answer{Text: resp.Body}, err
		}
		return Answer{Text: fmt.Sprintf("Status code %d: %s", resp.Status, resp.Body), Failed: true}, nil
	}
	v, err := exec.Run(ctx, x.Env, call)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Text: pyval.Text(v)}, nil
}

// A Tool is a tool as clients see it.
type Tool struct {
	Name, Description string
	// Schema is a JSON Schema of its arguments.
	Schema json.RawMessage
}

// Tools are function documents as tools, with the names, descriptions and
// schemas that models get in Chat Completions; or, if sent is not nil, with
// those that a suite's owner wrote.
func Tools(w *tool.Wording, docs, sent []*pyval.Dict) ([]Tool, error) {
	var list *pyval.List
	var err error
	if sent != nil {
		list, err = tool.Written(sent, tool.OpenAICompletions)
	} else {
		list, err = w.Convert(docs, tool.OpenAICompletions)
	}
	if err != nil {
		return nil, err
	}
	out := make([]Tool, len(list.Items))
	for i, item := range list.Items {
		if out[i], err = newTool(item); err != nil {
			return nil, tool.InFunction(docs[i], err)
		}
	}
	return out, nil
}

func newTool(item pyval.Value) (out Tool, err error) {
	frame, _ := item.(*pyval.Dict)
	function := frame.Child("function")
	if function == nil {
		return out, ErrShown
	}
	name, _ := function.GetStr("name")
	out.Description, _ = function.Text("description")
	parameters, given := function.GetStr("parameters")
	if !given { // the protocol insists on a schema
		parameters = pyval.Object("type", pyval.Str("object"))
	}
	out.Schema, err = pyval.AppendJSON(nil, parameters, pyval.JSONUnicode|pyval.JSONCompact)
	if err != nil {
		return out, fmt.Errorf("%w: its parameters: %w", ErrShown, err)
	}
	out.Name = pyval.Text(name)
	return out, nil
}

// Show adds tools to those that clients see, and notifies the clients.
func (e *Endpoint) Show(tools []Tool) error {
	for _, t := range tools {
		e.mu.Lock()
		if _, again := e.shown[t.Name]; !again {
			e.shown[t.Name] = len(e.shown)
		}
		e.mu.Unlock()
		if e.server == nil {
			continue
		}
		if err := e.server.Show(t); err != nil {
			return err
		}
	}
	return nil
}
