package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/eval"
)

const (
	// maxLine bounds an answer.
	maxLine = 10 << 20
	// grace is how long a program may take for what should be immediate: to
	// exit after its input has ended, and to hand over its last output.
	grace = 2 * time.Second
	// linger is how long the pipes of a program that has ended are read,
	// since something it started may still hold them.
	linger = 300 * time.Millisecond
)

// errRetired means that a program exited with status 0 between two requests.
var errRetired = errors.New("the program has ended")

// errFlood ends the reading of a line that is too long.
var errFlood = errors.New("line too long")

// A process is one running program. It serves one request at a time.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *os.File
	stderr child.Tail
	served int

	lines   chan string   // closed at the end of output
	readErr error         // why the output ended; set before lines is closed
	exited  chan struct{} // closed when the program is gone
	exitErr error         // set before exited is closed
	stop    chan struct{} // closed by kill: lines are no longer received
	once    sync.Once
}

// start starts a program; prepare may change how, and may be nil.
func start(args []string, prepare func(*exec.Cmd) error) (*process, error) {
	p := &process{
		cmd:    exec.Command(args[0], args[1:]...),
		stderr: child.Tail{Most: 4 << 10},
		lines:  make(chan string), exited: make(chan struct{}), stop: make(chan struct{}),
	}
	child.Own(p.cmd)
	if prepare != nil {
		if err := prepare(p.cmd); err != nil {
			return nil, startError(args[0], err)
		}
	}
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = linger
	out, err := p.pipes()
	if err == nil {
		err = p.cmd.Start()
		_ = out.Close()
	}
	if err != nil {
		if p.stdout != nil {
			_ = p.stdout.Close()
		}
		return nil, startError(args[0], err)
	}
	go p.wait()
	go p.read()
	return p, nil
}

// pipes connects the program. Standard output is a pipe of our own, since
// exec's would be closed when the program ends, with its last line unread.
func (p *process) pipes() (out *os.File, err error) {
	if p.stdout, out, err = os.Pipe(); err != nil {
		return nil, err
	}
	p.cmd.Stdout = out
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		_ = out.Close()
	}
	return out, err
}

func startError(name string, err error) error {
	hint := "is it a program for this machine, and does a script begin with a #! line?"
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		hint = "is the path right? write a program in the current folder as ./" + strings.TrimPrefix(name, "./")
	case errors.Is(err, os.ErrPermission):
		hint = "make it executable (chmod +x), or put its interpreter before it"
	}
	return eval.Infra("start", "cannot start %s: %w: %s", quote(name), err, hint)
}

func (p *process) wait() {
	if err := p.cmd.Wait(); !errors.Is(err, exec.ErrWaitDelay) {
		p.exitErr = err
	}
	child.Kill(p.cmd) // what the program started and left behind
	_ = p.stdout.SetReadDeadline(time.Now().Add(linger))
	close(p.exited)
}

// read hands over the program's lines one by one. It never reads more than a
// line and a buffer ahead, so a flood stays in the pipe.
func (p *process) read() {
	defer func() { _ = p.stdout.Close() }()
	defer close(p.lines)
	in := bufio.NewReaderSize(p.stdout, 64<<10)
	for {
		line, err := readLine(in)
		if line != "" {
			select {
			case p.lines <- line:
			case <-p.stop:
				return
			}
		}
		if err != nil {
			p.readErr = err
			return
		}
	}
}

// readLine returns the next line without its end and outer blanks.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return "", errFlood
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return strings.TrimSpace(string(line)), err
		}
	}
}

// ask writes a line and returns the program's answer. After any error the
// process cannot be used again.
func (p *process) ask(ctx context.Context, request []byte) (string, error) {
	if err := p.idle(); err != nil {
		return "", err
	}
	written := make(chan error, 1)
	go func() {
		_, err := p.stdin.Write(request)
		written <- err
	}()
	var answer string
	for got, sent := false, false; !got || !sent; {
		select {
		case line, ok := <-p.lines:
			if !ok || got {
				return "", p.broken(line, ok)
			}
			answer, got = line, true
		case err := <-written:
			if err != nil && !got {
				return p.last()
			}
			sent = true
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	p.served++
	return answer, nil
}

// idle checks that nothing has happened since the last answer.
func (p *process) idle() error {
	select {
	case line, ok := <-p.lines:
		return p.broken(line, ok)
	case <-p.exited:
		select { // a line that is left is told all the same
		case line, ok := <-p.lines:
			return p.broken(line, ok)
		case <-time.After(grace):
			return p.ended()
		}
	default:
		return nil
	}
}

// last returns the answer of a program that ended before it had read the whole
// request.
func (p *process) last() (string, error) {
	select {
	case line, ok := <-p.lines:
		if ok {
			return line, nil
		}
	case <-time.After(grace):
		return "", eval.Infra("closed", "the program closed its standard input before it had read the request; it must read one line for each answer; %s", p.said())
	}
	return "", p.ended()
}

// broken returns the error for a line that answers no request, or for the end
// of output.
func (p *process) broken(line string, more bool) error {
	if more {
		return nonsense(line, "it is not the one line that answers a request")
	}
	return p.ended()
}

// ended returns the error for a program whose output has ended.
func (p *process) ended() error {
	if p.flooded() {
		return eval.Infra("flood", "the program wrote a line of more than %d MB and was stopped; an answer is one short line of JSON", maxLine>>20)
	}
	select {
	case <-p.exited:
	case <-time.After(grace):
		return eval.Infra("closed", "the program closed its standard output without an answer and was stopped; it must stay open for all requests; %s", p.said())
	}
	switch {
	case p.exitErr != nil:
		return eval.Infra("exited", "the program died before it answered: %w; %s", p.exitErr, p.said())
	case p.served > 0:
		return errRetired
	}
	return eval.Infra("exited", "the program ended (exit status 0) without an answer: it must answer each line on standard input with one on standard output; %s", p.said())
}

func (p *process) flooded() bool {
	select {
	case _, more := <-p.lines:
		return !more && errors.Is(p.readErr, errFlood)
	default:
		return false
	}
}

func (p *process) gone() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// end closes the program's input, and kills the program if it does not exit
// within the grace time.
func (p *process) end() {
	_ = p.stdin.Close()
	select {
	case <-p.exited:
	case <-time.After(grace):
	}
	p.kill()
}

// kill kills the program and everything it started, and waits until it is gone.
func (p *process) kill() {
	p.once.Do(func() {
		close(p.stop)
		if !p.gone() {
			child.Kill(p.cmd)
		}
		_ = p.stdin.Close()
	})
	<-p.exited
}

// said returns a clause for an error message: the end of standard error.
func (p *process) said() string {
	if text := p.stderr.String(); text != "" {
		return "standard error ends with " + strconv.Quote(text)
	}
	return "standard error is empty"
}
