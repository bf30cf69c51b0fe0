package judge

import "github.com/gobfcl/bfcl/internal/python/pyval"

// listDictRule is upstream's list_dict_checker: the dicts of one accepted list
// must allow those of the value, in order. Its fault is the last refusal.
func listDictRule(value, accepted pyval.Value, dict dictChecker) *fault {
	got, err := sequence(value)
	if err != nil {
		return unusable("parameter: %v", err)
	}
	answers, err := sequence(accepted)
	if err != nil {
		return unusable("possible answer: %v", err)
	}
	var flaw *fault
	for _, answer := range answers {
		if flaw = dictsAgainst(got, answer, dict); flaw == nil || flaw.fatal() {
			return flaw
		}
	}
	return orUnclear(flaw, "list_dict_checker:unclear")
}

func dictsAgainst(got []pyval.Value, answer pyval.Value, dict dictChecker) *fault {
	n, err := length(answer)
	switch {
	case err != nil:
		return unusable("possible answer: %v", err)
	case n != len(got):
		return refuse("value_error:list_dict_count", func() string {
			return "Wrong number of dictionaries in the list."
		})
	}
	want, err := sequence(answer)
	if err != nil {
		return unusable("possible answer: %v", err)
	}
	for i := range got {
		if flaw := dict(got[i], pyval.NewList(want[i])); flaw != nil {
			return flaw
		}
	}
	return nil
}
