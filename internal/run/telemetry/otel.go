//go:build otel

package telemetry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/kit/version"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

func init() { open = openTracer }

// A tracer uses the official SDK, with an exporter that counts what it could
// not send.
type tracer struct {
	run      Run
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	exporter *counting
}

const (
	// waiting is how many spans may wait to be sent; any more are lost, and
	// counted.
	waiting = 1 << 16
	// longestText bounds attributes that a model or a server wrote, in bytes.
	longestText = 1000
)

func openTracer(run Run) (Tracer, error) {
	if protocol := os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"); protocol != "" && !strings.HasPrefix(protocol, "http/") {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %s: bfcl only sends http/protobuf", safe.Quote(protocol, 50))
	}
	client, err := otlptracehttp.New(context.Background())
	if err != nil {
		return nil, fmt.Errorf("-otel: %w", err)
	}
	about, err := resource.New(context.Background(), resource.WithAttributes(
		attribute.String("service.name", "bfcl"), attribute.String("service.version", version.String()),
		attribute.String("bfcl.dataset", run.Dataset),
	), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("-otel: %w", err)
	}
	exporter := &counting{SpanExporter: client}
	provider := sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithSampler(sdk.AlwaysSample()),
		sdk.WithBatcher(exporter, sdk.WithMaxQueueSize(waiting)))
	return &tracer{run: run, provider: provider, tracer: provider.Tracer("github.com/gobfcl/bfcl"), exporter: exporter}, nil
}

// Case sends a span for the case and, below it, one for the model's work. Names
// are those of the semantic conventions for generative AI, if they define one.
// Questions and answers are not sent.
func (t *tracer) Case(cat *eval.Category, c *eval.Case, trial int, began time.Time, out *engine.Outcome) {
	if out.NotRun {
		return
	}
	ended := time.Now()
	ctx, span := t.tracer.Start(context.Background(), "bfcl "+cat.Name, trace.WithTimestamp(began), trace.WithNewRoot(), trace.WithAttributes(
		attribute.String("bfcl.category", cat.Name), attribute.String("bfcl.case.id", c.ID), attribute.Int("bfcl.trial", trial+1),
		attribute.Bool("bfcl.reused", out.Reused),
	))
	t.model(ctx, began, out)
	verdict := []attribute.KeyValue{
		attribute.String("gen_ai.evaluation.name", "bfcl."+cat.Name),
		attribute.String("gen_ai.evaluation.score.label", out.Status.String()),
	}
	switch out.Status {
	case eval.Error:
		span.SetAttributes(attribute.String("error.type", out.ErrorType))
		span.SetStatus(codes.Error, out.ErrorType)
	case eval.Pass:
		verdict = append(verdict, attribute.Float64("gen_ai.evaluation.score.value", 1))
	case eval.Fail:
		verdict = append(verdict, attribute.Float64("gen_ai.evaluation.score.value", 0), attribute.String("bfcl.error_type", safe.Cut(out.ErrorType, longestText)))
	}
	span.AddEvent("gen_ai.evaluation.result", trace.WithTimestamp(ended), trace.WithAttributes(verdict...))
	span.End(trace.WithTimestamp(ended))
}

// model sends the span of the model's work, which may be a whole conversation.
func (t *tracer) model(ctx context.Context, began time.Time, out *engine.Outcome) {
	if out.Result == nil || out.Reused {
		return
	}
	_, span := t.tracer.Start(ctx, "chat "+safe.Plain(t.run.Model, 200), trace.WithTimestamp(began), trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.provider.name", t.run.Provider),
		attribute.String("gen_ai.request.model", safe.Cut(t.run.Model, longestText)),
		attribute.Int("gen_ai.usage.input_tokens", out.InputTokens), attribute.Int("gen_ai.usage.output_tokens", out.OutputTokens),
		attribute.StringSlice("bfcl.tool_calls", called(out.Decoded)),
	))
	if out.CutOff {
		span.SetAttributes(attribute.StringSlice("gen_ai.response.finish_reasons", []string{"length"}))
	}
	span.End(trace.WithTimestamp(began.Add(out.Latency)))
}

// called returns the names of the functions that were called.
func called(decoded pyval.Value) []string {
	list, ok := decoded.(*pyval.List)
	if !ok {
		return nil
	}
	var out []string
	for _, item := range list.Items {
		if call, ok := item.(*pyval.Dict); ok && len(out) < 100 {
			for name := range call.All() {
				out = append(out, safe.Cut(pyval.Text(name), longestText))
			}
		}
	}
	return out
}

// Close sends the remaining spans. The error says what was lost.
func (t *tracer) Close(ctx context.Context) error {
	err := t.provider.Shutdown(ctx)
	if n := t.exporter.lost.Load(); n > 0 {
		err = errors.Join(err, fmt.Errorf("%s not sent; the last error: %w", count.Of(int(n), "span was", "spans were"), *t.exporter.why.Load()))
	}
	return err
}

// A counting exporter counts the spans that could not be sent.
type counting struct {
	sdk.SpanExporter
	lost atomic.Int64
	why  atomic.Pointer[error]
}

// ExportSpans sends spans.
func (c *counting) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := c.SpanExporter.ExportSpans(ctx, spans)
	if err != nil {
		c.why.Store(&err)
		c.lost.Add(int64(len(spans)))
	}
	return err
}
