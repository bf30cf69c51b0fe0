package suite

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/execution"
)

// openExecutor opens the executor for the calls of executable categories.
func (s *Suite) openExecutor() error {
	env, recording, err := execution.Environment(s.Dataset, execWay(s.options), execFiles(s.options))
	if err != nil {
		return err
	}
	s.closes(recording)
	s.executor = execution.New(context.Background(), s.Dataset, env)
	s.Engine.Settings.Executor = s.executor
	return nil
}

// execWay returns the way that -api names.
func execWay(o Options) string {
	if o.Exec == "" {
		return execution.Replay
	}
	return o.Exec
}

// execFiles returns the files of -api-replay.
func execFiles(o Options) []string {
	var files []string
	for name := range strings.SplitSeq(o.ExecReplay, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if abs, err := filepath.Abs(name); err == nil {
			name = abs
		}
		files = append(files, name)
	}
	return files
}

// missingKeys returns the keys that the APIs of a category need and that are
// not set. None are needed if the APIs are not asked.
func missingKeys(o Options, d *fixtures.Dataset, cat *eval.Category) ([]string, error) {
	if !cat.Executes || o.Exec != execution.Live && o.Exec != execution.Record {
		return nil, nil
	}
	cases, err := d.Cases(cat)
	if err != nil {
		return nil, err
	}
	missing, err := execution.New(context.Background(), d, nil).MissingKeys(cases)
	slices.Sort(missing)
	return missing, err
}

// executed adds to a run's parameters how calls were executed, if any were:
// scoring judges the answers again.
func (p *Plan) executed(parameters map[string]string) {
	how, files := p.options.Exec, execFiles(p.options)
	if !slices.ContainsFunc(p.Categories(), func(c *eval.Category) bool { return c.Executes }) || how == "" || how == execution.Replay && len(files) == 0 {
		return
	}
	parameters["api"] = how
	if len(files) > 0 {
		parameters[execution.ReplayParameter] = strings.Join(files, ",")
	}
}

// lookup finds a selected case for the oracle. If a case's calls are executed,
// its possible answer is those calls.
func (s *Suite) lookup(id string) *eval.Case {
	c := s.byID[id]
	if c != nil {
		c = c.Posed()
	}
	if c == nil || c.Answer != nil || s.executor == nil || !s.executes[c.Category] {
		return c
	}
	calls, err := s.executor.Calls(c)
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
