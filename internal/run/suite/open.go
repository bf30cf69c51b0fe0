package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/gobfcl/bfcl/internal/world/exec/live"
)

// The ways to answer the requests of executed calls.
const (
	// Replay answers from a recording and sends nothing.
	Replay = "replay"
	// Live asks the APIs.
	Live = "live"
	// Record asks the APIs and records their answers.
	Record = "record"
)

// Environment returns the environment for executing calls, in one of the ways
// above. files are the recordings to replay, by default the dataset's own, or
// the one file to record into. The closer, which may be nil, ends a recording.
func Environment(d *fixtures.Dataset, how string, files []string) (*exec.Env, io.Closer, error) {
	if err := Check(how, files); err != nil {
		return nil, nil, err
	}
	switch how {
	case Record:
		return recordAPIs(files)
	case Live:
		return &exec.Env{Client: live.New(os.Getenv, false), Sleep: exec.Wait}, nil, nil
	}
	client, err := replay(d, files)
	return &exec.Env{Client: client}, nil, err
}

// Check returns the error that Environment would return for these arguments,
// without opening anything.
func Check(how string, files []string) error {
	switch {
	case how == Live && len(files) > 0:
		return errors.New("recordings are for -api=replay; -api=live asks the APIs")
	case how == Record && len(files) != 1:
		return errors.New("-api=record needs one file to write: name it with -api-replay")
	case how != Live && how != Record && how != Replay:
		return fmt.Errorf("-api must be %s, %s or %s, not %q", Replay, Live, Record, how)
	}
	return nil
}

// ReplayParameter is the run parameter that names the recordings.
const ReplayParameter = "api_replay"

// ForRun returns an Executor to judge a run's answers again, with the
// recordings that the run's parameters name, or else the dataset's own.
func ForRun(ctx context.Context, d *fixtures.Dataset, parameters map[string]string) (*Executor, error) {
	var files []string
	if names := parameters[ReplayParameter]; names != "" {
		files = strings.Split(names, ",")
	}
	env, _, err := Environment(d, Replay, files)
	return New(ctx, d, env), err
}

func replay(d *fixtures.Dataset, files []string) (*exec.Replay, error) {
	client, err := exec.OpenReplay(files...)
	if err != nil || len(files) > 0 {
		return client, err
	}
	name, data, err := d.Replay()
	if err != nil || name == "" {
		return client, err
	}
	return client, client.Add(name, bytes.NewReader(data))
}

// record never writes to an existing file: a recording that has a request twice
// could not be replayed.
func recordAPIs(files []string) (*exec.Env, io.Closer, error) {
	file, err := os.OpenFile(files[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("recording: %w", err)
	}
	client := live.New(os.Getenv, false)
	return &exec.Env{Client: exec.NewRecorder(client, client.Scrub, file), Sleep: exec.Wait}, file, nil
}
