package suite

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// openExecutor opens the executor for the calls of executable categories.
func (p *Plan) openExecutor(open *closers) (*Executor, error) {
	env, recording, err := Environment(p.Dataset, execWay(p.options), execFiles(p.options))
	if err != nil {
		return nil, err
	}
	open.add(recording)
	return New(context.Background(), p.Dataset, env), nil
}

// execWay returns the way that -api names.
func execWay(o Options) string {
	if o.Exec == "" {
		return Replay
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
	if !cat.Executes || o.Exec != Live && o.Exec != Record {
		return nil, nil
	}
	cases, err := d.Cases(cat)
	if err != nil {
		return nil, err
	}
	missing, err := New(context.Background(), d, nil).MissingKeys(cases)
	slices.Sort(missing)
	return missing, err
}

// executed adds to a run's parameters how calls were executed, if any were:
// scoring judges the answers again.
func (p *Plan) executed(parameters map[string]string) {
	how, files := p.options.Exec, execFiles(p.options)
	if !slices.ContainsFunc(p.settled, func(c *eval.Category) bool { return c.Executes }) || how == "" || how == Replay && len(files) == 0 {
		return
	}
	parameters["api"] = how
	if len(files) > 0 {
		parameters[ReplayParameter] = strings.Join(files, ",")
	}
}

// lookup returns what finds a case for the oracle, among the selected ones and
// the conversations before them. If a case's calls are executed, its possible
// answer is those calls.
func (p *Plan) lookup(before []Part, executor *Executor) oracle.Lookup {
	byID, executes := map[string]*eval.Case{}, map[string]bool{}
	for _, part := range slices.Concat(p.Parts, before) {
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
