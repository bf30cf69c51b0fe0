package match

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/procgroup"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// ProgramsVariable names the environment variable that lists the folders whose
// suites may start programs. A suite cannot set it, and neither can a result
// folder that names a suite.
const ProgramsVariable = "BFCL_PROGRAMS"

// The limits of a program's answer.
const (
	programLimit  = 10 * time.Second
	programLinger = time.Second
	programBytes  = 64 << 10
	reasonLength  = 300
)

// Program is the matcher of a program in the suite's folder. It is started for
// each value, reads one line of JSON and writes one. A value that was asked about
// in the same call of the same case is not asked about again.
type Program struct {
	// File is the program's path in the suite's folder Dir; Dir is "" for a
	// suite that is in no folder.
	File, Dir string
	// Limit is the longest it may take.
	Limit time.Duration

	about   question
	answers *sync.Map // functions that return the answer, by question
}

// A question is the line that a program reads.
type question struct {
	Case     string          `json:"case"`
	Function string          `json:"function"`
	Argument string          `json:"argument"`
	Value    json.RawMessage `json:"value"`
	// Arguments are those of the call.
	Arguments json.RawMessage `json:"arguments"`
}

// NewProgram returns the matcher of a program in a suite's folder.
func NewProgram(file, dir string) *Program {
	return &Program{File: file, Dir: dir, Limit: programLimit, answers: &sync.Map{}}
}

// Name returns "program".
func (p *Program) Name() string { return "program" }

func (p *Program) String() string { return "program " + p.File }

// Example returns false, because no example is known.
func (p *Program) Example() (pyval.Value, bool) { return nil, false }

// asked returns a choice whose programs know which argument of which call they
// judge.
func (c *Choice) asked(id string, call made, argument string) *Choice {
	out := c
	for i, o := range c.Options {
		p, ok := o.Matcher.(*Program)
		if !ok {
			continue
		}
		if out == c {
			out = &Choice{append([]Option(nil), c.Options...), c.Optional, c.Absent, c.Line}
		}
		own := *p
		own.about = question{Case: id, Function: call.name, Argument: argument, Arguments: jsonOf(call.args)}
		out.Options[i].Matcher = &own
	}
	return out
}

// jsonOf returns a value as JSON; nil if it has no JSON.
func jsonOf(v pyval.Value) json.RawMessage {
	text, err := pyval.JSON(v, pyval.JSONUnicode)
	if err != nil || !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}

// Refuse asks the program. If it gives no answer, nothing is known about the
// value: see [Go.Refuse].
func (p *Program) Refuse(v pyval.Value) string {
	q := p.about
	if q.Value = jsonOf(v); q.Value == nil {
		return fmt.Sprintf("%s is not JSON, but %s needs it", short(v), p)
	}
	line, err := json.Marshal(q)
	if err != nil {
		return fmt.Sprintf("%s: %v", p, err)
	}
	once, _ := p.answers.LoadOrStore(string(line), sync.OnceValues(func() (*answer, error) { return p.ask(line) }))
	said, err := once.(func() (*answer, error))()
	switch {
	case err != nil:
		panic(eval.Infra("matcher", "%s: %w", p, err))
	case *said.Accept:
		return ""
	}
	return fmt.Sprintf("%s is refused by %s: %s", short(v), p, safe.Quote(said.Reason, reasonLength))
}

// An answer is the line that a program writes.
type answer struct {
	Accept *bool  `json:"accept"`
	Reason string `json:"reason"`
}

// places bounds how many programs run at a time.
var places = make(chan struct{}, runtime.GOMAXPROCS(0))

func (p *Program) ask(line []byte) (*answer, error) {
	if !p.allowed() {
		return nil, fmt.Errorf("a suite's programs are started only if %s names its folder: %s=%s", ProgramsVariable, ProgramsVariable, safe.ShellWord(p.Dir))
	}
	places <- struct{}{}
	defer func() { <-places }()
	ctx, cancel := context.WithTimeout(context.Background(), p.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(p.Dir, filepath.FromSlash(p.File)))
	out, said := &capped{}, &capped{}
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Dir, bytes.NewReader(append(line, '\n')), out, said
	procgroup.Own(cmd)
	cmd.Cancel, cmd.WaitDelay = func() error { procgroup.Kill(cmd); return nil }, programLinger
	err := cmd.Run()
	if cmd.Process != nil {
		procgroup.Kill(cmd) // what it started and left behind
	}
	switch {
	case out.over:
		return nil, fmt.Errorf("more than %d kB of output; an answer is one line of JSON", programBytes>>10)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("no answer within %s", p.Limit)
	case err != nil:
		return nil, fmt.Errorf("%w; standard error: %s", err, safe.Quote(string(said.text), reasonLength))
	}
	return readAnswer(out.text)
}

// readAnswer reads a program's output: one line.
func readAnswer(out []byte) (*answer, error) {
	said := &answer{}
	text := bytes.TrimSpace(out)
	err := json.Unmarshal(text, said)
	if err == nil && (said.Accept == nil || bytes.ContainsRune(text, '\n')) {
		err = errors.New("accept is missing, or there are several lines")
	}
	if err != nil {
		return nil, fmt.Errorf(`the answer %s is not one line such as {"accept": false, "reason": "…"}: %w`, safe.Quote(string(text), reasonLength), err)
	}
	return said, nil
}

// allowed reports whether the suite's folder is, or is in, one that the
// environment names.
func (p *Program) allowed() bool {
	own, err := filepath.EvalSymlinks(p.Dir)
	if p.Dir == "" || err != nil {
		return false
	}
	for _, dir := range filepath.SplitList(os.Getenv(ProgramsVariable)) {
		if dir, err = filepath.Abs(dir); err == nil {
			dir, err = filepath.EvalSymlinks(dir)
		}
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(dir, own); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// capped keeps the beginning of what is written to it, and refuses the rest.
type capped struct {
	text []byte
	over bool
}

func (c *capped) Write(b []byte) (int, error) {
	room := min(len(b), programBytes-len(c.text))
	c.text = append(c.text, b[:room]...)
	if c.over = c.over || room < len(b); c.over {
		return room, io.ErrShortWrite
	}
	return room, nil
}
