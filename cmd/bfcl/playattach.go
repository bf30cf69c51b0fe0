package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/gobfcl/bfcl/adapters/agent"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
)

// follow shows the state and the calls of a `bfcl serve` until it ends.
func (p *playing) follow(names []string) error {
	if len(names) > 0 {
		return misuse.Errorf("--attach shows the classes of the case that is served: leave out %s", safe.Quote(names[0], 100))
	}
	f := &following{playing: p, url: os.Getenv(agent.URLVariable), token: os.Getenv(agent.TokenVariable)}
	if f.url == "" || f.token == "" {
		return misuse.Errorf("%s and %s are not set: `bfcl serve` prints them for each case", agent.URLVariable, agent.TokenVariable)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	body, err := f.get(ctx, "")
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	ended := make(chan error, 1)
	go func() { ended <- f.show(body) }()
	if isTerminal(p.in) {
		asked := make(chan struct{})
		go func() { f.listen(ctx); close(asked) }()
		select {
		case err = <-ended:
		case <-asked:
			return nil
		case <-ctx.Done():
		}
	} else {
		select {
		case err = <-ended:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return exit(exitInterrupted)
	}
	if err == nil {
		fmt.Fprintln(p.err, "bfcl: the view has ended: `bfcl serve` ended, or calls came faster than they were shown")
	}
	return err
}

// A following is one `bfcl play --attach`.
type following struct {
	*playing
	url, token string
	mu         sync.Mutex // of the output
}

// get requests the view of a `bfcl serve`.
func (f *following) get(ctx context.Context, query string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(f.url, "/")+endpoint.ViewPath+query, nil)
	if err != nil {
		return nil, misuse.Errorf("%s is not an address: %s", agent.URLVariable, safe.Quote(f.url, 200))
	}
	r.Header.Set("Authorization", agent.Scheme+f.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, fmt.Errorf("there is nothing to attach to: %w; is `bfcl serve` running?", err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	_ = resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("there is nothing to see at %s: `bfcl serve` shows its state, a run's cases do not", agent.URLVariable)
	}
	return nil, fmt.Errorf("there is nothing to attach to: status %s; set %s and %s as a running `bfcl serve` prints them", safe.Quote(resp.Status, 100), agent.URLVariable, agent.TokenVariable)
}

// longestView bounds a line of a view.
const longestView = 64 << 20

// show prints the lines of a view until it ends.
func (f *following) show(body io.Reader) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, longestView)
	for n := 0; lines.Scan(); n++ {
		if err := f.showLine(lines.Bytes(), n == 0); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the view broke off: %w", err)
	}
	return nil
}

func (f *following) showLine(line []byte, first bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if first {
		v, err := readView(line)
		if err != nil {
			return err
		}
		if !f.asJSON {
			showTurns(f.out, v.Case, v.Turns)
		}
		return f.showStates(v.classes(), v.State)
	}
	var call played
	if err := json.Unmarshal(line, &call); err != nil {
		return noView(err)
	}
	if f.asJSON {
		return safe.EncodeJSON(f.out, call, "")
	}
	f.showCall(call)
	return nil
}

func readView(line []byte) (*view, error) {
	v := &view{}
	if err := json.Unmarshal(line, v); err != nil {
		return nil, noView(err)
	}
	if v.State == nil {
		return nil, noView(errors.New("it has no state"))
	}
	return v, nil
}

func noView(err error) error {
	return fmt.Errorf("%s does not answer as `bfcl serve` does: %w", agent.URLVariable, err)
}

func (v *view) classes() []string { return slices.Sorted(maps.Keys(v.State)) }

const attachHelp = `:state      the state of all APIs; :state CLASS for one
:quit       end`

// listen runs the commands that are typed, until :quit or the end of input.
func (f *following) listen(ctx context.Context) {
	in := bufio.NewScanner(f.in)
	in.Buffer(nil, longestAnswer)
	for in.Scan() {
		word, rest, _ := strings.Cut(strings.TrimSpace(in.Text()), " ")
		switch word {
		case "":
		case ":state":
			if err := f.state(ctx, strings.TrimSpace(rest)); err != nil {
				f.complain(err)
			}
		case ":quit", ":q", ":exit":
			return
		case ":help", ":h", ":?":
			f.mu.Lock()
			fmt.Fprintln(f.out, attachHelp)
			f.mu.Unlock()
		default:
			f.complain(fmt.Errorf("unknown command %q: use :state, :help or :quit; make calls where `bfcl serve` runs", word))
		}
	}
}

// state prints the state as it is now, of a class or of all.
func (f *following) state(ctx context.Context, name string) error {
	body, err := f.get(ctx, "?"+onceField)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	line, err := io.ReadAll(io.LimitReader(body, longestView))
	if err != nil {
		return err
	}
	v, err := readView(line)
	if err != nil {
		return err
	}
	if name != "" {
		if _, there := v.State[name]; !there {
			return noClass(name, v.classes())
		}
		v.State = map[string]json.RawMessage{name: v.State[name]}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.showStates(v.classes(), v.State)
}
