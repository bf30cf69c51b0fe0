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
	eval.Adapter
	chat *completion.Chat
}

// toldAsText is a told adapter that also sends results back as text.
type toldAsText struct{ *told }

// Told makes an adapter that asks through the adapter a as upstream's handler
// of the model does.
func Told(a eval.Adapter, c *completion.Chat) eval.Adapter {
	t := &told{a, c}
	if c.AsText() {
		return toldAsText{t}
	}
	return t
}

// Manner returns the manner of upstream's handler: functions are described in
// the first message, and those that come later as text.
func (toldAsText) Manner() eval.Manner { return eval.Manner{MoreAsText: true} }

// String returns the text of the adapter it wraps.
func (t *told) String() string { return fmt.Sprint(t.Adapter) }

// Facts returns what the server of the adapter it wraps told about itself.
func (t *told) Facts() server.Facts {
	if a, ok := t.Adapter.(interface{ Facts() server.Facts }); ok {
		return a.Facts()
	}
	return server.Facts{}
}

// Close closes the adapter it wraps.
func (t *told) Close() error {
	if c, ok := t.Adapter.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Generate asks the adapter it wraps, and keeps of its answer what upstream's
// handler keeps.
func (t *told) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	asked := *req
	asked.Messages, asked.Tools, asked.Sent = t.chat.Messages(req.Messages, req.Tools, req.Sent), nil, nil
	resp, err := t.Adapter.Generate(ctx, &asked)
	if err != nil || resp == nil {
		return resp, err
	}
	resp.Result = t.chat.Kept(resp.Result)
	return resp, nil
}
