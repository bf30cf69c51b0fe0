package suite

import (
	"context"
	"slices"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/record"
)

// An asker asks the adapter, and hears which model the server says it is. Equal
// requests that are in flight are shared where the user says so, but not by
// conversations, which would go on alike.
type asker struct {
	eval.Adapter
	share  bool
	served *served
}

// AnswersWhole returns the adapter's.
func (a asker) AnswersWhole() bool { return eval.AnswersWhole(a.Adapter) }

// Generate asks once.
func (a asker) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	joined := func() bool { return false }
	if a.share && !req.Conversation {
		ctx, joined = transport.WithSharing(ctx)
	}
	resp, err := a.Adapter.Generate(ctx, req)
	if err == nil && resp != nil {
		resp.Shared = joined()
		a.served.hear(resp.Served)
	}
	return resp, err
}

// A served collects the names of the models that answer.
type served struct {
	mu    sync.Mutex
	names []string
	// fresh is told of a name that was not there, with all of them.
	fresh func(names []string)
}

func (s *served) hear(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	more := false
	for _, name := range names {
		at, known := slices.BinarySearch(s.names, name)
		if name == "" || known || len(s.names) >= record.MostServed {
			continue
		}
		s.names, more = slices.Insert(s.names, at, name), true
	}
	if more && s.fresh != nil {
		s.fresh(slices.Clone(s.names))
	}
}

func (s *served) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.names)
}

// stateServed writes down at once which models answer, so that a kill does not
// lose it. Where nothing can be written the answers cannot either, which ends
// the run.
func (s *Suite) stateServed(names []string) {
	run := *s.Run
	run.Served = names
	_ = record.WriteRun(s.Dir, &run)
}
