package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/show/trace"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A console makes calls on a case's simulated APIs by hand.
type console struct {
	*app
	env             *sim.Env
	asJSON          bool
	interactive     bool
	failed, stopped bool
	lock            sync.Locker // nil unless others make calls too
}

// make makes the calls; "-" stands for those on standard input.
func (p *console) make(calls []string) error {
	for _, line := range calls {
		do := p.line
		if line == "-" {
			do = func(string) error { return p.read() }
		}
		if err := do(line); err != nil {
			return err
		}
	}
	if p.failed && !p.interactive {
		return exit(exitNo)
	}
	return nil
}

func (p *console) read() error {
	p.interactive = isTerminal(p.in)
	if p.interactive { // on standard error, so that standard output has only results
		fmt.Fprintf(p.err, "%s. Calls such as %s; :help for more.\n", strings.Join(p.env.Classes(), ", "), "name(argument='value')")
	}
	in := bufio.NewScanner(p.in)
	in.Buffer(nil, longestAnswer)
	for n := 1; !p.stopped; n++ {
		if p.interactive {
			fmt.Fprint(p.err, "> ")
		}
		if !in.Scan() {
			break
		}
		if err := p.line(in.Text()); err != nil {
			if !p.interactive {
				return fmt.Errorf("line %d: %w", n, err)
			}
			p.complain(err)
		}
	}
	if p.interactive && !p.stopped {
		fmt.Fprintln(p.err)
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d MB", longestAnswer>>20)
	}
	return in.Err()
}

const callHelp = `a call      mkdir(dir_name='x'), or several: [mkdir(dir_name='x'), ls()]
:state      the state of all APIs; :state CLASS for one
:quit       end`

// line carries out a line: a call, several in brackets, or a command.
func (p *console) line(line string) error {
	if p.lock != nil {
		p.lock.Lock()
		defer p.lock.Unlock()
	}
	line = strings.TrimSpace(line)
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "" || line[0] == '#':
		return nil
	case line[0] != ':':
		return p.calls(line)
	}
	switch word {
	case ":state":
		return p.showState(strings.TrimSpace(rest))
	case ":quit", ":q", ":exit":
		p.stopped = true
	case ":help", ":h", ":?":
		fmt.Fprintln(p.out, callHelp)
	default:
		return fmt.Errorf("unknown command %q: use :state, :help or :quit", word)
	}
	return nil
}

func (p *console) calls(line string) error {
	calls := []string{line}
	if strings.HasPrefix(line, "[") {
		list, err := decode.PromptExecute(line, false)
		if err != nil {
			return fmt.Errorf("not a list of calls: %w", err)
		}
		calls = list
	}
	for _, call := range calls {
		if err := p.call(call); err != nil {
			return err
		}
	}
	return nil
}

// A played is a call as JSON has it.
type played struct {
	// Case is the case of the call, if several are served.
	Case   string `json:"case,omitempty"`
	Call   string `json:"call"`
	Result string `json:"result"`
	Error  bool   `json:"error"`
	// Raised is the class of the exception that upstream raises.
	Raised  string         `json:"raised,omitempty"`
	Changes []trace.Change `json:"changes"`
}

func (p *console) call(call string) error {
	before := trace.StatesOf(p.env)
	result := p.env.Call(call)
	out := played{Call: call, Result: result.Text, Error: sim.IsError(result.Text), Changes: []trace.Change{}}
	if result.Raised != nil {
		out.Raised = result.Raised.Class
	}
	out.Changes = append(out.Changes, trace.ChangesOf(p.env, before)...)
	p.failed = p.failed || out.Error
	if p.asJSON {
		return safe.EncodeJSON(p.out, out, "")
	}
	p.showCall(out)
	return nil
}

// longestShown bounds a call or a result on a terminal.
const longestShown = 1 << 16

func (p *console) showCall(c played) {
	if !p.interactive {
		fmt.Fprintln(p.out, safe.Printable(c.Call, longestShown))
	}
	mark, style := "→", "32"
	if c.Error {
		mark, style = "✗", "31"
	}
	if colour(p.out) {
		mark = "\x1b[" + style + "m" + mark + "\x1b[0m"
	}
	fmt.Fprintf(p.out, "  %s %s\n", mark, safe.Printable(c.Result, longestShown))
	const most = 20
	for i, change := range c.Changes {
		if i == most {
			fmt.Fprintf(p.out, "    … %d more changes\n", len(c.Changes)-i)
			break
		}
		fmt.Fprintln(p.out, "    "+change.Text(false))
	}
}

// showState prints the state of a class, or of all.
func (p *console) showState(name string) error {
	if _, ok := p.env.Instance(name); name != "" && !ok {
		return misuse.Errorf("there is no class %q here: use %s", name, strings.Join(p.env.Classes(), ", "))
	}
	all := map[string]json.RawMessage{}
	for _, class := range p.env.Classes() {
		if name != "" && class != name {
			continue
		}
		instance, _ := p.env.Instance(class)
		if all[class] = stateJSON(instance); !p.asJSON {
			fmt.Fprintf(p.out, "%s\n%s\n", class, indented(all[class]))
		}
	}
	if p.asJSON {
		return safe.EncodeJSON(p.out, map[string]any{"state": all}, "")
	}
	return nil
}

// stateJSON is the state as JSON or, if JSON cannot hold it, as upstream writes
// it, or else as Python's text.
func stateJSON(i sim.Instance) json.RawMessage {
	for _, v := range []pyval.Value{i.State(), sim.Describe(i)} {
		if text, err := pyval.AppendJSON(nil, v, pyval.JSONUnicode); err == nil && json.Valid(text) {
			return text
		}
	}
	text, _ := json.Marshal(pyval.Repr(i.State()))
	return text
}

// indented is JSON on lines of its own, safe to print.
func indented(text json.RawMessage) string {
	var v bytes.Buffer
	_ = json.Indent(&v, text, "  ", "  ")
	var lines []string
	for line := range strings.SplitSeq("  "+v.String(), "\n") {
		lines = append(lines, safe.Printable(line, longestShown))
	}
	return strings.Join(lines, "\n")
}

// isTerminal reports whether input comes from a terminal.
func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
