package execution

import (
	"fmt"
	"os"
	"strconv"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

// restID begins the ids of the checks of REST APIs; the number of the case
// follows.
const restID = "rest_"

// Probes returns a dataset's calls with known answers for checking its APIs,
// from upstream's api_status_check_ground_truth files.
func Probes(d *fixtures.Dataset) ([]exec.Probe, error) {
	functions, requests, err := d.Checks()
	if err != nil {
		return nil, err
	}
	var out []exec.Probe
	for i, row := range functions {
		p, ok := functionProbe(row)
		if !ok {
			return nil, fmt.Errorf("dataset %s: check %d of the functions needs one call, result and rule", d.Name, i+1)
		}
		out = append(out, p)
	}
	truths, err := d.RESTAnswers()
	if err != nil {
		return nil, err
	}
	for i, row := range requests {
		call, ok := row.GetStr("ground_truth")
		if !ok || i >= len(truths) {
			return nil, fmt.Errorf("dataset %s: check %d of the REST category needs a call and a stored answer", d.Name, i+1)
		}
		out = append(out, exec.Probe{ID: restID + strconv.Itoa(i), Call: pyval.Text(call), Truth: truths[i]})
	}
	return out, nil
}

func functionProbe(row *pyval.Dict) (exec.Probe, bool) {
	calls, results, rules := items(row, "ground_truth"), items(row, "execution_result"), items(row, "execution_result_type")
	if len(calls) != 1 || len(results) != 1 || len(rules) != 1 {
		return exec.Probe{}, false
	}
	id, _ := row.GetStr("idx")
	want := exec.Expected{Value: results[0], Rule: exec.Rule(pyval.Text(rules[0]))}
	return exec.Probe{ID: "executable_" + pyval.Text(orNone(id)), Call: pyval.Text(calls[0]), Want: want}, true
}

func items(row *pyval.Dict, field string) []pyval.Value {
	v, _ := row.GetStr(field)
	if l, ok := v.(*pyval.List); ok {
		return l.Items
	}
	return nil
}

func orNone(v pyval.Value) pyval.Value {
	if v == nil {
		return pyval.None
	}
	return v
}

// Calls returns the calls of a case's possible answer as texts; for a REST
// case, the call that checks its API.
func (e *Executor) Calls(c *eval.Case) ([]string, error) {
	if c.Rule != eval.REST {
		answer, err := e.answer(c)
		return answer.Calls, err
	}
	probes, err := e.probes()
	if err != nil {
		return nil, err
	}
	for _, p := range probes {
		if p.ID == restID+strconv.Itoa(c.Line-1) {
			return []string{p.Call}, nil
		}
	}
	return nil, fmt.Errorf("case %s has no check of its API", c.ID)
}

// MissingKeys returns the environment variables that are not set and that cases
// need to be executed live.
func (e *Executor) MissingKeys(cases []*eval.Case) ([]string, error) {
	var calls []string
	for _, c := range cases {
		texts, err := e.Calls(c)
		if err != nil {
			return nil, err
		}
		calls = append(calls, texts...)
	}
	return exec.MissingKeys(os.Getenv, calls...), nil
}
