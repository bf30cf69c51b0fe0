package completions

import (
	"context"
	"fmt"
	"io"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/pose/completion"
)

// A told adapter describes the functions to a model of a chat API in one of
// upstream's texts, and sends no tools.
type told struct {
	wrapped
	chat *completion.Chat
}

// toldAsText is a told adapter that also sends results back as text.
type toldAsText struct{ *told }

// Told makes an adapter that asks through the adapter a as upstream's handler
// of the model does.
func Told(a eval.Adapter, c *completion.Chat) eval.Adapter {
	t := &told{wrapped{a}, c}
	if c.AsText() {
		return toldAsText{t}
	}
	return t
}

// Manner returns the manner of upstream's handler: functions are described in
// the first message, and those that come later as text.
func (toldAsText) Manner() eval.Manner { return eval.Manner{MoreAsText: true} }

// A wrapped adapter is the one that others ask through.
type wrapped struct{ eval.Adapter }

// String returns the text of the adapter it wraps.
func (w wrapped) String() string { return fmt.Sprint(w.Adapter) }

// Facts returns what the server of the adapter it wraps told about itself.
func (w wrapped) Facts() server.Facts {
	if a, ok := w.Adapter.(interface{ Facts() server.Facts }); ok {
		return a.Facts()
	}
	return server.Facts{}
}

// Full asks the server of the adapter it wraps.
func (w wrapped) Full(ctx context.Context, req *eval.Request, prompt int, ask bool) error {
	if a, ok := w.Adapter.(eval.Guard); ok {
		return a.Full(ctx, req, prompt, ask)
	}
	return nil
}

// Close closes the adapter it wraps.
func (w wrapped) Close() error {
	if c, ok := w.Adapter.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Generate asks the adapter it wraps, and keeps of its answer what upstream's
// handler keeps.
func (t *told) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	asked := *req
	asked.Messages, asked.Tools, asked.Sent, asked.Documented = t.chat.Messages(req.Messages, req.Tools, req.Sent), nil, nil, 0
	resp, err := t.Adapter.Generate(ctx, &asked)
	if err != nil || resp == nil {
		return resp, err
	}
	resp.Result = t.chat.Kept(resp.Result)
	return resp, nil
}
