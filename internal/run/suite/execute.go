package suite

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/execution"
)

// openExecutor prepares what carries out the calls of executable categories.
func (s *Suite) openExecutor(o Options) error {
	how := o.Exec
	if how == "" {
		how = execution.Replay
	}
	env, recording, err := execution.Environment(s.dataset, how, execFiles(o))
	if err != nil {
		return err
	}
	s.recording, s.executor = recording, execution.New(context.Background(), s.dataset, env)
	return nil
}

// execFiles are the files of -api-replay.
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

// keyless refuses executable categories whose APIs want keys that are not
// set, where APIs are asked.
func (s *Suite) keyless(o Options) func(*eval.Category) error {
	return func(cat *eval.Category) error {
		if !cat.Executes || o.Exec != execution.Live && o.Exec != execution.Record {
			return nil
		}
		cases, err := s.dataset.Cases(cat)
		if err != nil {
			return err
		}
		missing, err := s.executor.MissingKeys(cases)
		if err != nil || len(missing) == 0 {
			return err
		}
		slices.Sort(missing)
		if s.skipped == nil {
			s.skipped = map[string][]string{}
		}
		s.skipped[cat.Name] = missing
		s.note(fmt.Sprintf("category %q is skipped: %s is not set", cat.Name, strings.Join(missing, ", ")))
		return fmt.Errorf("category %q asks APIs that want keys: set %s, or use -api=replay", cat.Name, strings.Join(missing, ", "))
	}
}

// executed adds to a run's parameters how calls were carried out, where any
// are: a score judges the answers again.
func executed(parameters map[string]string, o Options, cats []*eval.Category) map[string]string {
	files := execFiles(o)
	if !slices.ContainsFunc(cats, func(c *eval.Category) bool { return c.Executes }) || o.Exec == "" || o.Exec == execution.Replay && len(files) == 0 {
		return parameters
	}
	if parameters == nil {
		parameters = map[string]string{}
	}
	parameters["api"] = o.Exec
	if len(files) > 0 {
		parameters[execution.ReplayParameter] = strings.Join(files, ",")
	}
	return parameters
}

// lookup finds a selected case for the oracle. Of a case whose calls are
// carried out the possible answer is those calls.
func (s *Suite) lookup(id string) *eval.Case {
	c := s.byID[id]
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
