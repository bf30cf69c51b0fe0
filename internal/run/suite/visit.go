package suite

import (
	"context"
	"strings"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/model/server"
)

// A Visit is a plan's model that is asked questions of one's own, in the way in
// which a run would ask them. It needs no run folder, and nothing is recorded.
type Visit struct {
	// Settings say how answers are read.
	Settings eval.Settings

	plan    *Plan
	model   *opened
	leader  *leader
	closers closers
}

// Visit opens the plan's model.
func (p *Plan) Visit() (*Visit, error) {
	if p.model.missing != nil {
		return nil, p.model.missing
	}
	if !p.model.kind.Remote {
		return nil, misuse.Errorf("%s has no server that could lose anything: name a model behind one", p.model.kind.Name)
	}
	v := &Visit{Settings: p.Settings, plan: p}
	var err error
	if v.model, err = p.openModel(reach{}, &v.closers); err != nil {
		return nil, err
	}
	loop, err := p.loop(v.model, p.Settings, nil)
	if err != nil {
		return nil, err
	}
	v.leader = &leader{loop: loop}
	return v, nil
}

// Ask asks one question: a case of a single turn.
func (v *Visit) Ask(ctx context.Context, c *eval.Case) (*eval.Response, error) {
	posed, err := v.leader.pose(c, 0)
	if err != nil {
		return nil, err
	}
	resp, err := v.model.adapter.Generate(ctx, posed)
	if g, ok := v.model.adapter.(eval.Guard); ok && err == nil {
		err = g.Full(ctx, posed, resp.InputTokens, true)
	}
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// Facts returns what the model's server tells about itself; nothing for models
// without one.
func (v *Visit) Facts(ctx context.Context) server.Facts {
	cfg := v.plan.adapterConfig()
	cfg.Transport = v.model.transport
	return adapters.Facts(ctx, cfg)
}

// Close closes what the model uses.
func (v *Visit) Close() error { return v.closers.Close() }

// Remote reports whether the model is behind a server.
func (p *Plan) Remote() bool { return p.model.kind.Remote }

// OwnServer reports whether the model is behind a server that users may have
// started themselves.
func (p *Plan) OwnServer() bool {
	return p.model.kind.Remote && strings.HasPrefix(strings.ToLower(p.access.Entry.BaseURL), "http://")
}

// Streams reports whether the plan's adapter can ask for answers as streams.
func (p *Plan) Streams() bool { return p.model.kind.Streams }

// LeavesCalls reports whether the plan's server can be asked to leave calls in
// the text; see -read.
func (p *Plan) LeavesCalls() bool { return p.model.kind.Name == "openai" }

// A PromptSize is how long the first prompt of a case is, in characters, without what
// a chat template adds.
type PromptSize struct {
	Category string
	Chars    int
}

// Prompts returns the sizes of the first prompts of the plan's cases.
func (p *Plan) Prompts() (out []PromptSize) {
	for _, part := range p.Parts {
		for _, c := range part.Cases {
			req := &eval.Request{Tools: c.Tools}
			if len(c.Turns) > 0 {
				req.Messages = c.Turns[0]
			}
			out = append(out, PromptSize{part.Category.Name, req.Chars()})
		}
	}
	return out
}
