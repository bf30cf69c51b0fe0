package suite

import (
	"fmt"
	"os"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

// Calls returns the calls of a case's possible answer as texts; for a REST
// case, the call that checks its API.
func (e *Executor) Calls(c *eval.Case) ([]string, error) {
	if c.Rule != eval.REST {
		answer, err := e.answer(c)
		return answer.Calls, err
	}
	requests, err := e.requests()
	if err != nil {
		return nil, err
	}
	if at := c.Line - 1; at >= 0 && at < len(requests) {
		if call, ok := requests[at].GetStr("ground_truth"); ok {
			return []string{pyval.Text(call)}, nil
		}
	}
	return nil, fmt.Errorf("case %s has no check of its API", c.ID)
}

// MissingKeys returns the environment variables that are not set and that cases
// need to be executed live.
func (e *Executor) MissingKeys(cases []*eval.Case) ([]string, error) {
	var calls []string
	for _, c := range cases {
		texts, err := e.Calls(c)
		if err != nil {
			return nil, err
		}
		calls = append(calls, texts...)
	}
	return exec.MissingKeys(os.Getenv, calls...), nil
}
