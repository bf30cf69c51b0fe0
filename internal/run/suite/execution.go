package suite

import (
	"context"
	"fmt"
	"sync"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

// An Executor is an eval.Executor for one dataset.
type Executor struct {
	ctx     context.Context
	env     *exec.Env
	dataset *fixtures.Dataset
	truths  func() ([]string, error)
	// requests are the calls that check the APIs of REST cases, in their order.
	requests func() ([]*pyval.Dict, error)
	// answers holds a func() (map[string]fixtures.Execution, error) by
	// category.
	answers sync.Map
	// expected holds a func() ([]exec.Expected, error) by case id: the calls of
	// possible answers are executed once, for all models.
	expected sync.Map
}

// New returns an executor for a dataset. ctx bounds all requests over the
// network.
func New(ctx context.Context, d *fixtures.Dataset, env *exec.Env) *Executor {
	return &Executor{
		ctx: ctx, env: env, dataset: d, truths: sync.OnceValues(d.RESTAnswers),
		requests: sync.OnceValues(d.RESTChecks),
	}
}

// Env returns the environment that calls are executed in.
func (e *Executor) Env() *exec.Env { return e.env }

// Execute executes a case's calls and judges their results.
func (e *Executor) Execute(c *eval.Case, decoded pyval.Value, decodeErr error) eval.Verdict {
	if c.Rule == eval.REST {
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
	v := exec.Judge(e.ctx, e.env, c.Rule == eval.Simple, want, decoded, decodeErr)
	if v.Executed != nil {
		v.Executed.Expected = &pyval.List{Items: make([]pyval.Value, len(want))}
		for i, w := range want {
			v.Executed.Expected.Items[i] = w.Value
		}
	}
	return v
}

// truth returns the stored answer of a REST case, which is found by position.
func (e *Executor) truth(c *eval.Case) (string, error) {
	truths, err := e.truths()
	switch {
	case err != nil:
		return "", err
	case c.Line < 1 || c.Line > len(truths):
		return "", fmt.Errorf("case %s has no stored answer: the dataset has %d", c.ID, len(truths))
	}
	return truths[c.Line-1], nil
}

func (e *Executor) expect(c *eval.Case) ([]exec.Expected, error) {
	once, _ := e.expected.LoadOrStore(c.ID, sync.OnceValues(func() ([]exec.Expected, error) {
		answer, err := e.answer(c)
		if err != nil {
			return nil, err
		}
		if len(answer.Calls) == 0 {
			return nil, fmt.Errorf("case %s has no ground truth", c.ID)
		}
		named := make([]exec.Rule, len(answer.Rules))
		for i, rule := range answer.Rules {
			named[i] = exec.Rule(rule)
		}
		return exec.Expect(e.ctx, e.env, answer.Calls, named)
	}))
	return once.(func() ([]exec.Expected, error))()
}

func (e *Executor) answer(c *eval.Case) (fixtures.Execution, error) {
	once, _ := e.answers.LoadOrStore(c.Category, sync.OnceValues(func() (map[string]fixtures.Execution, error) {
		return e.dataset.Executions(c.Category)
	}))
	all, err := once.(func() (map[string]fixtures.Execution, error))()
	return all[c.ID], err
}

// unusable returns the verdict if a case's own data cannot be used, which says
// nothing about the model.
func unusable(err error) eval.Verdict {
	return eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:" + eval.InfraKind(err), Detail: pyval.Str(err.Error())}
}
