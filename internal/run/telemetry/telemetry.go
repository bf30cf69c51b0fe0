// Package telemetry sends a trace of each case to an OpenTelemetry collector.
// It needs the build tag otel; without it Open returns an error that says so.
package telemetry

import (
	"context"
	"errors"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// A Run is what all traces of a run have in common.
type Run struct {
	// Model is the model's name, Provider the adapter's, and Dataset that of the
	// dataset.
	Model, Provider, Dataset string
}

// A Tracer sends traces. It is safe for concurrent use.
type Tracer interface {
	// Case hands over the trace of one trial of a case, after it has ended. It
	// does not wait for the server.
	Case(cat *eval.Category, c *eval.Case, trial int, began time.Time, out *engine.Outcome)
	// Close sends the remaining traces, until the context ends. The error says
	// what was not sent.
	Close(ctx context.Context) error
}

// open is set in builds with OpenTelemetry.
var open func(Run) (Tracer, error)

// Open returns the tracer of a run. The environment variables that
// OpenTelemetry defines say where to send traces and with which headers, above
// all OTEL_EXPORTER_OTLP_ENDPOINT.
func Open(run Run) (Tracer, error) {
	if open == nil {
		return nil, errors.New("-otel needs a command built with OpenTelemetry: go install -tags otel github.com/gobfcl/bfcl/cmd/bfcl@latest, or go test -tags otel")
	}
	return open(run)
}

// Check returns the error that Open would return, without opening anything.
func Check() error {
	if open == nil {
		_, err := Open(Run{})
		return err
	}
	return nil
}
