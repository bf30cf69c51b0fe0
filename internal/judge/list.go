package judge

import "github.com/gobfcl/bfcl/internal/python/pyval"

// listRule is upstream's list_checker: an accepted list has equal items in
// order, strings by sameText.
func listRule(param, value, accepted pyval.Value) *fault {
	lists := try(sequence(accepted)).or("possible answer for", param)
	got := try(sequence(value)).or("parameter", param)
	found := false
	for _, list := range lists {
		// Upstream reads all accepted values before it compares one.
		want := try(sequence(list)).or("possible answer for", param)
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

// dictRule is upstream's dict_checker: one of the accepted dicts must allow
// every key with its value and miss none. Its fault is the last refusal.
func dictRule(value, accepted pyval.Value) *fault {
	return anyDict(value, accepted, dictAgainst)
}

// anyDict tries the accepted dicts in turn.
func anyDict(value, accepted pyval.Value, against func(value, answer pyval.Value) *fault) *fault {
	answers := try(sequence(accepted)).or("possible answer", nil)
	var flaw *fault
	for _, answer := range answers {
		if isBlank(answer) {
			continue
		}
		if flaw = against(value, answer); flaw == nil {
			return flaw
		}
	}
	return orUnclear(flaw, "dict_checker:unclear")
}

// orUnclear returns the fault if there was nothing to compare with.
func orUnclear(flaw *fault, errorType string) *fault {
	if flaw == nil {
		return &fault{errorType: errorType}
	}
	return flaw
}

// dictAgainst compares with one accepted dict, {key: [value, ...]}. Missing
// keys are checked even after a wrong one was found.
func dictAgainst(value, answer pyval.Value) *fault {
	got, ok := value.(*pyval.Dict)
	if !ok {
		return unusable("a dict was expected, not %s", pyval.TypeName(value))
	}
	flaw := wrongEntry(got, answer)
	want, ok := answer.(*pyval.Dict)
	if !ok {
		return unusable("possible answer: a dict was expected, not %s", pyval.TypeName(answer))
	}
	if missing := missingKey(got, want); missing != nil {
		return missing.after(flaw)
	}
	return flaw
}

func wrongEntry(got *pyval.Dict, answer pyval.Value) *fault {
	for i := range got.Len() {
		key, value := got.At(i)
		known := try(pyval.Contains(answer, key)).or("possible answer", nil)
		if !known {
			return keyFault("Unexpected dict key parameter: '", key)
		}
		if flaw := wrongEntryValue(key, value, answer); flaw != nil {
			return flaw
		}
	}
	return nil
}

func wrongEntryValue(key, value, answer pyval.Value) *fault {
	accepted := try(pyval.Subscript(answer, key)).or("possible answer", nil)
	if items := try(sequence(accepted)).or("possible answer for key", key); !looselyOneOf(value, items) {
		return wrongValue("value_error:dict_value", key, value, standardized(items), "")
	}
	return nil
}

func missingKey(got, want *pyval.Dict) *fault {
	for i := range want.Len() {
		key, accepted := want.At(i)
		if _, given := got.GetNear(key, i); given {
			continue
		}
		if !try(optional(accepted)).or("possible answer for key", key) {
			return keyFault("Missing dict key parameter: '", key)
		}
	}
	return nil
}

func keyFault(text string, key pyval.Value) *fault {
	return refuse("value_error:dict_key", func() string { return text + pyval.Text(key) + "'." })
}

// listDictRule is upstream's list_dict_checker: the dicts of one accepted list
// must allow those of the value, in order. Its fault is the last refusal.
func listDictRule(value, accepted pyval.Value, dict dictChecker) *fault {
	got := try(sequence(value)).or("parameter", nil)
	answers := try(sequence(accepted)).or("possible answer", nil)
	var flaw *fault
	for _, answer := range answers {
		if flaw = dictsAgainst(got, answer, dict); flaw == nil {
			return flaw
		}
	}
	return orUnclear(flaw, "list_dict_checker:unclear")
}

func dictsAgainst(got []pyval.Value, answer pyval.Value, dict dictChecker) *fault {
	if n := try(pyval.Length(answer)).or("possible answer", nil); n != len(got) {
		return refuse("value_error:list_dict_count", func() string {
			return "Wrong number of dictionaries in the list."
		})
	}
	want := try(sequence(answer)).or("possible answer", nil)
	for i := range got {
		if flaw := dict(got[i], pyval.NewList(want[i])); flaw != nil {
			return flaw
		}
	}
	return nil
}
