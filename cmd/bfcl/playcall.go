package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/show/trace"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// play makes the calls of -c, or those of standard input.
func (p *playing) play() error {
	for _, line := range p.commands {
		if err := p.line(line); err != nil {
			return err
		}
	}
	if len(p.commands) == 0 {
		if err := p.read(); err != nil {
			return err
		}
	}
	if p.state {
		if err := p.showState(""); err != nil {
			return err
		}
	}
	if p.failed && !p.interactive {
		return exit(exitNo)
	}
	return nil
}

func (p *playing) read() error {
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

const playHelp = `a call      mkdir(dir_name='x'), or several: [mkdir(dir_name='x'), ls()]
:state      the state of all APIs; :state CLASS for one
:methods    the methods and their parameters
:quit       end`

// line carries out a line: a call, several in brackets, or a command.
func (p *playing) line(line string) error {
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
	case ":methods":
		return p.list(p.env.Classes())
	case ":quit", ":q", ":exit":
		p.stopped = true
	case ":help", ":h", ":?":
		fmt.Fprintln(p.out, playHelp)
	default:
		return fmt.Errorf("unknown command %q: use :state, :methods, :help or :quit", word)
	}
	return nil
}

func (p *playing) calls(line string) error {
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

func (p *playing) call(call string) error {
	before := trace.StatesOf(p.env)
	result := p.env.Call(call)
	out := played{Call: call, Result: result.Text, Error: sim.IsError(result.Text), Changes: []trace.Change{}}
	if result.Raised != nil {
		out.Raised = result.Raised.Class
	}
	out.Changes = append(out.Changes, trace.ChangesOf(p.env, before)...)
	p.failed = p.failed || out.Error
	if p.tell != nil {
		p.tell(out)
	}
	if p.asJSON {
		return safe.EncodeJSON(p.out, out, "")
	}
	p.showCall(out)
	return nil
}

// longestShown bounds a call or a result on a terminal.
const longestShown = 1 << 16

func (p *playing) showCall(c played) {
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
func (p *playing) showState(name string) error {
	if _, ok := p.env.Instance(name); name != "" && !ok {
		return noClass(name, p.env.Classes())
	}
	return p.showStates(p.env.Classes(), statesOf(p.env, name))
}

func noClass(name string, known []string) error {
	return fmt.Errorf("there is no class %q here: use %s", name, strings.Join(known, ", "))
}

// statesOf are the states of a class, or of all.
func statesOf(env *sim.Env, name string) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, class := range env.Classes() {
		if name == "" || class == name {
			instance, _ := env.Instance(class)
			all[class] = stateJSON(instance)
		}
	}
	return all
}

// showStates prints states in the classes' order.
func (p *playing) showStates(classes []string, all map[string]json.RawMessage) error {
	if p.asJSON {
		return safe.EncodeJSON(p.out, map[string]any{"state": all}, "")
	}
	for _, class := range classes {
		if state, there := all[class]; there {
			fmt.Fprintln(p.out, safe.Printable(class, 200))
			fmt.Fprintln(p.out, indented(state))
		}
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
	var b strings.Builder
	var v strings.Builder
	_ = jsonIndent(&v, text)
	for line := range strings.SplitSeq(v.String(), "\n") {
		b.WriteString("  " + safe.Printable(line, longestShown) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
