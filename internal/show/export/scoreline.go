package export

import (
	"bytes"
	"path/filepath"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// figures are those of each part of a score, in the line for trackers.
var figures = map[string]func(score.Part) float64{
	"accuracy": func(p score.Part) float64 { return p.Accuracy },
	"low":      func(p score.Part) float64 { return p.Low },
	"high":     func(p score.Part) float64 { return p.High },
	"cases":    func(p score.Part) float64 { return float64(p.Cases) },
	"errors":   func(p score.Part) float64 { return float64(p.Errors) },
}

// parts returns the scored categories, groups and the overall. A group that
// lacks a part is called group_ran and has the figures of what ran: those of
// another whole.
func (f ScoreFile) parts() map[string]score.Part {
	all := map[string]score.Part{}
	for _, parts := range []map[string]score.Part{f.Categories, f.Groups, {"overall": f.Overall}} {
		for name, p := range parts {
			if len(p.Missing) > 0 {
				name += "_ran"
				p.Accuracy, p.Low, p.High = p.Ran.Value, p.Ran.Low, p.Ran.High
			}
			if !p.NA {
				all[name] = p
			}
		}
	}
	return all
}

// writeLine writes the figures into a run folder as a line of JSON, for trackers of
// experiments.
func (f ScoreFile) writeLine(dir string) error {
	line := map[string]any{"started": f.started, "model": f.Model, "dataset": f.Dataset, "digest": f.Digest, "complete": f.Complete}
	for name, of := range figures {
		values := map[string]float64{}
		for part, p := range f.parts() {
			values[part] = of(p)
		}
		line[name] = values
	}
	var text bytes.Buffer
	if err := say.EncodeJSON(&text, line, ""); err != nil {
		return err
	}
	return record.WriteFile(filepath.Join(dir, tally.LineFile), text.Bytes())
}
