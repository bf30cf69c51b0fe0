// Package completions asks a model with open weights over the text completion
// endpoint that vLLM, SGLang and llama.cpp have (/v1/completions). The prompt
// is made here, by the model's own chat template or as upstream's handler of
// the model makes it, and the answer is read here, by the model's dialect. The
// server's chat template and tool parser are not used.
//
//	completions   the adapter, request and reply
//	room          how long an answer may be
package completions

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// A Config says which model to ask and how.
type Config struct {
	// Server is the model and its server.
	Server provider.Config
	// Writer writes the prompts.
	Writer completion.Writer
	// Dialect reads the answers; nil leaves them plain text.
	Dialect *dialect.Dialect
}

// An Adapter asks one model. It is safe for concurrent use.
type Adapter struct {
	*provider.Endpoint
	cfg  Config // without address, key and headers
	room *room
}

// New checks a configuration. Nothing is sent.
func New(cfg Config) (*Adapter, error) {
	if cfg.Server.BaseURL == "" {
		return nil, errors.New("completions: the server's address is missing: give -base-url, such as http://localhost:8000/v1")
	}
	to, err := provider.New(&cfg.Server, "completions")
	if err != nil {
		return nil, fmt.Errorf("completions: %w", err)
	}
	most := cmp.Or(cfg.Server.MaxTokens, mostTokens)
	a := &Adapter{Endpoint: to, cfg: cfg, room: &room{counter: to, model: cfg.Server.Model, most: most}}
	a.room.context.Store(int64(cfg.Writer.Context()))
	a.cfg.Server.Key, a.cfg.Server.Headers, a.cfg.Server.BaseURL = "", nil, "" // an Adapter may be printed
	return a, nil
}

// String names the model and where it is asked.
func (a *Adapter) String() string {
	return fmt.Sprintf("completions %q at %s", a.cfg.Server.Model, a.Endpoint)
}

// Format prints String whatever the verb.
func (a *Adapter) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, a.String()) }

// Manner returns the manner of the Writer.
func (a *Adapter) Manner() eval.Manner { return a.cfg.Writer.Manner() }

// Generate asks the model once, and once more for a shorter answer if the
// server says that there is no room for a longer one.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	text, err := a.cfg.Writer.Write(req.Messages, req.Tools, req.Sent)
	if err != nil {
		return nil, err
	}
	most, err := a.room.left(ctx, text)
	if err != nil {
		return nil, err
	}
	reply, took, err := a.ask(ctx, text, most)
	if err != nil {
		shorter, again, cause := a.room.learn(err, most)
		if !again {
			return nil, advise(cause)
		}
		if reply, took, err = a.ask(ctx, text, shorter); err != nil {
			return nil, advise(err)
		}
	}
	return a.read(req.Tools, reply, took)
}

// body returns the body of a request. Like upstream's it has only these fields
// and the ones that a few handlers add.
func (a *Adapter) body(text string, most int) *pyval.Dict {
	c := &a.cfg.Server
	body := pyval.Object("model", pyval.Str(c.Model), "prompt", pyval.Str(text))
	c.SetTemperature(body)
	body.SetStr("max_tokens", pyval.MakeInt(int64(most)))
	if d := a.cfg.Dialect; d != nil && d.Marked() {
		body.SetStr(SkipSpecial, pyval.Bool(false))
	}
	for key, val := range a.cfg.Writer.Body(text).All() {
		body.SetStr(pyval.Text(key), val)
	}
	return body
}

// SkipSpecial is the field with which vLLM and SGLang are told whether to leave
// special tokens out of an answer's text; other servers ignore it.
const SkipSpecial = "skip_special_tokens"

// advise adds a hint to the error of a server that has no such endpoint.
func advise(err error) error {
	var refusal *transport.Error
	if !errors.As(err, &refusal) || refusal.Status != 404 && refusal.Status != 405 && refusal.Status != 501 {
		return err
	}
	hinted := *refusal
	hinted.Hint = "completions asks <base-url>/completions, which vLLM, SGLang and llama.cpp have; for a server that has only a chat endpoint use openai:<id>"
	return transport.AsInfra(&hinted)
}

// read returns the answer in a reply. An answer that the token limit cut off
// counts, as it does upstream: the limit is upstream's.
func (a *Adapter) read(tools []*pyval.Dict, reply *pyval.Dict, took *transport.Meter) (*eval.Response, error) {
	choices := provider.Items(reply, "choices")
	if len(choices) == 0 {
		return nil, eval.Infra("empty_reply", "the reply has no choices: %s", provider.Excerpt(reply))
	}
	said, ok := provider.Get(choices[0], "text").(pyval.Str)
	if !ok {
		return nil, eval.Infra("empty_reply", "the reply's first choice has no text: %s", provider.Excerpt(reply))
	}
	var end provider.Said
	if err := end.End(provider.ChatFinishes, provider.Text(choices[0], "finish_reason")); err != nil {
		return nil, err
	}
	resp := Reading(a.cfg.Dialect, string(said), tools, nil)
	resp.CutOff, resp.Finish = end.CutOff, end.Finish
	resp.Latency, resp.Served = took.Latency, provider.Served(reply)
	resp.InputTokens, resp.OutputTokens = provider.Usage(reply)
	took.Used(resp.InputTokens, resp.OutputTokens)
	return resp, nil
}

// Reading returns a completion's text as an answer, read by a dialect; a nil
// dialect leaves it as it is. For tools and id see dialect.Read.
func Reading(d *dialect.Dialect, text string, tools []*pyval.Dict, id func() string) *eval.Response {
	if d == nil {
		d = &dialect.Dialect{}
	}
	r, _ := d.Read(text, tools, id) // what cannot be taken apart is read as plain text
	content, _ := r.Message.GetStr("content")
	said, _ := content.(pyval.Str)
	return &eval.Response{
		Result: r.Kept, Reasoning: r.Reasoning,
		Message: eval.Message{Role: "assistant", Content: string(said), Raw: r.Message},
	}
}

// ofOllama is the fingerprint of Ollama's replies. Its text completions put the
// text into the model's template, and so a prompt twice into it.
const ofOllama = "fp_ollama"

// ask sends a prompt and returns the reply.
func (a *Adapter) ask(ctx context.Context, text string, most int) (*pyval.Dict, *transport.Meter, error) {
	reply, took, err := a.Ask(ctx, a.body(text, most))
	if err == nil && provider.Text(reply, "system_fingerprint") == ofOllama {
		return nil, took, transport.AsInfra(&transport.Error{
			Kind: transport.Unequipped, Fatal: true, Message: "Ollama puts a text completion's prompt into the model's template once more",
			Hint: "serve the model with llama.cpp, vLLM or SGLang, or use openai:<id>, which has Ollama write the prompt",
		})
	}
	return reply, took, err
}
