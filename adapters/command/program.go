package command

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/eval"
)

// A Program is a command line of which any number of copies can run
// independently. It is safe for concurrent use.
type Program struct {
	args    []string
	breaker breaker
	// hidden are paths that copies cannot read if the program is in a cell, and
	// do not hear of.
	hidden []string
	inCell bool
}

// Hide keeps copies of the program from reading the folders among some paths,
// and from hearing of them. It returns why they could still be read; "" if they
// cannot.
func (p *Program) Hide(paths []string) (why string) {
	p.hidden = paths
	why = child.Check(p.args, child.Folders(paths...))
	p.inCell = why == ""
	return why
}

// unaware returns an environment without this program's own variables, and
// without those that name a hidden folder.
func (p *Program) unaware(environ []string) []string {
	folders := slices.DeleteFunc(append(child.Folders(p.hidden...), p.hidden...), func(dir string) bool { return len(dir) < shortest })
	return slices.DeleteFunc(environ, func(v string) bool {
		names := func(dir string) bool { return strings.Contains(v, dir) }
		return strings.HasPrefix(v, "BFCL_") || slices.ContainsFunc(folders, names)
	})
}

// shortest is how long a path must be to be looked for in variables.
const shortest = 4

// Find returns the Program of a command line, with quotes as in a shell. It
// checks that the program exists.
func Find(line string) (*Program, error) {
	args, err := words(line)
	if err != nil {
		return nil, err
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return nil, startError(args[0], err)
	}
	return &Program{args: args}, nil
}

// Start starts a copy with environment variables such as "NAME=value" in
// addition to those of this process. After many copies in a row that gave no
// answer it returns an error that ends the run. The caller must End the copy.
func (p *Program) Start(env ...string) (*Copy, error) {
	if err := p.breaker.err(); err != nil {
		return nil, err
	}
	running, err := start(p.args, func(cmd *exec.Cmd) error {
		cmd.Env = append(p.unaware(cmd.Environ()), env...)
		if !p.inCell {
			return nil
		}
		return child.Wrap(cmd, child.Folders(p.hidden...))
	})
	if err != nil {
		return nil, p.learn(nil, err)
	}
	return &Copy{program: p, process: running}, nil
}

// learn tells the breaker how a request went. The death of a process that has
// answered before does not count.
func (p *Program) learn(running *process, err error) error {
	switch {
	case running != nil && running.served > 0:
		p.breaker.answer()
	case slices.Contains([]string{"exited", "start", "closed"}, eval.InfraKind(err)): // the program is gone
		return p.breaker.death(err)
	}
	return err
}

// A Copy is a running copy of a Program, in its own process group. It takes one
// line at a time.
type Copy struct {
	program *Program
	process *process
}

// Ask writes a line and returns the copy's answer. An error kills the copy and
// everything it started.
func (c *Copy) Ask(ctx context.Context, line []byte) (string, error) {
	answer, err := c.process.ask(ctx, line)
	if errors.Is(err, errRetired) {
		err = eval.Infra("exited", "the program ended before the conversation did: it must answer each turn with a line; %s", c.process.said())
	}
	if err != nil {
		c.process.kill()
	}
	return answer, c.program.learn(c.process, err)
}

// Said returns a clause for an error message: the end of the copy's standard
// error.
func (c *Copy) Said() string { return c.process.said() }

// Form returns a clause that says what the copy must write where.
func (c *Copy) Form() string { return form }

// End lets the copy finish, and kills it and everything it started if it does
// not.
func (c *Copy) End() { c.process.end() }
