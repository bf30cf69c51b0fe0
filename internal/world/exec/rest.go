package exec

import (
	"context"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// JudgeREST carries out the one call of a REST case and compares the answer's
// shape with a stored answer, truth, the text of one line of upstream's ground
// truth. The case's id keeps recorded answers apart.
func JudgeREST(ctx context.Context, env *Env, id, truth string, decoded pyval.Value, decodeErr error) eval.Verdict {
	return verdict(CheckREST(ctx, env, id, truth, decoded, decodeErr))
}

// CheckREST is JudgeREST with all fields of upstream's result. An error is
// infrastructure's.
func CheckREST(ctx context.Context, env *Env, id, truth string, decoded pyval.Value, decodeErr error) (Outcome, error) {
	if decodeErr != nil {
		return decoderFailed(decodeErr), nil
	}
	calls, ok := texts(decoded)
	if !ok || len(calls) != 1 {
		return wrongFormat("executable_decoder:rest_wrong_output_format"), nil
	}
	return checkREST(ctx, env, id, truth, calls[0])
}

func checkREST(ctx context.Context, env *Env, id, truth, call string) (Outcome, error) {
	resp, err := Get(ctx, env, id, call)
	if raised := exception(err); raised != nil {
		return refused("executable_checker_rest:execution_error", nil, "Execution failed. %s", raised.Msg), nil
	}
	if err != nil {
		return Outcome{}, err
	}
	return compareREST(resp, truth), nil
}

// Get carries out a call of requests.get, under either of its names, and
// returns the answer. Errors are as those of Run.
func Get(ctx context.Context, env *Env, id, call string) (Response, error) {
	m := newMachine(ctx, env)
	req, err := m.restRequest(call)
	if err != nil {
		return Response{}, err
	}
	req.Case = id
	if strings.Contains(call, "https://geocode.maps.co") { // asks for at most one request in two seconds
		if err := m.sleep(2 * time.Second); err != nil {
			return Response{}, err
		}
	}
	return m.do(req)
}

// compareREST is upstream's executable_checker_rest after the request.
func compareREST(resp Response, truth string) Outcome {
	if resp.Status != 200 {
		return refused("executable_checker_rest:wrong_status_code", nil,
			"Execution result status code is not 200, got %d", resp.Status)
	}
	want, err := parseJSON(truth)
	if err != nil {
		return refused("executable_checker_rest:cannot_get_status_code", nil,
			"Cannot get status code of the response. Error: %s", reason(err))
	}
	got, err := parseJSON(resp.Body)
	if err == nil {
		var o Outcome
		if o, err = compareShapes(got, want); err == nil {
			return o
		}
	}
	return refused("executable_checker_rest:response_format_error", nil,
		"Error in execution and type checking. Status code: %d. Error: %s", resp.Status, reason(err))
}

func compareShapes(got, want pyval.Value) (Outcome, error) {
	const wrongType = "executable_checker_rest:wrong_type"
	class := "<class '" + pyval.TypeName(got) + "'>"
	switch want := want.(type) {
	case *pyval.Dict:
		if got, ok := got.(*pyval.Dict); ok {
			return compareKeys(got, want), nil
		}
		return refused(wrongType, nil, "Expected dictionary, but got %s", class), nil
	case *pyval.List:
		if got, ok := got.(*pyval.List); ok {
			return compareElements(got.Items, want.Items)
		}
		return refused(wrongType, nil, "Expected list, but got %s", class), nil
	}
	return refused(wrongType, nil, "Expected dict or list, but got %s", class), nil
}

// compareElements compares the key sets of elements; what has no keys raises.
func compareElements(got, want []pyval.Value) (Outcome, error) {
	if len(got) != len(want) {
		return refused("value_error:exec_result_rest_count", nil, "Response list length inconsistency."), nil
	}
	for i := range want {
		w, err := keyed(want[i])
		if err != nil {
			return Outcome{}, err
		}
		g, err := keyed(got[i])
		if err != nil {
			return Outcome{}, err
		}
		if o := compareKeys(g, w); !o.Valid {
			return o, nil
		}
	}
	return Outcome{Valid: true}, nil
}

func keyed(v pyval.Value) (*pyval.Dict, error) {
	d, ok := v.(*pyval.Dict)
	if !ok {
		return nil, pyval.Raise("AttributeError", "'%s' object has no attribute 'keys'", pyval.TypeName(v))
	}
	return d, nil
}

func compareKeys(got, want *pyval.Dict) Outcome {
	same := got.Len() == want.Len()
	for key := range want.All() {
		_, ok := got.Get(key)
		same = same && ok
	}
	if same {
		return Outcome{Valid: true}
	}
	return refused("executable_checker_rest:wrong_key", nil, "Key inconsistency")
}
