// Package export writes what runs come to for those outside: score.json, score.jsonl
// and the files of lm-evaluation-harness, and comparisons, rankings and decisions, on
// a terminal and in Markdown.
package export

import (
	"bytes"
	"path/filepath"
	"time"

	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// A ScoreFile is the content of score.json, which the command writes, and the
// suite's test if it has a gate: a score with what the run took, how far its
// answers got, and where it would stand among the published models.
type ScoreFile struct {
	*score.Score
	Spend tally.Spend `json:"spend"`
	// Gateway counts answers that are not the model's; nil if they are few.
	Gateway *tally.Gateway `json:"gateway,omitempty"`
	// Agent is what an agent took; nil for a run of a model.
	Agent *score.AgentEffort `json:"agent,omitempty"`
	*tally.Findings
	// Standing is nil if the run is not a complete run of V4.
	Standing *leaderboard.Standing `json:"standing,omitempty"`
	// Trials is nil for a run with one trial per case.
	Trials *tally.Trials `json:"trials,omitempty"`
	// Whole is nil if the run is not a sample.
	Whole *tally.Whole `json:"whole,omitempty"`
	// Detectable is the smallest difference to another run's overall that is
	// found in 80% of cases; nil if nothing counts.
	Detectable *float64 `json:"detectable,omitempty"`
	// Blame says what evidence there is about the points that were lost.
	Blame *tally.Blame `json:"blame,omitempty"`
	// Audit is nil if no case of the run is listed as defective.
	Audit *tally.Audit `json:"audit,omitempty"`
	// Gate is nil for a run without a gate.
	Gate *gate.Decision `json:"gate,omitempty"`

	started time.Time
}

// ScoreOf returns the file of a run with its score.
func ScoreOf(run *tally.Run, s *score.Score) ScoreFile {
	out := ScoreFile{
		Score: s, Spend: run.Spend(), Gateway: tally.GatewayOf(run), Agent: tally.AgentOf(run), Findings: run.Findings(s.AllowErrors),
		Trials: tally.TrialsOf(run, s.AllowErrors), Whole: tally.WholeOf(run, s.AllowErrors), started: run.Started,
	}
	if a, err := run.Audit(s.AllowErrors); err == nil { // an error of the official score is already reported
		out.Audit = a
	}
	if b := run.Blame(); b.Points < 0 {
		out.Blame = b
	}
	if place, ok := leaderboard.Place(s); ok && out.Agent == nil {
		out.Standing = &place
	}
	if d, ok := s.Detectable(); ok {
		out.Detectable = &d
	}
	return out
}

// Write writes the file into a run folder atomically, and beside it a line with the
// figures for trackers of experiments. A group that lacks a part is called
// group_ran there and has the figures of what ran: those of another whole.
func (f ScoreFile) Write(dir string) error {
	var b bytes.Buffer
	if err := say.EncodeJSON(&b, f, "  "); err != nil {
		return err
	}
	if f.Score != nil { // a gate also decides on a run without a score
		figures := map[string]map[string]float64{"accuracy": {}, "low": {}, "high": {}, "cases": {}, "errors": {}}
		for _, parts := range []map[string]score.Part{f.Categories, f.Groups, {"overall": f.Overall}} {
			for name, p := range parts {
				if len(p.Missing) > 0 {
					name += "_ran"
					p.Accuracy, p.Low, p.High = p.Ran.Value, p.Ran.Low, p.Ran.High
				}
				if !p.NA {
					figures["accuracy"][name], figures["low"][name], figures["high"][name] = p.Accuracy, p.Low, p.High
					figures["cases"][name], figures["errors"][name] = float64(p.Cases), float64(p.Errors)
				}
			}
		}
		line := map[string]any{"started": f.started, "model": f.Model, "dataset": f.Dataset, "digest": f.Digest, "complete": f.Complete}
		for name, values := range figures {
			line[name] = values
		}
		var text bytes.Buffer
		if err := say.EncodeJSON(&text, line, ""); err != nil {
			return err
		}
		if err := record.WriteFile(filepath.Join(dir, tally.LineFile), text.Bytes()); err != nil {
			return err
		}
	}
	return record.WriteFile(filepath.Join(dir, tally.ScoreFile), b.Bytes())
}
