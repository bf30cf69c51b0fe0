// Package adapters lists the adapters of this build and opens them by name.
package adapters

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters/command"
	"github.com/gobfcl/bfcl/adapters/heuristic"
	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/internal/eval"
)

// A Config is what an adapter may need to open.
type Config struct {
	// Model is what the user wrote: "<kind>" or "<kind>:<argument>".
	Model string
	// Lookup finds a case; only the oracle may use it.
	Lookup oracle.Lookup
	// Concurrency is the number of cases in flight.
	Concurrency int
	// Timeout bounds one request.
	Timeout time.Duration
}

// A Kind is one sort of adapter.
type Kind struct {
	// Name stands before the colon of -model.
	Name string
	// Argument names what stands after the colon; "" where nothing may.
	Argument string
	// Doc is one line for people.
	Doc string
	// Concurrency is the default number of cases in flight.
	Concurrency int
	// Open makes the adapter; arg is what stands after the colon.
	Open func(cfg Config, arg string) (eval.Adapter, error)
}

// local is the default concurrency of adapters that compute in process.
var local = 2 * runtime.GOMAXPROCS(0)

// list holds the adapters in the order people see them.
var list = []Kind{
	{
		Name: "oracle", Concurrency: local, Doc: "answers with the possible answers: tests the suite itself",
		Open: func(cfg Config, _ string) (eval.Adapter, error) { return oracle.New(cfg.Lookup), nil },
	},
	{
		Name: "heuristic", Concurrency: local, Doc: "a small honest baseline: word overlap and patterns, no model",
		Open: func(Config, string) (eval.Adapter, error) { return heuristic.New(), nil },
	},
	{
		Name: "replay", Argument: "dir", Concurrency: local, Doc: "replays recorded answers: an upstream result folder or a run folder",
		Open: func(_ Config, dir string) (eval.Adapter, error) { return replay.New(dir) },
	},
	{
		Name: "command", Argument: "program", Concurrency: 4, Doc: "asks a program of yours: one JSON request a line in, one JSON answer a line out",
		Open: openCommand,
	},
}

func openCommand(cfg Config, program string) (eval.Adapter, error) {
	return command.New(command.Config{Command: program, Processes: cfg.Concurrency, Timeout: cfg.Timeout})
}

// Kinds are the adapters of this build.
func Kinds() []Kind { return list }

// Find is the kind of adapter a model name asks for, and its argument.
func Find(model string) (Kind, string, error) {
	name, arg, colon := strings.Cut(model, ":")
	for _, k := range list {
		if k.Name != name {
			continue
		}
		switch {
		case k.Argument != "" && arg == "":
			return Kind{}, "", fmt.Errorf("model %q lacks its argument: write %s:<%s>", model, k.Name, k.Argument)
		case k.Argument == "" && colon:
			return Kind{}, "", fmt.Errorf("model %q: %s takes no argument", model, k.Name)
		}
		return k, arg, nil
	}
	return Kind{}, "", fmt.Errorf("unknown model %q: use %s", model, strings.Join(usages(), ", "))
}

func usages() []string {
	out := make([]string, len(list))
	for i, k := range list {
		out[i] = k.Name
		if k.Argument != "" {
			out[i] += ":<" + k.Argument + ">"
		}
	}
	sort.Strings(out)
	return out
}

// Open opens the adapter that cfg.Model names.
func Open(cfg Config) (eval.Adapter, error) {
	k, arg, err := Find(cfg.Model)
	if err != nil {
		return nil, err
	}
	if cfg.Concurrency <= 0 {
		cfg.Concurrency = k.Concurrency
	}
	return k.Open(cfg, arg)
}
