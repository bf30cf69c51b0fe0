package bfcl

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// Run asks a model and makes each case a subtest <category>/<case id> of the
// test, and below that <trial> if there are several. It returns when all cases
// have ended, or some time before the test's deadline; it then says how to
// continue.
//
// A wrong answer is a failed subtest that says what was asked, expected and
// answered; with [Gate] it is a skipped subtest, and the gate decides. A case
// that could not be answered because of an error fails as infrastructure. go
// test's -run chooses cases, but a gate decides only on whole runs; -v shows
// the cases as they end.
func Run(t *testing.T, model Model, opts ...Option) {
	t.Helper()
	run(t, model, opts, caller())
}

// caller returns the place in a test that called the package's function that
// calls it. A case's subtest runs in a goroutine that does not know it.
func caller() string {
	const skipped = 2
	_, file, line, _ := runtime.Caller(skipped)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

func run(t *testing.T, model Model, opts []Option, from string) {
	t.Helper()
	s, err := start(model, opts, gotest.Chosen(t.Name()), func() (string, error) { return t.ArtifactDir(), nil })
	if err != nil {
		t.Fatal(err)
	}
	r := &gotest.Run{
		Options: &s.options, Held: s.gate, Context: t.Context(), Place: from, GoOn: s.goOn(), Saw: s.saw,
		Open: func() (*suite.Suite, error) { return s.suite, nil },
	}
	r.Each(t, r.Try)
	if s.gate == nil {
		return
	}
	began := false
	t.Run(gotest.GateName, func(t *testing.T) {
		began = true
		r.Gate(t)
	})
	if !began {
		t.Errorf("the gate decided nothing: -run or -skip left %s out", gotest.GateName)
	}
}

// A session is one run of a model.
type session struct {
	*config
	suite *suite.Suite
	dir   string // the run folder
	gate  *gate.Gate

	telling sync.Mutex // held while a verdict is passed to Each
}

// start opens the run of a model over the chosen trials; nil are all. If no run
// folder was named, it is created in the folder that temporary returns.
func start(model Model, opts []Option, chosen func(category, id string, trial int) bool, temporary func() (string, error)) (*session, error) {
	if isNil(model) {
		return nil, errors.New("bfcl: the model is nil")
	}
	opened, named := model.(*Opened)
	var own []Option
	if named {
		own = opened.options
	}
	c, err := configure(own, opts)
	if err != nil {
		return nil, err
	}
	c.options.Model = modelName(model, c.name)
	s := &session{config: c, dir: c.options.RunDir}
	if c.gate != "" {
		if s.gate, err = gate.For(c.gate, c.baseline, c.options); err != nil {
			return nil, inGo(err)
		}
	}
	if s.dir == "" {
		dir, err := temporary()
		if err != nil {
			return nil, err
		}
		s.dir = filepath.Join(dir, "bfcl-"+suite.FolderName(c.options.Model))
	}
	o := c.options
	o.RunDir, o.Chosen = s.dir, chosen
	kind := kindOf(model)
	plan, err := suite.PlanOf(o, &kind)
	if named {
		plan, err = suite.PlanOf(o, nil)
	}
	if err == nil && s.gate != nil {
		err = s.gate.Rehearse(plan)
	}
	if err == nil {
		s.suite, err = plan.Open()
	}
	return s, inGo(err)
}

// isNil reports whether a model is nil, or holds a nil value.
func isNil(m Model) bool {
	if m == nil {
		return true
	}
	switch v := reflect.ValueOf(m); v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map:
		return v.IsNil()
	default:
		return false
	}
}

// modelName returns the model's name for records.
func modelName(m Model, given string) string {
	switch m := m.(type) {
	case *Opened:
		return m.name
	default:
		if given != "" {
			return given
		}
		if _, ok := m.(inProcess); ok {
			return "agent"
		}
		return strings.TrimPrefix(fmt.Sprintf("%T", m), "*")
	}
}

// goOn says how to continue the run.
func (s *session) goOn() string {
	if s.options.RunDir == "" {
		return "name a folder with bfcl.RunDir to be able to continue with bfcl.Resume"
	}
	return fmt.Sprintf("continue with bfcl.Resume() and bfcl.RunDir(%q)", s.options.RunDir)
}
