package calllog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The attributes of OpenTelemetry's conventions for generative AI that hold
// what a model was asked and what it answered.
const (
	inputKey       = "gen_ai.input.messages"
	outputKey      = "gen_ai.output.messages"
	systemKey      = "gen_ai.system_instructions"
	definitionsKey = "gen_ai.tool.definitions"
	operationKey   = "gen_ai.operation.name"
)

// inferences are the operations that are model calls. Others, such as an
// agent's whole work or the run of a tool, have the model calls as spans below
// them.
var inferences = []string{"chat", "generate_content", "text_completion"}

func isExport(row *pyval.Dict) bool { return row.Has("resourceSpans") || row.Has("resource_spans") }

// export takes the exchanges of an export in OTLP's JSON.
func (l *Log) export(text string) error {
	var all trace.TracesData
	lenient := protojson.UnmarshalOptions{DiscardUnknown: true}
	if err := lenient.Unmarshal([]byte(text), &all); err != nil {
		return fmt.Errorf("not an export in OTLP's JSON: %w", err)
	}
	n := 0
	for _, resource := range all.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				n++
				l.span(s, fmt.Sprintf("span %d", n))
			}
		}
	}
	if n == 0 {
		return errors.New("the export holds no spans")
	}
	return nil
}

// span takes a span that is a model call, with what its events say, and counts
// other spans.
func (l *Log) span(s *trace.Span, at string) {
	said := dict(s.GetAttributes())
	for _, event := range s.GetEvents() {
		for key, v := range dict(event.GetAttributes()).All() {
			said.SetStr(pyval.Text(key), v)
		}
	}
	operation := str(said, operationKey)
	if !slices.Contains(inferences, operation) && (operation != "" || !said.Has(inputKey)) {
		l.Other++
		return
	}
	e := exchange{format: OTel}
	err := e.readSpan(s, said)
	if err == nil {
		err = l.take(&e, at)
	}
	if err != nil {
		l.skip(at, err)
	}
}

// dict returns OTLP's list of keys and values as a dict.
func dict(pairs []*common.KeyValue) *pyval.Dict {
	out := pyval.NewDict(len(pairs))
	for _, pair := range pairs {
		out.SetStr(pair.GetKey(), value(pair.GetValue()))
	}
	return out
}

func value(v *common.AnyValue) pyval.Value {
	switch v := v.GetValue().(type) {
	case *common.AnyValue_StringValue:
		return pyval.Str(v.StringValue)
	case *common.AnyValue_BoolValue:
		return pyval.Bool(v.BoolValue)
	case *common.AnyValue_IntValue:
		return pyval.MakeInt(v.IntValue)
	case *common.AnyValue_DoubleValue:
		return pyval.Float(v.DoubleValue)
	case *common.AnyValue_ArrayValue:
		out := pyval.NewList()
		for _, item := range v.ArrayValue.GetValues() {
			out.Items = append(out.Items, value(item))
		}
		return out
	case *common.AnyValue_KvlistValue:
		return dict(v.KvlistValue.GetValues())
	}
	return pyval.None
}

// readSpan reads the span of a model call.
func (e *exchange) readSpan(s *trace.Span, said *pyval.Dict) error {
	switch {
	case s.GetStatus().GetCode() == trace.Status_STATUS_CODE_ERROR || get(said, "error.type") != nil:
		return errors.New("the response is an error")
	case s.GetDroppedAttributesCount() > 0:
		return fmt.Errorf("the span lost %d attributes to a limit, perhaps messages or tools: raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", s.GetDroppedAttributesCount())
	}
	input, err := structured(said, inputKey)
	if err != nil {
		return err
	}
	output, err := structured(said, outputKey)
	if err != nil {
		return err
	}
	if input == nil || output == nil {
		return fmt.Errorf("the span lacks %s or %s: record message contents by the conventions of 1.37 or later", inputKey, outputKey)
	}
	system, err := structured(said, systemKey)
	if err != nil {
		return err
	}
	if system != nil {
		if err := e.otelMessage(pyval.Object("role", pyval.Str("system"), "parts", pyval.NewList(system...))); err != nil {
			return fmt.Errorf("%s: %w", systemKey, err)
		}
	}
	for i, item := range input {
		if err := e.otelMessage(asDict(item)); err != nil {
			return fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	e.calls = nil // of the messages
	if e.tools, err = structured(said, definitionsKey); err != nil {
		return err
	}
	e.calls, err = otelAnswer(output, said)
	return err
}

// structured returns an attribute's list, which may be written as a text of
// JSON.
func structured(attributes *pyval.Dict, key string) ([]pyval.Value, error) {
	v := get(attributes, key)
	if text, ok := v.(pyval.Str); ok {
		parsed, err := pyval.ParseJSON(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s is not JSON; was it cut at an attribute length limit? %w", key, err)
		}
		v = parsed
	}
	switch v := v.(type) {
	case nil, pyval.NoneType:
		return nil, nil
	case *pyval.List:
		return append([]pyval.Value{}, v.Items...), nil
	}
	return nil, fmt.Errorf("%s is not a list", key)
}

// otelMessage adds a message made of parts: its text with its calls, and one
// message more for each result.
func (e *exchange) otelMessage(m *pyval.Dict) error {
	who, err := role(str(m, "role"))
	if err != nil {
		return err
	}
	var said []string
	var calls []call
	results := 0
	for i, item := range list(m, "parts") {
		part := asDict(item)
		switch typ := str(part, "type"); typ {
		case "text":
			said = append(said, str(part, "content"))
		case "reasoning":
		case "tool_call":
			c, err := newCall(str(part, "id"), str(part, "name"), get(part, "arguments"))
			if err != nil {
				return fmt.Errorf("part %d: %w", i+1, err)
			}
			calls = append(calls, c)
		case "tool_call_response":
			result := str(part, "response")
			if v := get(part, "response"); v != nil && v.Kind() != pyval.KindStr {
				result, _ = pyval.JSON(v, pyval.JSONUnicode) // it comes from JSON
			}
			e.result(str(part, "id"), result)
			results++
		case "blob", "file", "uri":
			return errMore
		default:
			return fmt.Errorf("part %d is of type %.40q, but a suite can hold only text and function calls", i+1, typ)
		}
	}
	e.calls = append(e.calls, calls...)
	switch {
	case results > 0 && said == nil && calls == nil:
		return nil
	case said == nil && calls == nil && list(m, "parts") == nil:
		return errors.New("it has no parts")
	}
	e.say(who, strings.Join(said, "\n"), calls)
	return nil
}

// otelAnswer returns the calls of the output's first message.
func otelAnswer(output []pyval.Value, attributes *pyval.Dict) ([]call, error) {
	if len(output) == 0 {
		return nil, errors.New("the response has no message")
	}
	m := asDict(output[0])
	reasons := []string{str(m, "finish_reason")}
	if given := list(attributes, "gen_ai.response.finish_reasons"); len(given) > 0 {
		reasons = append(reasons, pyval.Text(given[0]))
	}
	for _, reason := range reasons {
		if slices.Contains(unfinished, reason) {
			return nil, cutShort(reason)
		}
	}
	answer := exchange{}
	if err := answer.otelMessage(m); err != nil {
		return nil, fmt.Errorf("the response: %w", err)
	}
	return answer.calls, nil
}
