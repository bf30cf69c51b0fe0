package multiturn

import (
	"fmt"
	"slices"
)

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
