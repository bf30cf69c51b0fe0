package judge

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// The releases of upstream's checker differ in few rules; all else is shared.
// V1, of August 2024, lets a call have several names, wants a dict to have as
// many keys as the accepted one, and matches multiple-function cases like
// parallel ones. Its possible answers name a function by a key that only has to
// contain the function's name.

// isCalls is upstream's is_function_calling_format_output of the release.
func (o *Options) isCalls(list *pyval.List) bool {
	if o.Release == eval.V4 {
		return decode.IsCalls(list)
	}
	return isCallsV1(list)
}

func isCallsV1(list *pyval.List) bool {
	return !slices.ContainsFunc(list.Items, func(item pyval.Value) bool {
		_, ok := item.(*pyval.Dict)
		return !ok
	})
}

// A dictChecker compares a dict with accepted ones.
type dictChecker func(value, accepted pyval.Value) *fault

func (o *Options) dictRule() dictChecker {
	if o.Release == eval.V1 {
		return dictRuleV1
	}
	return dictRule
}

// describe returns the document of the function that a possible answer is for.
func (o *Options) describe(docs []*pyval.Dict, answer pyval.Value) (*pyval.Dict, *fault) {
	if o.Release == eval.V1 {
		return describeV1(docs, answer)
	}
	return try(describe(docs, answer)).or("", nil), nil
}

// called finds the arguments that a call has for a function. Only one name of a
// V4 call counts; a V1 call may have several.
func called(call pyval.Value, name string, o *Options) (pyval.Value, bool) {
	d := call.(*pyval.Dict)
	if o.Release == eval.V1 {
		if o.UnderscoreToDot {
			name = strings.ReplaceAll(name, ".", "_")
		}
		return d.GetStr(name)
	}
	key, arguments := d.At(0)
	own, ok := key.(pyval.Str)
	return arguments, ok && sameName(string(own), name, o.UnderscoreToDot)
}

// describeV1 is V1's find_description: the first document whose name is part of
// the possible answer's key. If a case has only one document, that is used.
func describeV1(docs []*pyval.Dict, answer pyval.Value) (*pyval.Dict, *fault) {
	key := try(firstEntry(answer)).or("", nil).name
	if len(docs) == 1 {
		return docs[0], nil
	}
	for _, doc := range docs {
		name, ok := doc.GetStr("name")
		if !ok {
			return nil, unusable("function document: %v", keyError(pyval.Str("name")))
		}
		if strings.Contains(pyval.Text(key), pyval.Text(name)) {
			return doc, nil
		}
	}
	return nil, refuse("parallel_function_checker_no_order:cannot_find_description", func() string {
		return "Function doc description not found for function name: " + pyval.Repr(key) + "."
	})
}

// dictRuleV1 is V1's dict_checker: an accepted dict has the same number of
// keys, knows each, and accepts each value; accepted dicts may be nested. Its
// fault is the last refusal.
func dictRuleV1(value, accepted pyval.Value) *fault {
	return anyDict(value, accepted, dictAgainstV1)
}

func dictAgainstV1(value, answer pyval.Value) *fault {
	got, okGot := value.(*pyval.Dict)
	want, okWant := answer.(*pyval.Dict)
	switch {
	case !okGot || !okWant:
		return unusable("dicts were expected, not %s and %s", pyval.TypeName(value), pyval.TypeName(answer))
	case got.Len() != want.Len():
		return refuse("value_error:dict_items", func() string { return "Wrong number of parameters for dictionary." })
	}
	for key, item := range got.All() {
		accepted, known := want.Get(key)
		if !known {
			return refuse("value_error:dict_key", func() string {
				return "Unexpected parameter: '" + pyval.Text(key) + "'."
			})
		}
		if nested, ok := accepted.(*pyval.Dict); ok {
			if flaw := dictRuleV1(item, pyval.NewList(nested)); flaw != nil {
				return flaw
			}
			continue
		}
		if flaw := wrongEntryValue(key, item, want); flaw != nil {
			return flaw
		}
	}
	return nil
}

// relevanceV1 is V1's relevance check: no call is wanted. An answer has a call
// unless it cannot be decoded, is not a list of dicts, is empty, or is one
// empty dict.
func relevanceV1(decoded pyval.Value, decodeErr error) eval.Verdict {
	list, ok := decoded.(*pyval.List)
	if decodeErr != nil || !ok || len(list.Items) == 0 || !isCallsV1(list) {
		return eval.Verdict{}
	}
	if len(list.Items) == 1 && list.Items[0].(*pyval.Dict).Len() == 0 {
		return eval.Verdict{}
	}
	return failed("relevance_error:decoder_success", "Valid syntax. Successfully decode AST when it should not.")
}
