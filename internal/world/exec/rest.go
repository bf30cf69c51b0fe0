package exec

import (
	"context"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
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
	resp, err := Get(ctx, env, id, calls[0])
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
	req, err := pyval.Try(func() Request { return m.restRequest(call) })
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
	want, err := pyval.Try(func() pyval.Value { return parse(truth) })
	if err != nil {
		return refused("executable_checker_rest:cannot_get_status_code", nil,
			"Cannot get status code of the response. Error: %s", reason(err))
	}
	o, err := pyval.Try(func() Outcome { return compareShapes(parse(resp.Body), want) })
	if err != nil {
		return refused("executable_checker_rest:response_format_error", nil,
			"Error in execution and type checking. Status code: %d. Error: %s", resp.Status, reason(err))
	}
	return o
}

func compareShapes(got, want pyval.Value) Outcome {
	expected := "dict or list"
	switch want := want.(type) {
	case *pyval.Dict:
		if got, ok := got.(*pyval.Dict); ok {
			return compareKeys(got, want)
		}
		expected = "dictionary"
	case *pyval.List:
		if got, ok := got.(*pyval.List); ok {
			return compareElements(got.Items, want.Items)
		}
		expected = "list"
	}
	return refused("executable_checker_rest:wrong_type", nil, "Expected %s, but got <class '%s'>", expected, pyval.TypeName(got))
}

// compareElements compares the key sets of elements; what has no keys raises.
func compareElements(got, want []pyval.Value) Outcome {
	if len(got) != len(want) {
		return refused("value_error:exec_result_rest_count", nil, "Response list length inconsistency.")
	}
	for i := range want {
		w := sim.MustDict(want[i], "keys")
		if o := compareKeys(sim.MustDict(got[i], "keys"), w); !o.Valid {
			return o
		}
	}
	return Outcome{Valid: true}
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
