package toolserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/say"
)

// Command starts a program, asks it for its tools and ends it.
func Command(ctx context.Context, words []string, limits Limits) (listing *Listing, err error) {
	if len(words) == 0 {
		return nil, errors.New("no program is given")
	}
	l := limits.settled()
	ctx, cancel := context.WithTimeout(ctx, l.Timeout)
	defer cancel()
	p, err := start(words, newHeard(l.Bytes), l.Grace)
	if err != nil {
		return nil, err
	}
	defer func() {
		if said := p.end(); err != nil {
			err = fmt.Errorf("%s: %w%s", say.Quote(words[0], 100), err, said)
		}
	}()
	defer context.AfterFunc(ctx, p.kill)()
	transport := &mcp.IOTransport{Reader: io.NopCloser(p.heard.reader(p.out)), Writer: p.in, MaxLineLength: -1} // heard bounds it
	return list(ctx, transport, p.heard, l)
}

// A program is a server that was started.
type program struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   io.ReadCloser
	heard *heard
	log   child.Tail
	grace time.Duration
}

func start(words []string, h *heard, grace time.Duration) (*program, error) {
	cmd := exec.Command(words[0], words[1:]...)
	p := &program{cmd: cmd, heard: h, log: child.Tail{Most: 2000}, grace: grace}
	child.Own(cmd)
	cmd.Stderr = &p.log
	cmd.WaitDelay = grace
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the server cannot be started: %w", err)
	}
	return p, nil
}

func (p *program) kill() { child.Kill(p.cmd) }

// end closes the program's input and waits for it to end. If it does not, it is
// killed with all that it started. end returns the program's last output.
func (p *program) end() string {
	_ = p.in.Close()
	timer := time.AfterFunc(p.grace, p.kill)
	_, _ = io.Copy(io.Discard, io.LimitReader(p.out, p.heard.limit))
	err := p.cmd.Wait()
	timer.Stop()
	p.kill() // what it started may still run
	said := ""
	var exited *exec.ExitError
	if errors.As(err, &exited) && exited.ExitCode() > 0 {
		said += fmt.Sprintf("; it ended with exit code %d", exited.ExitCode())
	}
	if text := p.log.String(); text != "" {
		said += "; its last output: " + say.Quote(strings.ToValidUTF8(text, "?"), 400)
	}
	return said
}
