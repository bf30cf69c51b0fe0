package completions

import (
	"context"
	"errors"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// A reread reads the text of a chat adapter's answers by a dialect. Its
// requests have the server leave calls in the text.
type reread struct {
	wrapped
	dialect *dialect.Dialect
}

// Reread makes an adapter that reads the answers of the adapter a by a dialect.
// The adapter a must ask for answers without tool calls: an answer in which the
// server's parser found some is an error.
func Reread(a eval.Adapter, d *dialect.Dialect) (eval.Adapter, error) {
	if d == nil {
		return nil, errors.New("reading answers by dialect needs a dialect")
	}
	return &reread{wrapped{a}, d}, nil
}

// Generate asks the adapter it wraps and reads its answer.
func (r *reread) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	resp, err := r.Adapter.Generate(ctx, req)
	if err != nil || resp == nil {
		return resp, err
	}
	var text pyval.Str
	switch said := resp.Result.(type) {
	case pyval.Str:
		text = said
	case *pyval.List:
		if len(said.Items) > 0 {
			return nil, eval.Infra("tool_choice", "the server answered with tool calls although tool_choice is none: only the text of an answer can be read by a dialect")
		}
	}
	read := Reading(r.dialect, string(text), req.Tools, nil)
	read.InputTokens, read.OutputTokens, read.Latency = resp.InputTokens, resp.OutputTokens, resp.Latency
	read.CutOff, read.Finish = resp.CutOff, resp.Finish
	if read.Reasoning == "" {
		read.Reasoning = resp.Reasoning
	}
	read.Message = eval.Message{Role: "assistant", Content: read.Message.Content, Calls: r.calls(read.Result)}
	if len(read.Message.Calls) > 0 {
		read.Message.Content = "" // the text is the calls
	}
	return read, nil
}

// calls returns the calls in an answer, for the history; nil if they cannot be
// read.
func (r *reread) calls(kept pyval.Value) []eval.ToolCall {
	decoded, err := r.dialect.Decode(kept, dialect.V4(decode.Python))
	list, ok := decoded.(*pyval.List)
	if err != nil || !ok {
		return nil
	}
	var out []eval.ToolCall
	for _, item := range list.Items {
		call, ok := item.(*pyval.Dict)
		if !ok {
			return nil
		}
		for name, arguments := range call.All() {
			text, err := pyval.JSON(arguments, pyval.JSONUnicode)
			if err != nil {
				return nil
			}
			out = append(out, eval.ToolCall{Name: pyval.Text(name), Arguments: text})
		}
	}
	return out
}
