// Package adaptertest is the conformance test that every adapter must pass. An
// adapter's own test calls Run, and tests separately what is special to its
// wire protocol.
package adaptertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// stuck is how long a call may take before it counts as hanging.
const stuck = time.Minute

// concurrent is how many goroutines ask an adapter at once.
const concurrent = 32

// Run tests an adapter. open returns a new adapter for each subtest, which
// closes it if it is an io.Closer. answerable are requests that the adapter
// must answer with a Response; if there are none, a plain question in both
// modes is used.
func Run(t *testing.T, open func(t *testing.T) eval.Adapter, answerable ...*eval.Request) {
	t.Helper()
	if len(answerable) == 0 {
		answerable = []*eval.Request{plain(eval.FC), plain(eval.Prompt)}
	}
	for _, c := range []struct {
		name string
		test func(t *testing.T, a eval.Adapter, answerable []*eval.Request)
	}{
		{"answers", answers},
		{"concurrent", concurrently},
		{"cancelled", cancelled},
		{"conversation", converses},
		{"odd requests", odd},
		{"close", closes},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			a := open(t)
			c.test(t, a, answerable)
			closeAdapter(t, a)
			if err := goleak.Find(before); err != nil {
				t.Errorf("goroutines are left behind: %v", err)
			}
		})
	}
}

// answers checks that each answerable request gets a Response.
func answers(t *testing.T, a eval.Adapter, answerable []*eval.Request) {
	for i, req := range answerable {
		if _, err := ask(t.Context(), a, req); err != nil {
			t.Errorf("request %d: %v", i, err)
		}
	}
}

// concurrently asks the same requests from many goroutines, for the race
// detector.
func concurrently(t *testing.T, a eval.Adapter, answerable []*eval.Request) {
	var wg sync.WaitGroup
	for n := range concurrent {
		wg.Go(func() {
			if _, err := ask(t.Context(), a, answerable[n%len(answerable)]); err != nil {
				t.Errorf("goroutine %d: %v", n, err)
			}
		})
	}
	wg.Wait()
}

// cancelled checks that a context that has ended gives an error, and that one
// that ends later does not keep the adapter waiting.
func cancelled(t *testing.T, a eval.Adapter, answerable []*eval.Request) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i, req := range answerable {
		resp, err := ask(ctx, a, req)
		if resp != nil || err == nil {
			t.Errorf("request %d: a cancelled context gave a Response, not an error", i)
		}
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := ask(ctx, a, answerable[0]); errors.As(err, new(*breach)) {
		t.Error(err)
	}
	if _, err := ask(t.Context(), a, answerable[0]); err != nil {
		t.Errorf("after a cancelled request the next one fails: %v", err)
	}
}

// odd checks that strange requests give a Response or an error.
func odd(t *testing.T, a eval.Adapter, _ []*eval.Request) {
	for name, req := range oddRequests() {
		for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
			req.Mode = mode
			if _, err := ask(t.Context(), a, req); errors.As(err, new(*breach)) {
				t.Errorf("%s, mode %s: %v", name, mode, err)
			}
		}
	}
}

// closes checks that an adapter may be closed unused and more than once.
func closes(t *testing.T, a eval.Adapter, _ []*eval.Request) {
	closeAdapter(t, a)
	closeAdapter(t, a)
}

func closeAdapter(t *testing.T, a eval.Adapter) {
	t.Helper()
	c, ok := a.(io.Closer)
	if !ok {
		return
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// A breach is the error of an adapter that broke the contract, as opposed to
// one that could not obtain an answer.
type breach struct{ what string }

// Error says how the contract was broken.
func (b *breach) Error() string { return b.what }

func broken(format string, args ...any) error { return &breach{fmt.Sprintf(format, args...)} }

// ask calls Generate and checks that it keeps the contract.
func ask(ctx context.Context, a eval.Adapter, req *eval.Request) (*eval.Response, error) {
	before := print(req)
	type outcome struct {
		resp *eval.Response
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.err = broken("Generate panics: %v\n%s", r, debug.Stack())
			}
			done <- o
		}()
		o.resp, o.err = a.Generate(ctx, req)
	}()
	select {
	case o := <-done:
		if print(req) != before {
			return nil, broken("Generate changed the request")
		}
		return o.resp, check(o.resp, o.err)
	case <-time.After(stuck):
		return nil, broken("Generate hangs")
	}
}

// print returns a request as text; requests with the same text are the same.
func print(req *eval.Request) string {
	tools := make([]string, len(req.Tools))
	for i, tool := range req.Tools {
		tools[i] = pyval.Repr(tool)
	}
	raw := make([]string, len(req.Messages))
	for i, m := range req.Messages {
		if m.Raw != nil {
			raw[i] = pyval.Repr(m.Raw)
		}
	}
	return fmt.Sprintf("%q %d %q %q %q %q", req.ID, req.Trial, req.Mode, req.Messages, raw, tools)
}

// check returns the error of Generate, or what is wrong with its response.
func check(resp *eval.Response, err error) error {
	switch {
	case resp == nil && err == nil:
		return broken("Generate returned neither a Response nor an error")
	case err != nil && resp != nil:
		return broken("Generate returned a Response beside the error %v", err)
	case err != nil:
		return err
	case resp.Latency < 0:
		return broken("Latency is %v", resp.Latency)
	case resp.InputTokens < 0 || resp.OutputTokens < 0:
		return broken("token counts are %d and %d", resp.InputTokens, resp.OutputTokens)
	}
	if err := checkMessage(resp); err != nil {
		return err
	}
	return checkResult(resp.Result)
}

// checkMessage compares the answer's message, if the adapter returns one, with
// its Result.
func checkMessage(resp *eval.Response) error {
	m := resp.Message
	if m.Role == "" {
		return nil
	}
	if m.Role != "assistant" {
		return broken("the answer's Message has the role %q", m.Role)
	}
	calls, ok := resp.Result.(*pyval.List)
	if ok && pyval.Repr(eval.CallsResult(m.Calls)) != pyval.Repr(calls) {
		return broken("the calls of Message and Result differ: %q, %s", m.Calls, pyval.Repr(calls))
	}
	return nil
}

// checkResult checks that a Result has the form of upstream's result files.
func checkResult(v pyval.Value) error {
	list, ok := v.(*pyval.List)
	if v == pyval.None {
		return nil // upstream's record of an empty message
	}
	if !ok {
		if _, text := v.(pyval.Str); !text {
			return broken("Result is neither a str nor a list: %T", v)
		}
		return nil
	}
	for i, item := range list.Items {
		call, ok := item.(*pyval.Dict)
		if !ok || call.Len() != 1 {
			return broken("call %d of Result is not a dict of one entry: %s", i, pyval.Repr(item))
		}
		name, args := call.At(0)
		_, okName := name.(pyval.Str)
		if _, ok := args.(pyval.Str); !ok || !okName {
			return broken("call %d of Result is not {name: JSON text}: %s", i, pyval.Repr(item))
		}
	}
	return nil
}
