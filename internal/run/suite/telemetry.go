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

// openTracer returns what sends a trace of each case; nil without -otel.
func (p *Plan) openTracer() (telemetry.Tracer, error) {
	if !p.options.OTel {
		return nil, nil
	}
	return telemetry.Open(telemetry.Run{Model: p.Run.Model, Provider: p.model.kind.Name, Dataset: p.Run.Dataset})
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
		s.Plan.Run.Untraced = safe.Plain(err.Error(), 500)
	}
	s.tracer = nil
}
