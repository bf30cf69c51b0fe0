package record

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Fields of a line that are our own: upstream's lines do not have them, and its
// evaluator ignores them.
const (
	cutOffField    = "cut_off"        // the token limit ended the answer
	malformedField = "malformed_call" // the server could not read the answer's calls
	finishField    = "finish"         // how the answer ended: see eval.Response
	costField      = "cost"           // of the answer's requests: an eval.Money
	effortField    = "agent"          // what an agent took for the answer
)

// Line returns an answer as a line of a result file, newline included. The mark
// names its run, see Run.Mark.
func Line(id string, resp *eval.Response, mark string) ([]byte, error) {
	row := pyval.NewDict(8)
	row.SetStr("id", pyval.Str(id))
	row.SetStr("result", resp.Result)
	if resp.Talk != nil {
		setTalk(row, resp.Talk)
	} else {
		row.SetStr("input_token_count", count(resp.InputTokens))
		row.SetStr("output_token_count", count(resp.OutputTokens))
		row.SetStr("latency", seconds(resp.Latency))
		if resp.TTFT > 0 {
			row.SetStr("ttft", seconds(resp.TTFT))
		}
		if resp.Reasoning != "" {
			row.SetStr("reasoning_content", pyval.Str(resp.Reasoning))
		}
	}
	if resp.CutOff {
		row.SetStr(cutOffField, pyval.Bool(true))
	}
	if resp.Malformed {
		row.SetStr(malformedField, pyval.Bool(true))
	}
	if resp.Finish != "" {
		row.SetStr(finishField, pyval.Str(resp.Finish))
	}
	if resp.Effort != nil {
		row.SetStr(effortField, effortValue(resp.Effort))
	}
	if resp.Cost.Requests > 0 && resp.Effort == nil {
		m := resp.Cost
		row.SetStr(costField, pyval.Object("dollars", pyval.Float(m.Dollars), "requests", count(m.Requests), "unknown", count(m.Unknown)))
	}
	if mark != "" {
		row.SetStr(runField, pyval.Str(mark))
	}
	line, err := pyval.AppendJSON(nil, row, 0)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", id, err)
	}
	return append(line, '\n'), nil
}

// setTalk writes the numbers of a conversation as upstream does: each field is
// a list of turns, and each turn a list of steps.
func setTalk(row *pyval.Dict, talk *eval.Talk) {
	row.SetStr("input_token_count", nested(talk.InputTokens, count))
	row.SetStr("output_token_count", nested(talk.OutputTokens, count))
	row.SetStr("latency", nested(talk.Latency, seconds))
	if eval.MeanTTFT(talk.TTFT) > 0 {
		row.SetStr("ttft", nested(talk.TTFT, seconds))
	}
	if talk.Log != nil {
		row.SetStr("inference_log", talk.Log)
	}
	for _, turn := range talk.Reasoning {
		for _, step := range turn {
			if step != "" {
				row.SetStr("reasoning_content", nested(talk.Reasoning, func(s string) pyval.Value { return pyval.Str(s) }))
				return
			}
		}
	}
}

func nested[T any](turns [][]T, value func(T) pyval.Value) *pyval.List {
	out := &pyval.List{Items: make([]pyval.Value, len(turns))}
	for i, turn := range turns {
		steps := &pyval.List{Items: make([]pyval.Value, len(turn))}
		for k, step := range turn {
			steps.Items[k] = value(step)
		}
		out.Items[i] = steps
	}
	return out
}

func count(n int) pyval.Value { return pyval.MakeInt(int64(n)) }

func seconds(d time.Duration) pyval.Value { return pyval.Float(d.Seconds()) }

// effortNames are the names of an effort's numbers, in the order of effortNumbers.
var effortNames = []string{"steps", "calls", "failed", "recovered", "redundant", "wrong_tools", "late"}

func effortNumbers(e *eval.Effort) []*int {
	return []*int{&e.Steps, &e.Calls, &e.Failed, &e.Recovered, &e.Redundant, &e.WrongTools, &e.Late}
}

func effortValue(e *eval.Effort) *pyval.Dict {
	d := pyval.NewDict(10)
	for i, n := range effortNumbers(e) {
		d.SetStr(effortNames[i], count(*n))
	}
	if e.Exceeded {
		d.SetStr("exceeded", pyval.Bool(true))
	}
	d.SetStr("wall", seconds(e.Wall))
	if e.Cost > 0 {
		d.SetStr("cost", pyval.Float(e.Cost))
	}
	return d
}

// effort returns what an agent took for the line's answer; nil for models. A
// value that is not a number counts as 0.
func (r Row) effort() *eval.Effort {
	if r.Entry == nil {
		return nil
	}
	v, _ := r.Entry.GetStr(effortField)
	d, _ := v.(*pyval.Dict)
	if d == nil {
		return nil
	}
	e := &eval.Effort{Wall: duration(figure(d, "wall")), Cost: figure(d, "cost")}
	for i, n := range effortNumbers(e) {
		*n = int(figure(d, effortNames[i]))
	}
	exceeded, _ := d.GetStr("exceeded")
	e.Exceeded = exceeded == pyval.Bool(true)
	return e
}

// byteOrderMark is the mark that editors and PowerShell put before UTF-8.
const byteOrderMark = "\uFEFF"

// UTF8 returns an error if the beginning of a file is UTF-16, which PowerShell's >
// writes.
func UTF8(head string) error {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if strings.HasPrefix(head, mark) {
			return errUTF16
		}
	}
	if len(head) > 1 && (head[0] == 0) != (head[1] == 0) {
		return errUTF16
	}
	return nil
}

var errUTF16 = errors.New("the file is in UTF-16, as PowerShell's > writes it; save it in UTF-8 (Set-Content -Encoding utf8)")
