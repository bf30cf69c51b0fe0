package export

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// promptfoo's codes for why a result did not pass.
const (
	promptfooPassed = iota
	promptfooRefused
	promptfooErred
)

// Promptfoo writes the runs as one evaluation of promptfoo, in version 3 of its
// results: a run is a provider, a case and trial a test with one assertion.
// promptfoo's totals give every case the same weight; they are not the
// benchmark's score.
func Promptfoo(w io.Writer, runs []*tally.Run) error {
	tests := map[string]int{}
	var prompts, results, providers []object
	all := &promptfooCounts{}
	for i, run := range runs {
		own := &promptfooCounts{}
		for cat, r := range run.All() {
			key := fmt.Sprint(r.Trial, r.Case.ID)
			if _, ok := tests[key]; !ok {
				tests[key] = len(tests)
			}
			results = append(results, promptfooResult(run, cat, r, i, tests[key]))
			own.add(r)
			all.add(r)
		}
		provider := safe.Plain(run.Name, 200)
		providers = append(providers, object{"id": provider})
		prompts = append(prompts, object{
			"id": identify(run), "raw": "{{question}}", "label": "bfcl", "provider": provider, "metrics": own.metrics(), "config": object{"scope": run.Scope()},
		})
	}
	text, err := json.Marshal(object{
		"evalId": "eval-bfcl-" + identify(runs[0]),
		"results": object{
			"version": 3, "timestamp": stamp(runs[0].Started), "prompts": prompts, "results": results,
			"stats": object{"successes": all.passed, "failures": all.failed, "errors": all.errors, "tokenUsage": all.usage()},
		},
		"config":       object{"description": "BFCL, " + safe.Plain(runs[0].Dataset, 200), "providers": providers, "prompts": []string{"{{question}}"}},
		"shareableUrl": nil,
	})
	if err != nil {
		return err
	}
	_, err = w.Write(append(safe.JSON(text), '\n'))
	return err
}

// promptfooCounts are the totals of a run.
type promptfooCounts struct {
	passed, failed, errors int
	input, output          int64
	latency, cost          float64
}

func (c *promptfooCounts) add(r *tally.Result) {
	switch r.Status {
	case eval.Pass:
		c.passed++
	case eval.Fail:
		c.failed++
	case eval.Error:
		c.errors++
	}
	c.input, c.output = c.input+tokensOf(r.InputTokens), c.output+tokensOf(r.OutputTokens)
	c.latency, c.cost = c.latency+1000*r.Latency.Float(), c.cost+r.Cost.Float()
}

func (c *promptfooCounts) usage() object {
	return object{"prompt": c.input, "completion": c.output, "total": c.input + c.output, "cached": 0, "numRequests": c.passed + c.failed + c.errors}
}

func (c *promptfooCounts) metrics() object {
	return object{
		"score": c.passed, "testPassCount": c.passed, "testFailCount": c.failed, "testErrorCount": c.errors,
		"assertPassCount": c.passed, "assertFailCount": c.failed,
		"totalLatencyMs": c.latency, "cost": c.cost, "tokenUsage": c.usage(),
		"namedScores": object{}, "namedScoresCount": object{},
	}
}

func promptfooResult(run *tally.Run, cat *eval.Category, r *tally.Result, prompt, test int) object {
	vars := object{"id": r.Case.ID, "category": cat.Name, "trial": r.Trial + 1, "question": r.Case.Question()}
	assertion := object{"type": "javascript", "metric": cat.Name, "value": "bfcl"}
	input, output := tokensOf(r.InputTokens), tokensOf(r.OutputTokens)
	use := object{"prompt": input, "completion": output, "total": input + output}
	points, why := 0, promptfooRefused
	switch r.Status {
	case eval.Pass:
		points, why = 1, promptfooPassed
	case eval.Error:
		why = promptfooErred
	case eval.Fail:
	}
	out := object{
		"id": identify(run) + "-" + r.Case.ID, "promptId": identify(run), "promptIdx": prompt, "testIdx": test,
		"testCase": object{"description": r.Case.ID, "vars": vars, "assert": []object{assertion}}, "vars": vars,
		"prompt":   object{"raw": r.Case.Question(), "label": "bfcl"},
		"provider": object{"id": safe.Plain(run.Name, 200), "label": safe.Plain(run.Name, 200)},
		"response": object{"output": answerText(r), "tokenUsage": use},
		"success":  r.Passed(), "score": points, "failureReason": why,
		"latencyMs": 1000 * r.Latency.Float(), "cost": r.Cost.Float(), "tokenUsage": use,
		"namedScores": object{cat.Name: points},
		"metadata":    object{"error_type": r.ErrorType, "kind": r.Grade.Kind, "possible_answer": wanted(r.Case)},
	}
	if r.Status == eval.Error {
		out["error"] = r.ErrorType + ": " + explanation(r)
		out["namedScores"] = object{}
		return out
	}
	reason := "accepted"
	if !r.Passed() {
		out["error"] = explanation(r)
		reason = r.ErrorType + ": " + explanation(r)
	}
	grade := object{"pass": r.Passed(), "score": points, "reason": reason}
	whole := object{"assertion": assertion}
	for name, value := range grade {
		whole[name] = value
	}
	grade["componentResults"] = []object{whole}
	out["gradingResult"] = grade
	return out
}
