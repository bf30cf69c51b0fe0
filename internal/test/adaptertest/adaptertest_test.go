package adaptertest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// generate is an adapter made of one function.
type generate func(ctx context.Context, req *eval.Request) (*eval.Response, error)

func (g generate) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	return g(ctx, req)
}

func text(ctx context.Context, _ *eval.Request) (*eval.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &eval.Response{Result: eval.TextResult("no")}, nil
}

func TestRunAcceptsAGoodAdapter(t *testing.T) {
	Run(t, func(*testing.T) eval.Adapter { return generate(text) })
}

func TestBrokenAdaptersAreFound(t *testing.T) {
	answer := func(v pyval.Value) generate {
		return func(context.Context, *eval.Request) (*eval.Response, error) {
			return &eval.Response{Result: v}, nil
		}
	}
	tests := []struct {
		name  string
		adapt generate
		want  string
	}{
		{"nothing", func(context.Context, *eval.Request) (*eval.Response, error) { return nil, nil }, "neither"},
		{"both", func(context.Context, *eval.Request) (*eval.Response, error) {
			return &eval.Response{}, errors.New("x")
		}, "beside the error"},
		{"panic", func(context.Context, *eval.Request) (*eval.Response, error) { panic("oh") }, "panics: oh"},
		{"nil result", answer(nil), "neither a str nor a list"},
		{"number", answer(pyval.MakeInt(1)), "neither a str nor a list"},
		{"call is text", answer(pyval.NewList(pyval.Str("f()"))), "not a dict of one entry"},
		{"arguments are an object", answer(pyval.NewList(doc(`{"f": {}}`))), "not {name: JSON text}"},
		{"time runs back", func(context.Context, *eval.Request) (*eval.Response, error) {
			return &eval.Response{Result: pyval.Str(""), Latency: -time.Second}, nil
		}, "Latency"},
		{"tokens", func(context.Context, *eval.Request) (*eval.Response, error) {
			return &eval.Response{Result: pyval.Str(""), InputTokens: -1}, nil
		}, "token counts"},
		{"message changed", func(ctx context.Context, req *eval.Request) (*eval.Response, error) {
			req.Messages[0].Content = "y"
			return text(ctx, req)
		}, "changed the request"},
		{"tool changed", func(ctx context.Context, req *eval.Request) (*eval.Response, error) {
			req.Tools[0].SetStr("name", pyval.Str("g"))
			return text(ctx, req)
		}, "changed the request"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ask(t.Context(), tc.adapt, plain(eval.FC))
			require.ErrorAs(t, err, new(*breach))
			require.ErrorContains(t, err, tc.want)
		})
	}
}
