//go:build otel

package run_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/telemetry"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// A sink receives traces as a collector does, by OTLP over HTTP.
type sink struct {
	mu    sync.Mutex
	spans []*trace.Span
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var req collector.ExportTraceServiceRequest
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &req) != nil {
		http.Error(w, "no traces", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range req.ResourceSpans {
		for _, scope := range of.ScopeSpans {
			s.spans = append(s.spans, scope.Spans...)
		}
	}
	out, _ := proto.Marshal(&collector.ExportTraceServiceResponse{})
	w.Header().Set("Content-Type", "application/x-protobuf")
	_, _ = w.Write(out)
}

func text(attributes []*common.KeyValue, key string) string {
	for _, a := range attributes {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

func TestTelemetryTraces(t *testing.T) {
	var got sink
	server := httptest.NewServer(&got)
	defer server.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	tracer, err := telemetry.Open(telemetry.Run{Model: "m", Provider: "openai", Dataset: "starter"})
	require.NoError(t, err)
	cat := &eval.Category{Name: "simple_python"}
	call := pyval.NewDict(1)
	call.SetStr("f", pyval.NewDict(0))
	began := time.Now().Add(-time.Second)
	answered := engine.Outcome{Result: pyval.Str("x"), Decoded: &pyval.List{Items: []pyval.Value{call}}, InputTokens: 7, OutputTokens: 3, Latency: time.Second / 2}
	for i := range 5 {
		out := answered
		switch i {
		case 1:
			out.Status, out.ErrorType = eval.Fail, "value_error:string"
		case 2:
			out = engine.Outcome{Err: errors.New("gone")}
			out.Status, out.ErrorType = eval.Error, "infrastructure:timeout"
		case 3:
			out.Reused = true
		case 4:
			out.NotRun = true
		}
		tracer.Case(cat, &eval.Case{ID: "simple_python_" + string(rune('0'+i))}, 0, began, &out)
	}
	require.NoError(t, tracer.Close(t.Context()))
	roots, chats := map[string]*trace.Span{}, 0
	traces := map[string]bool{}
	for _, span := range got.spans {
		traces[string(span.TraceId)] = true
		if len(span.ParentSpanId) == 0 {
			roots[text(span.Attributes, "bfcl.case.id")] = span
			continue
		}
		chats++
		assert.Equal(t, "chat m", span.Name)
		assert.Equal(t, "m", text(span.Attributes, "gen_ai.request.model"))
		assert.Equal(t, "openai", text(span.Attributes, "gen_ai.provider.name"))
		assert.InDelta(t, 5e8, span.EndTimeUnixNano-span.StartTimeUnixNano, 1)
		i := slices.IndexFunc(span.Attributes, func(a *common.KeyValue) bool { return a.Key == "gen_ai.usage.input_tokens" })
		assert.EqualValues(t, 7, span.Attributes[i].Value.GetIntValue())
	}
	require.Len(t, roots, 4, "what was not run has no trace")
	assert.Len(t, traces, 4, "a trace a case")
	assert.Equal(t, 2, chats, "an error and a recorded answer asked nobody")
	for id, label := range map[string]string{"simple_python_0": "pass", "simple_python_1": "fail", "simple_python_2": "error", "simple_python_3": "pass"} {
		require.Len(t, roots[id].Events, 1, id)
		assert.Equal(t, label, text(roots[id].Events[0].Attributes, "gen_ai.evaluation.score.label"), id)
	}
	assert.Equal(t, "infrastructure:timeout", text(roots["simple_python_2"].Attributes, "error.type"))
	assert.Equal(t, trace.Status_STATUS_CODE_ERROR, roots["simple_python_2"].Status.Code)
}

// TestTelemetryCollectorGone: without a collector, lost traces are counted and
// the run does not hang.
func TestTelemetryCollectorGone(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	tracer, err := telemetry.Open(telemetry.Run{Model: "m"})
	require.NoError(t, err)
	tracer.Case(&eval.Category{Name: "multiple"}, &eval.Case{ID: "multiple_0"}, 0, time.Now(), &engine.Outcome{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	assert.ErrorContains(t, tracer.Close(ctx), "1 span was not sent")
}

func TestTelemetryProtocol(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
	_, err := telemetry.Open(telemetry.Run{})
	assert.ErrorContains(t, err, "only sends http/protobuf")
}
