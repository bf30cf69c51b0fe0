package agent

import (
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters/command"
	"github.com/gobfcl/bfcl/internal/eval"
)

// The environment variables that an agent's program gets. `bfcl mcp-connect`
// reads them.
const (
	URLVariable   = "BFCL_MCP_URL"
	TokenVariable = "BFCL_MCP_TOKEN"
)

// Scheme is what precedes the token in a header's value.
const Scheme = "Bearer "

// Program makes an Adapter that asks a program; each conversation has its own
// copy. The timeout bounds a turn, including the program's start; 0 means no
// bound. The program cannot read the hidden folders if the system allows that,
// and does not hear of them; Exposed tells.
func Program(line string, timeout time.Duration, hidden []string) (*Adapter, error) {
	program, err := command.Find(line)
	if err != nil {
		return nil, err
	}
	program.Hide(hidden)
	return &Adapter{timeout: timeout, peers: map[string]peer{}, open: func(e *eval.Endpoint) (peer, error) {
		c, err := program.Start(URLVariable+"="+e.URL, TokenVariable+"="+strings.TrimPrefix(e.Value, Scheme))
		if err != nil {
			return nil, err
		}
		return c, nil
	}}, nil
}

// Exposed returns why a program could read the hidden folders; "" if it cannot.
func Exposed(line string, hidden []string) string {
	program, err := command.Find(line)
	if err != nil {
		return err.Error()
	}
	return program.Hide(hidden)
}
