package completions

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const (
	// mostTokens is upstream's limit on an answer.
	mostTokens = 4096
	// margin is what upstream leaves free in a context.
	margin = 2
)

var errSilent = errors.New("the server does not count tokens")

// A room knows how long answers may be: upstream's limit, or what the prompt
// leaves of the model's context. The length of the context comes from the
// model's folder, from the server's refusal of a request that exceeds it, or
// from the server's endpoint that counts tokens.
type room struct {
	counter *provider.Endpoint
	model   string
	most    int
	context atomic.Int64 // in tokens; 0 if not known yet
	silent  atomic.Bool  // whether the server does not count tokens
}

// left returns how long the answer to a prompt may be, in tokens. It has the
// server count the prompt's tokens if there may be too many; a server that
// cannot count refuses the request if there are.
func (r *room) left(ctx context.Context, prompt string) (int, error) {
	tokens := len(prompt) // no token is shorter than a byte
	if limit := int(r.context.Load()); limit == 0 || tokens+r.most+margin <= limit || r.silent.Load() {
		return r.most, nil
	}
	tokens, err := r.count(ctx, prompt)
	if err != nil {
		return r.most, ctx.Err()
	}
	limit := int(r.context.Load())
	if left := limit - tokens - margin; left < 1 {
		return 0, noRoom(tokens, limit)
	} else if left < r.most {
		return left, nil
	}
	return r.most, nil
}

func noRoom(tokens, limit int) error {
	return eval.Infra(transport.ContextFull, "the prompt has %d tokens and the model's context %d: no room is left for an answer; serve the model with a longer context (vLLM: --max-model-len, SGLang: --context-length, llama.cpp: -c)", tokens, limit)
}

// count returns the number of a prompt's tokens. The text's field is called
// prompt in vLLM and SGLang, and content in llama.cpp.
func (r *room) count(ctx context.Context, prompt string) (int, error) {
	text := pyval.Str(prompt)
	body, err := pyval.AppendJSON(nil, pyval.Object("model", pyval.Str(r.model), "prompt", text, "content", text), 0)
	if err != nil {
		return 0, err
	}
	told, replied := r.counter.Peek(ctx, "/tokenize", body)
	value, err := pyval.ParseJSON(string(told))
	reply, ok := value.(*pyval.Dict)
	if !ok {
		r.silent.Store(replied)
		return 0, errors.Join(err, errSilent)
	}
	if limit := provider.Count(reply, "max_model_len"); limit > 0 {
		r.context.Store(int64(limit))
	}
	if n := provider.Count(reply, "count"); n > 0 {
		return n, nil
	}
	if n := len(provider.Items(reply, "tokens")); n > 0 {
		return n, nil
	}
	r.silent.Store(true)
	return 0, errors.New("no count")
}

// learn reads from a refusal how long the context is and how many tokens the
// prompt leaves of it. The result refused reports whether these are fewer than
// were asked for, so that a request for a shorter answer may succeed.
func (r *room) learn(err error, asked int) (shorter int, refused bool, cause error) {
	var refusal *transport.Error
	if !errors.As(err, &refusal) || refusal.Kind != transport.BadRequest && refusal.Kind != transport.ContextFull {
		return 0, false, err
	}
	limit, tokens := transport.ContextOf(refusal.Message)
	if limit == 0 {
		return 0, false, err
	}
	r.context.Store(int64(limit))
	switch left := limit - tokens - margin; {
	case tokens == 0:
		return 0, false, err
	case left < 1:
		return 0, false, noRoom(tokens, limit)
	case left < asked:
		return left, true, err
	}
	return 0, false, err
}
