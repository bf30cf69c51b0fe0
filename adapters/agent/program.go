package agent

import (
	"context"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters/command"
	"github.com/gobfcl/bfcl/internal/eval"
)

// The variables with which a program of an agent begins. `bfcl mcp-connect`
// reads them.
const (
	URLVariable   = "BFCL_MCP_URL"
	TokenVariable = "BFCL_MCP_TOKEN"
)

// Scheme is what stands before the token in a header's value.
const Scheme = "Bearer "

// Program asks a program, of which each conversation has a copy. The timeout
// bounds a turn, the program's start included; 0 is no bound.
func Program(line string, timeout time.Duration) (*Adapter, error) {
	program, err := command.Find(line)
	if err != nil {
		return nil, err
	}
	return newAdapter(timeout, func(e *eval.Endpoint) (peer, error) {
		c, err := program.Start(URLVariable+"="+e.URL, TokenVariable+"="+strings.TrimPrefix(e.Value, Scheme))
		if err != nil {
			return nil, err
		}
		return &running{c}, nil
	}), nil
}

// running is a copy of the program.
type running struct{ *command.Copy }

func (r *running) ask(ctx context.Context, line []byte) (string, error) {
	answer, err := r.Ask(ctx, line)
	if err != nil {
		r.Kill()
	}
	return answer, err
}

func (r *running) said() string { return r.Said() }
func (r *running) end()         { r.End() }
func (r *running) form() string { return command.Form }
