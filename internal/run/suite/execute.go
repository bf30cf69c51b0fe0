package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// The ways to answer the requests of executed calls.
const (
	// Replay answers from a recording and sends nothing.
	Replay = "replay"
	// Live asks the APIs.
	Live = "live"
	// Record asks the APIs and records their answers.
	Record = "record"
)

// Environment returns the environment for executing calls, in one of the ways
// above. files are the recordings to replay, by default the dataset's own, or
// the one file to record into. The closer, which may be nil, ends a recording.
func Environment(d *fixtures.Dataset, how string, files []string) (*exec.Env, io.Closer, error) {
	if err := Check(how, files); err != nil {
		return nil, nil, err
	}
	if how == Replay {
		client, err := exec.OpenReplay(files...)
		if err == nil && len(files) == 0 {
			var name string
			var data []byte
			if name, data, err = d.Replay(); err == nil && name != "" {
				err = client.Add(name, bytes.NewReader(data))
			}
		}
		return &exec.Env{Client: client}, nil, err
	}
	client := web.NewAPIs(os.Getenv, false)
	if how == Live {
		return &exec.Env{Client: client, Sleep: sim.Sleep}, nil, nil
	}
	// A recording that has a request twice could not be replayed, so that an
	// existing file is never written to.
	file, err := os.OpenFile(files[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("recording: %w", err)
	}
	return &exec.Env{Client: exec.NewRecorder(client, client.Scrub, file), Sleep: sim.Sleep}, file, nil
}

// Check returns the error that Environment would return for these arguments,
// without opening anything.
func Check(how string, files []string) error {
	switch {
	case how == Live && len(files) > 0:
		return errors.New("recordings are for -api=replay; -api=live asks the APIs")
	case how == Record && len(files) != 1:
		return errors.New("-api=record needs one file to write: name it with -api-replay")
	case how != Live && how != Record && how != Replay:
		return fmt.Errorf("-api must be %s, %s or %s, not %q", Replay, Live, Record, how)
	}
	return nil
}

// ReplayParameter is the run parameter that names the recordings.
const ReplayParameter = "api_replay"

// ForRun returns an Executor to judge a run's answers again, with the
// recordings that the run's parameters name, or else the dataset's own.
func ForRun(ctx context.Context, d *fixtures.Dataset, parameters map[string]string) (*Executor, error) {
	var files []string
	if names := parameters[ReplayParameter]; names != "" {
		files = strings.Split(names, ",")
	}
	env, _, err := Environment(d, Replay, files)
	return New(ctx, d, env), err
}

// execFiles returns the files of -api-replay.
func execFiles(o Options) (files []string) {
	for _, name := range words(strings.Split(o.ExecReplay, ",")) {
		files = append(files, absolute(name))
	}
	return files
}

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

// expect executes the calls of a possible answer, once for all models.
func (e *Executor) expect(c *eval.Case) ([]exec.Expected, error) {
	return once(&e.expected, c.ID, func() ([]exec.Expected, error) {
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
	})
}

func (e *Executor) answer(c *eval.Case) (fixtures.Execution, error) {
	all, err := once(&e.answers, c.Category, func() (map[string]fixtures.Execution, error) { return e.dataset.Executions(c.Category) })
	return all[c.ID], err
}

// once returns what f returns for a key, and calls it once.
func once[T any](m *sync.Map, key string, f func() (T, error)) (T, error) {
	found, _ := m.LoadOrStore(key, sync.OnceValues(f))
	return found.(func() (T, error))()
}

// unusable returns the verdict if a case's data cannot be used, which tells of no model.
func unusable(err error) eval.Verdict {
	return eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:" + eval.InfraKind(err), Detail: pyval.Str(err.Error())}
}

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

// missingKeys returns the environment variables that live execution of cases lacks.
func (e *Executor) missingKeys(cases []*eval.Case) ([]string, error) {
	var calls []string
	for _, c := range cases {
		texts, err := e.Calls(c)
		if err != nil {
			return nil, err
		}
		calls = append(calls, texts...)
	}
	missing := exec.MissingKeys(os.Getenv, calls...)
	slices.Sort(missing)
	return missing, nil
}

// lookup returns what finds one of some cases for the oracle. If a case's calls
// are executed, its possible answer is those calls.
func lookup(parts []Part, executor *Executor) oracle.Lookup {
	byID, executes := map[string]*eval.Case{}, map[string]bool{}
	for _, part := range parts {
		executes[part.Category.Name] = part.Category.Executes
		for _, c := range part.Cases {
			byID[c.ID] = c
		}
	}
	return func(id string) *eval.Case {
		c := byID[id]
		if c == nil || c.Answer != nil || !executes[c.Category] {
			return c
		}
		calls, err := executor.Calls(c)
		if err != nil {
			return c
		}
		answered := *c
		answered.Answer = &pyval.List{}
		for _, call := range calls {
			answered.Answer.Items = append(answered.Answer.Items, pyval.Str(call))
		}
		return &answered
	}
}

// noSearch is the value of -search that leaves out the web categories.
const noSearch = "none"

// webOptions returns the options for the web: the dataset's own, if -search is not set.
func webOptions(o Options, d *fixtures.Dataset) web.Options {
	out := web.Options{Search: o.Search, Record: o.SearchRecord, Getenv: os.Getenv}
	if o.AllowHosts != "" {
		out.AllowHosts = strings.Split(o.AllowHosts, ",")
	}
	if file, ok := strings.CutPrefix(out.Search, web.Replay); ok {
		out.Search = web.Replay + absolute(file)
	}
	if out.Record != "" {
		out.Record = absolute(out.Record)
	}
	pages, own, err := d.Web()
	if out.Search == noSearch {
		out.Search, own = "", false
	}
	if out.Search == "" && own {
		out.Search = web.Offline
	}
	out.Offline = func() (websearch.Web, error) {
		if err != nil {
			return nil, err
		}
		return web.LoadPages(pages)
	}
	return out
}
