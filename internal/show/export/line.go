package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A line is one result, as the event gen_ai.evaluation.result of
// OpenTelemetry's semantic conventions for generative AI. Names that the
// conventions do not define begin with bfcl.
type line struct {
	Event     string `json:"event.name"`
	Operation string `json:"gen_ai.operation.name"`
	Model     string `json:"gen_ai.request.model"`
	Input     int    `json:"gen_ai.usage.input_tokens,omitempty"`
	Output    int    `json:"gen_ai.usage.output_tokens,omitempty"`
	// Duration is in seconds, as in the metric of this name.
	Duration float64 `json:"gen_ai.client.operation.duration,omitempty"`
	Metric   string  `json:"gen_ai.evaluation.name"`
	// Score is 1 or 0; nil for an infrastructure error.
	Score       *float64 `json:"gen_ai.evaluation.score.value,omitempty"`
	Label       string   `json:"gen_ai.evaluation.score.label"`
	Explanation string   `json:"gen_ai.evaluation.explanation,omitempty"`
	// Failed is what kept the model from answering.
	Failed string `json:"error.type,omitempty"`

	Run     string `json:"bfcl.run"`
	Dataset string `json:"bfcl.dataset"`
	Digest  string `json:"bfcl.dataset.digest"`
	// Origin is where the cases are from, Commit is upstream's commit. Complete
	// reports whether the run has a verdict on each case that counts. Cases of
	// the Of cases that count were run.
	Origin   string `json:"bfcl.dataset.origin,omitempty"`
	Commit   string `json:"bfcl.dataset.commit,omitempty"`
	Complete bool   `json:"bfcl.run.complete"`
	Cases    int    `json:"bfcl.run.cases"`
	Of       int    `json:"bfcl.run.cases_of"`

	Category  string `json:"bfcl.category"`
	Group     string `json:"bfcl.group"`
	ID        string `json:"bfcl.case.id"`
	Trial     int    `json:"bfcl.trial"`
	ErrorType string `json:"bfcl.error_type,omitempty"`
	// Level is how far the answer got, Kind its fault; see package
	// cause.
	Level string `json:"bfcl.level,omitempty"`
	Kind  string `json:"bfcl.kind,omitempty"`
	// Answer is the recorded answer as JSON text.
	Answer string `json:"bfcl.answer,omitempty"`
}

// Lines writes a line for each result of the runs, in the benchmark's order.
// Answers are included only if they are wanted and available.
func Lines(w io.Writer, runs []*tally.Run, answers bool) error {
	out := bufio.NewWriter(w)
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	for _, run := range runs {
		scope := run.Scope()
		for cat, result := range run.All() {
			l := newLine(run, cat, result, answers)
			l.Origin, l.Commit, l.Complete, l.Cases, l.Of = scope.Origin, scope.Commit, scope.Complete, scope.Cases, scope.Of
			if err := enc.Encode(l); err != nil {
				return err
			}
			_, _ = out.Write(say.JSON(text.Bytes())) // Flush returns the first error
			text.Reset()
		}
	}
	return out.Flush()
}

func newLine(run *tally.Run, cat *eval.Category, r *eval.Result, answers bool) line {
	l := line{
		Event: "gen_ai.evaluation.result", Operation: "chat", Model: run.Model, Metric: "bfcl." + cat.Name, Label: r.Status.String(),
		Run: run.Name, Dataset: run.Dataset, Digest: run.Digest, Category: cat.Name, Group: cat.Group,
		ID: r.Case.ID, Trial: r.Trial + 1, ErrorType: r.ErrorType, Kind: string(r.Cause.Kind),
	}
	if r.Seen {
		l.Level = r.Level.String()
	}
	l.Input, l.Output, l.Duration = r.InputTokens, r.OutputTokens, r.Latency.Seconds()
	switch r.Status {
	case eval.Error:
		l.Failed = r.ErrorType
	default:
		value := 0.0
		if r.Passed() {
			value = 1
		}
		l.Score = &value
	}
	l.Explanation = r.Reason(longestReason)
	if answers && r.Result != nil {
		if text, err := pyval.JSON(r.Result, 0); err == nil {
			l.Answer = text
		}
	}
	return l
}

// longestReason bounds a failure's text, in bytes.
const longestReason = 2000
