package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/say"
)

// Port is where a server that is started for a run listens. It is always the
// same, because a run's address is one of its settings.
const Port = "18080"

// StartLine returns a line that starts a server, for a model.
func StartLine(line, model string) string {
	return strings.NewReplacer("{model}", say.ShellWord(model), "{port}", Port).Replace(line)
}

// A Launched is a server that was started for a run.
type Launched struct {
	cmd   *exec.Cmd
	log   *os.File
	ended chan struct{}
	err   error
}

// Launch starts a server by a line for the shell. What it prints goes to the
// log.
func Launch(line, log string) (*Launched, error) {
	if conn, err := net.DialTimeout("tcp", "127.0.0.1:"+Port, time.Second); err == nil {
		_ = conn.Close()
		return nil, fmt.Errorf("-start: something listens on port %s already: end it, or ask it with -base-url=http://127.0.0.1:%s/v1", Port, Port)
	}
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	l := &Launched{cmd: exec.Command("sh", "-c", line), log: out, ended: make(chan struct{})}
	l.cmd.Stdout, l.cmd.Stderr = out, out
	child.Own(l.cmd)
	if err := l.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("-start: %w", err), out.Close())
	}
	go func() {
		l.err = l.cmd.Wait()
		close(l.ended)
	}()
	return l, nil
}

// Ready waits until the server lists its models, or has ended.
func (l *Launched) Ready(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		if list, err := (Address{}).get(ctx, "http://127.0.0.1:"+Port+"/v1/models"); err == nil && list.code == http.StatusOK {
			return nil
		}
		select {
		case <-l.ended:
			return fmt.Errorf("-start: the server ended before it was ready (%w); the end of what it printed:\n%s", errors.Join(l.err, errEnded), l.tail())
		case <-ctx.Done():
			return fmt.Errorf("-start: the server was not ready after %s (-server-wait); the end of what it printed:\n%s", wait, l.tail())
		case <-time.After(time.Second):
		}
	}
}

var errEnded = errors.New("it must stay in the foreground")

// tail returns the last lines of the log, safe to print.
func (l *Launched) tail() string {
	const most, lines = 4 << 10, 12
	text, err := os.ReadFile(l.log.Name())
	if err != nil {
		return err.Error()
	}
	text = bytes.TrimRight(text[max(0, len(text)-most):], "\n")
	all := strings.Split(string(text), "\n")
	for i := range all {
		all[i] = "  " + say.Plain(all[i], 200)
	}
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// Close ends the server and everything that it started.
func (l *Launched) Close() error {
	const grace = 5 * time.Second
	child.Interrupt(l.cmd)
	select {
	case <-l.ended:
	case <-time.After(grace):
	}
	child.Kill(l.cmd)
	<-l.ended
	return l.log.Close()
}
