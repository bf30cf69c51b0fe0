// Package execution judges the categories of a dataset that carry calls out:
// it runs the possible answers' calls and the model's with package exec and
// has their results compared.
package execution

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/exec"
	"github.com/gobfcl/bfcl/internal/pyval"
)

// rest is the category whose one call is an HTTP request.
const rest = "rest"

// An Executor is an eval.Executor over one dataset.
type Executor struct {
	ctx    context.Context
	env    *exec.Env
	truths func() ([]string, error)
	// expected holds a func() ([]exec.Expected, error) by case id: possible
	// answers are run once, for all models.
	expected sync.Map
}

// New makes an executor for a dataset. ctx bounds everything that is asked
// over the network.
func New(ctx context.Context, d *fixtures.Dataset, env *exec.Env) *Executor {
	return &Executor{ctx: ctx, env: env, truths: sync.OnceValues(d.RESTAnswers)}
}

// Execute carries out a case's calls and judges their results.
func (e *Executor) Execute(c *eval.Case, decoded pyval.Value, decodeErr error) eval.Verdict {
	if c.Category == rest {
		truth, err := e.truth(c)
		if err != nil {
			return unusable(err)
		}
		return exec.JudgeREST(e.ctx, e.env, c.ID, truth, decoded, decodeErr)
	}
	want, err := e.expect(c)
	if err != nil {
		return unusable(err)
	}
	return exec.Judge(e.ctx, e.env, strings.HasSuffix(c.Category, "_simple"), want, decoded, decodeErr)
}

// truth is the stored answer of a REST case, paired by position.
func (e *Executor) truth(c *eval.Case) (string, error) {
	truths, err := e.truths()
	switch {
	case err != nil:
		return "", err
	case c.Line < 1 || c.Line > len(truths):
		return "", fmt.Errorf("case %s has no stored answer: there are %d", c.ID, len(truths))
	}
	return truths[c.Line-1], nil
}

func (e *Executor) expect(c *eval.Case) ([]exec.Expected, error) {
	once, _ := e.expected.LoadOrStore(c.ID, sync.OnceValues(func() ([]exec.Expected, error) {
		calls, rules := texts(c.Entry, "ground_truth"), texts(c.Entry, "execution_result_type")
		if len(calls) == 0 {
			return nil, fmt.Errorf("case %s has no ground truth", c.ID)
		}
		named := make([]exec.Rule, len(rules))
		for i, rule := range rules {
			named[i] = exec.Rule(rule)
		}
		return exec.Expect(e.ctx, e.env, calls, named)
	}))
	return once.(func() ([]exec.Expected, error))()
}

func texts(entry *pyval.Dict, field string) []string {
	v, _ := entry.GetStr(field)
	list, ok := v.(*pyval.List)
	if !ok {
		return nil
	}
	out := make([]string, len(list.Items))
	for i, item := range list.Items {
		out[i] = pyval.Text(item)
	}
	return out
}

// unusable is the verdict where a case's own side cannot be had; it says
// nothing about the model.
func unusable(err error) eval.Verdict {
	return eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:" + eval.InfraKind(err), Detail: pyval.Str(err.Error())}
}
