package completions

import (
	"context"
	"fmt"
	"io"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/completion"
)

// A told adapter tells a model of a chat API its functions in a text of
// upstream's, and asks for no tools.
type told struct {
	eval.Adapter
	chat *completion.Chat
}

// toldAsText is one whose results go back in a text, too.
type toldAsText struct{ *told }

// Told makes an adapter that asks through another one as upstream's handler of
// the model does.
func Told(a eval.Adapter, c *completion.Chat) eval.Adapter {
	t := &told{a, c}
	if c.AsText() {
		return toldAsText{t}
	}
	return t
}

// Manner is that of the handler: functions stand in the first message, and what
// comes later in texts.
func (toldAsText) Manner() eval.Manner { return eval.Manner{MoreAsText: true} }

// String returns the other one's.
func (t *told) String() string { return fmt.Sprint(t.Adapter) }

// Close closes the other one.
func (t *told) Close() error {
	if c, ok := t.Adapter.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Generate asks and keeps what the handler keeps.
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
