// Package telemetry sends a trace of each case to an OpenTelemetry collector.
// It is in builds with the tag otel; in others Open says so.
package telemetry

import (
	"context"
	"errors"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// A Run is what all traces of a run state.
type Run struct {
	// Model and Dataset are what is asked and of what; Provider is the adapter's
	// name.
	Model, Provider, Dataset string
}

// A Tracer sends traces. It is safe for concurrent use.
type Tracer interface {
	// Case hands over the trace of one trial of a case that has ended. It does
	// not wait for a server.
	Case(cat *eval.Category, c *eval.Case, trial int, began time.Time, out *engine.Outcome)
	// Close sends what is left, until the context ends. Its error says what was
	// not sent.
	Close(ctx context.Context) error
}

// open is set where OpenTelemetry is built in.
var open func(Run) (Tracer, error)

// Open makes the tracer of a run. Where to send and with which headers, the
// variables that OpenTelemetry defines say, OTEL_EXPORTER_OTLP_ENDPOINT above
// all.
func Open(run Run) (Tracer, error) {
	if open == nil {
		return nil, errors.New("-otel needs a command with OpenTelemetry in it: go install -tags otel github.com/gobfcl/bfcl/cmd/bfcl@latest, or go test -tags otel")
	}
	return open(run)
}

// Check reports what keeps Open from working, without opening anything.
func Check() error {
	if open == nil {
		_, err := Open(Run{})
		return err
	}
	return nil
}
