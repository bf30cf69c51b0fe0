package multiturn

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// Turns are decoded turns: the steps of every turn, and the calls of every
// step.
type Turns [][][]string

// Value returns the turns in the form that upstream writes into score files.
func (t Turns) Value() *pyval.List {
	out := &pyval.List{Items: make([]pyval.Value, len(t))}
	for i, turn := range t {
		steps := &pyval.List{Items: make([]pyval.Value, len(turn))}
		for k, step := range turn {
			steps.Items[k] = pyval.Texts(step)
		}
		out.Items[i] = steps
	}
	return out
}

// Execute reads the call texts of one step: upstream's decode_execute.
func Execute(step pyval.Value, s eval.Settings) ([]string, error) {
	d, err := dialect.OfStep(s)
	if err != nil {
		return nil, err
	}
	return d.Execute(step, dialect.V4(decode.Python))
}

// IsEmpty is upstream's is_empty_execute_response: a step without a call.
func IsEmpty(calls []string) bool {
	return len(calls) == 0 || len(calls) == 1 && calls[0] == ""
}

// Decode reads the calls of a whole result. Steps without calls, and those that
// cannot be decoded, are left out, as in upstream's evaluator.
func Decode(result pyval.Value, s eval.Settings) (Turns, error) {
	list, ok := result.(*pyval.List)
	if !ok {
		return nil, fmt.Errorf("expected a list of turns, the result is %s", pyval.ATypeName(result))
	}
	turns, err := decodeTurns(list, s)
	return turns.Called(), err
}

// Called returns the turns without the steps that have no calls.
func (t Turns) Called() Turns {
	out := make(Turns, len(t))
	for i, steps := range t {
		out[i] = make([][]string, 0, len(steps))
		for _, calls := range steps {
			if calls != nil {
				out[i] = append(out[i], calls)
			}
		}
	}
	return out
}

func decodeTurns(result *pyval.List, s eval.Settings) (Turns, error) {
	turns := make(Turns, len(result.Items))
	for i, turn := range result.Items {
		steps, err := stepsOf(turn)
		if err != nil {
			return nil, fmt.Errorf("turn %d: %w", i+1, err)
		}
		turns[i] = decodeSteps(steps, s)
	}
	return turns, nil
}

func decodeSteps(steps []pyval.Value, s eval.Settings) [][]string {
	out := make([][]string, len(steps))
	for i, step := range steps {
		if calls, err := Execute(step, s); err == nil && !IsEmpty(calls) {
			out[i] = calls
		}
	}
	return out
}

// stepsOf returns what Python's for loop iterates over. Of a text that is its
// characters, none of which can be a call.
func stepsOf(turn pyval.Value) ([]pyval.Value, error) {
	switch turn := turn.(type) {
	case *pyval.List:
		return turn.Items, nil
	case *pyval.Dict:
		return turn.Keys(), nil
	case pyval.Str:
		return nil, nil
	}
	return nil, fmt.Errorf("expected a list of steps, got %s", pyval.ATypeName(turn))
}

// compareResponses is upstream's response_checker: every result of the
// reference's turn must be among the model's of all turns so far. Each of the
// model's counts once in a turn, and again in the next.
func (k *checker) compareResponses(turn int) *Fault {
	missing := missing(k.done[turn].Reference, k.pool)
	if missing == nil {
		return nil
	}
	return &Fault{
		Type: ResponseMismatch, Turn: turn, Executed: k.done, Missing: missing, pool: k.pool,
		Message: fmt.Sprintf("Model response execution results so far does not contain all the ground truth response execution results for turn %d.", turn),
	}
}

// missing returns the wanted texts that are not in the pool: upstream's
// _is_subsequence_unordered.
func missing(wanted, pool []string) []string {
	var out []string
	used := make([]int, 0, 8)
	for _, text := range wanted {
		at := unused(pool, text, used)
		if at < 0 {
			out = append(out, text)
			continue
		}
		used = append(used, at)
	}
	return out
}

func unused(pool []string, text string, used []int) int {
	for i, have := range pool {
		if have == text && !slices.Contains(used, i) {
			return i
		}
	}
	return -1
}
