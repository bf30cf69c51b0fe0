package judge

import "github.com/gobfcl/bfcl/internal/python/pyval"

// listRule is upstream's list_checker: an accepted list has equal items in
// order, strings by sameText.
func listRule(param, value, accepted pyval.Value) *fault {
	lists, err := sequence(accepted)
	if err != nil {
		return unusable("possible answer for %s: %v", pyval.Repr(param), err)
	}
	got, err := sequence(value)
	if err != nil {
		return unusable("parameter %s: %v", pyval.Repr(param), err)
	}
	found := false
	for _, list := range lists {
		// Upstream reads all accepted values before it compares one.
		want, err := sequence(list)
		if err != nil {
			return unusable("possible answer for %s: %v", pyval.Repr(param), err)
		}
		found = found || sameItems(got, want)
	}
	if !found {
		return wrongValue("value_error:list/tuple", param, value, accepted, "")
	}
	return nil
}

func sameItems(got, want []pyval.Value) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if !looselyEqual(got[i], want[i]) {
			return false
		}
	}
	return true
}
