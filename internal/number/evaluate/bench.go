package evaluate

import (
	"context"
	"fmt"
	"sync"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// mostDatasets is how many datasets a Bench opens: it may serve for days.
const mostDatasets = 16

// A Bench finds cases. It opens a dataset when it is first named and keeps it
// open. It is safe for concurrent use.
type Bench struct {
	// Data is the folder that holds v4/ and v1/; see fixtures.DataDir.
	Data string
	// Replay are files of recorded API answers, as for -api-replay; "" for the
	// dataset's own.
	Replay string

	mu   sync.Mutex
	sets map[string]func() (*set, error)
}

// A set is an open dataset.
type set struct {
	*suite.Index
	errata   *errata.List // nil if there is none
	executor eval.Executor
}

// open returns a dataset.
func (b *Bench) open(name string) (*set, error) {
	b.mu.Lock()
	if b.sets == nil {
		b.sets = map[string]func() (*set, error){}
	}
	if b.sets[name] == nil && len(b.sets) < mostDatasets {
		b.sets[name] = sync.OnceValues(func() (*set, error) { return load(name, b.Data, b.Replay) })
	}
	open := b.sets[name]
	b.mu.Unlock()
	if open == nil {
		return nil, fmt.Errorf("%d datasets are open, and no more are opened: start another process for %.200q", mostDatasets, name)
	}
	return open()
}

func load(name, data, replay string) (*set, error) {
	d, err := fixtures.Open(name, data)
	if err != nil {
		return nil, err
	}
	s := &set{}
	if s.Index, err = suite.IndexOf(d, nil); err != nil {
		return nil, err
	}
	digest, err := d.Digest()
	if err != nil {
		return nil, err
	}
	if s.errata, err = errata.For(digest); err != nil {
		return nil, err
	}
	s.executor, err = suite.ForRun(context.Background(), d, map[string]string{suite.ReplayParameter: replay})
	return s, err
}
