package export

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/kit/version"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// An object is a JSON object whose keys are written in alphabetical order.
type object = map[string]any

// Inspect returns each run as a log of Inspect, in version 2 of its JSON
// format. The results have the benchmark's overall, if the run has one, and
// each category's accuracy, as shares; a sample is a case and trial. What the
// format requires but a run does not know is empty: there are no events.
func Inspect(runs []*tally.Run, allowErrors bool) ([]leaderboard.File, error) {
	out := make([]leaderboard.File, 0, len(runs))
	for _, run := range runs {
		s, err := run.Score(allowErrors)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", safe.Plain(run.Name, 200), err)
		}
		text, err := json.Marshal(inspectLog(run, s))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", safe.Plain(run.Name, 200), err)
		}
		id := identify(run)
		name := run.Started.UTC().Format("2006-01-02T15-04-05-07-00") + "_bfcl-" + fileWord(run.Dataset) + "_" + id + ".json"
		out = append(out, leaderboard.File{Name: strings.ReplaceAll(name, "Z", "+00-00"), Text: string(safe.JSON(text))})
	}
	return out, nil
}

// fileWord is the end of a name as letters, digits and dashes.
func fileWord(name string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, safe.Cut(name, 60))
}

func inspectLog(run *tally.Run, s *score.Score) object {
	samples, usage, completed := []object{}, object{}, 0
	input, output := int64(0), int64(0)
	for cat, r := range run.All() {
		samples = append(samples, inspectSample(run, cat, r))
		if r.Status != eval.Error {
			completed++
		}
		input, output = input+tokensOf(r.InputTokens), output+tokensOf(r.OutputTokens)
	}
	if input+output > 0 {
		usage[run.Model] = tokens(input, output)
	}
	began := stamp(run.Started)
	return object{
		"version": 2, "status": "success", "invalidated": false, "tags": []string{}, "metadata": object{},
		"eval": object{
			"eval_id": identify(run), "run_id": identify(run), "created": began,
			"task": "bfcl/" + fileWord(run.Dataset), "task_id": identify(run), "task_version": 0,
			"task_attribs": object{}, "task_args": object{}, "task_args_passed": object{},
			"dataset": object{"name": run.Dataset, "samples": len(samples) / max(1, run.Trials), "shuffled": false},
			"model":   run.Model, "model_generate_config": object{}, "model_args": object{},
			"config":   object{"epochs": run.Trials},
			"packages": object{"bfcl": version.String()},
			"metadata": object{"dataset_digest": run.Digest, "scope": run.Scope(), "mode": run.Mode},
		},
		"plan":    object{"name": "bfcl", "steps": []object{}, "config": object{}},
		"results": object{"total_samples": len(samples), "completed_samples": completed, "scores": []object{inspectScore(s)}},
		"stats": object{
			"started_at": began, "completed_at": "", "model_usage": usage,
			"role_usage": object{}, "connection_limit_history": []object{},
		},
		"samples": samples,
	}
}

// inspectScore has a metric for the overall, if it is the benchmark's, and one
// for each category.
func inspectScore(s *score.Score) object {
	metrics := object{}
	add := func(name string, p score.Part) {
		if !p.NA {
			metrics[name] = object{"name": name, "value": p.Accuracy, "params": object{}}
		}
	}
	if s.Overall.Complete() {
		add("overall", s.Overall)
	}
	for name, part := range s.Categories {
		add(name, part)
	}
	return object{"name": "bfcl", "scorer": "bfcl", "params": object{}, "metrics": metrics}
}

func inspectSample(run *tally.Run, cat *eval.Category, r *tally.Result) object {
	answer := answerText(r)
	reply := message{"assistant", answer}
	input, output := tokensOf(r.InputTokens), tokensOf(r.OutputTokens)
	reason := "stop"
	if r.CutOff {
		reason = "max_tokens"
	}
	out := object{
		"id": r.Case.ID, "epoch": r.Trial + 1, "input": question(r.Case), "target": wanted(r.Case),
		"messages": append(question(r.Case), reply),
		"output": object{
			"model": run.Model, "completion": answer,
			"choices": []object{{"message": reply, "stop_reason": reason}},
			"usage":   tokens(input, output), "time": seconds(r.Latency),
		},
		"metadata": object{"category": cat.Name, "group": cat.Group, "note": r.Note},
		"store":    object{}, "events": []object{}, "attachments": object{},
		"model_usage": object{run.Model: tokens(input, output)}, "role_usage": object{},
		"total_time": seconds(r.Latency),
	}
	if r.Status == eval.Error {
		out["error"] = object{"message": r.ErrorType + ": " + explanation(r), "traceback": "", "traceback_ansi": ""}
		return out
	}
	value := "I"
	if r.Passed() {
		value = "C"
	}
	out["scores"] = object{"bfcl": object{
		"value": value, "answer": answer, "explanation": explanation(r), "history": []object{},
		"metadata": object{"error_type": r.ErrorType, "kind": r.Grade.Kind},
	}}
	return out
}

func tokens(input, output int64) object {
	return object{"input_tokens": input, "output_tokens": output, "total_tokens": input + output}
}

func tokensOf(f tally.Figure) int64 { return int64(f.Float()) }

// stamp is a time as the format writes it, "" if it is not known.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
