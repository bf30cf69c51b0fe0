package suite

import (
	"context"
	"time"

	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/run/telemetry"
)

// traceGrace is how long the last traces may take to be sent after the end of
// the run.
const traceGrace = 10 * time.Second

// openTracer makes the engine hand over a trace of each case, with -otel.
func (s *Suite) openTracer() error {
	if !s.options.OTel {
		return nil
	}
	tracer, err := telemetry.Open(telemetry.Run{Model: s.Run.Model, Provider: s.model.kind.Name, Dataset: s.Run.Dataset})
	if err != nil {
		return err
	}
	s.tracer, s.Engine.Observe = tracer, tracer.Case
	return nil
}

// closeTracer sends the remaining traces. If some cannot be sent, run.json says
// so, but the run counts all the same.
func (s *Suite) closeTracer() {
	if s.tracer == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), traceGrace)
	defer cancel()
	if err := s.tracer.Close(ctx); err != nil {
		s.Run.Untraced = safe.Plain(err.Error(), 500)
	}
	s.tracer = nil
}
