package provider

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/say"
)

// Limits of a key command.
const (
	patience = 30 * time.Second
	longest  = 64 << 10 // in bytes, of what it prints
	early    = time.Minute
)

// A Source is a command that prints a key. It is safe for concurrent use, and
// printing it shows no key.
type Source struct {
	command  string
	patience time.Duration
	now      func() time.Time

	mu      sync.Mutex
	key     string
	expires time.Time // zero if the key does not say
	seen    []string
}

// NewKeys makes a Source. Nothing is run.
func NewKeys(command string) *Source {
	return &Source{command: command, patience: patience, now: time.Now}
}

// String returns the command.
func (s *Source) String() string { return s.command }

// Format prints String whatever the verb.
func (s *Source) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, s.command) }

// Key returns a key that has not expired, as far as is known.
func (s *Source) Key(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.key != "" && (s.expires.IsZero() || s.now().Add(early).Before(s.expires)) {
		return s.key, nil
	}
	return s.fetch(ctx)
}

// Renewed returns a new key to replace one that was refused. If another request
// has already got a new one, it returns that.
func (s *Source) Renewed(ctx context.Context, refused string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.key != "" && s.key != refused {
		return s.key, nil
	}
	return s.fetch(ctx)
}

// Seen returns all keys so far, which must not appear in anything that is
// written.
func (s *Source) Seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[:len(s.seen):len(s.seen)]
}

func (s *Source) fetch(ctx context.Context) (string, error) {
	key, err := run(ctx, s.command, s.patience)
	if err != nil {
		return "", fmt.Errorf("key_command %s: %w", say.Quote(s.command, 200), err)
	}
	if key != s.key {
		s.seen = append(s.seen, key)
	}
	s.key, s.expires = key, expiry(key)
	return key, nil
}

// run returns the single line that a command prints. Its error does not show
// the output, only the last line of standard error.
func run(ctx context.Context, command string, patience time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := shell(ctx, command)
	cmd.WaitDelay = time.Second // a child of the command may hold the pipe open
	out, complaint := child.Tail{Most: longest + 1}, child.Tail{Most: longest}
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("it printed no key within %s", patience)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return "", err
		}
		lines := strings.Split(complaint.String(), "\n")
		said := ""
		if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
			said = ": " + say.Quote(last, 300)
		}
		return "", fmt.Errorf("it failed with %w%s", exit, said)
	}
	return oneLine(out.String())
}

func oneLine(text string) (string, error) {
	lines := strings.Split(text, "\n")
	key := strings.TrimSpace(lines[0])
	switch {
	case len(text) > longest:
		return "", fmt.Errorf("it printed more than %d bytes: it must print only the key", longest)
	case text == "":
		return "", errors.New("it printed nothing: it must print the key")
	case len(lines) > 1:
		return "", fmt.Errorf("it printed %d lines: it must print only the key, on one line", len(lines))
	case strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c >= 0x7f }):
		return "", errors.New("what it printed holds blanks or control characters: it must print only the key")
	}
	return key, nil
}

// expiry returns when a key expires if it is a JSON Web Token that says so, and
// otherwise zero.
func expiry(key string) time.Time {
	parts := strings.Split(key, ".")
	if !IsToken(key) || len(parts) != 3 {
		return time.Time{}
	}
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	var said struct{ Exp float64 }
	if err != nil || json.Unmarshal(claims, &said) != nil || said.Exp <= 0 || said.Exp > 1e11 {
		return time.Time{}
	}
	return time.Unix(int64(said.Exp), 0)
}

// IsToken reports whether a key is a JSON Web Token, which is sent as a bearer
// token even if keys have a header of their own.
func IsToken(key string) bool { return strings.HasPrefix(key, "eyJ") && strings.Count(key, ".") == 2 }

// shell runs a command in a process group of its own, so that a command that
// hangs can be killed with everything it started.
func shell(ctx context.Context, command string) *exec.Cmd {
	words := []string{"/bin/sh", "-c"}
	if runtime.GOOS == "windows" {
		words = []string{"cmd", "/C"}
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], command)...)
	child.Own(cmd)
	cmd.Cancel = func() error { child.Kill(cmd); return nil }
	return cmd
}
