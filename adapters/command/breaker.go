package command

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
)

const (
	// firstDeaths is how many deaths open the breaker of a program that has
	// never answered.
	firstDeaths = 5
	// laterDeaths is how many open that of a program that has answered: some
	// cases may be too much for it, and such cases come together.
	laterDeaths = 20
)

// A breaker stops a run whose program dies again and again before it has
// answered anything. It never closes again: the run must be resumed.
type breaker struct {
	answered atomic.Bool
	deaths   atomic.Int64 // in a row, with no answer from any process in between
	open     atomic.Pointer[transport.Error]
}

// err returns why the breaker is open, or nil.
func (b *breaker) err() error {
	if e := b.open.Load(); e != nil {
		return &eval.InfraError{Kind: e.Kind, Err: e}
	}
	return nil
}

func (b *breaker) answer() {
	b.answered.Store(true)
	b.deaths.Store(0)
}

// death counts a process that was lost before its first answer. It returns the
// error of the request: the given one, or the breaker's if that is open now.
func (b *breaker) death(last error) error {
	n, most := b.deaths.Add(1), int64(firstDeaths)
	if b.answered.Load() {
		most = laterDeaths
	}
	if n < most {
		return last
	}
	cause := last
	if infra, ok := errors.AsType[*eval.InfraError](last); ok {
		cause = infra.Err
	}
	b.open.CompareAndSwap(nil, &transport.Error{
		Kind: transport.CircuitOpen, Fatal: true,
		Message: fmt.Sprintf("the program was started %d times in a row without an answer; the last error: %v", n, cause),
		Hint:    "make sure that it runs; the same command with -resume continues the run",
	})
	return b.err()
}
