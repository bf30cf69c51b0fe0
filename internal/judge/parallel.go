package judge

import (
	"strconv"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// multiple is upstream's multiple_function_checker: one call, whose document
// must be found among several.
func multiple(docs []*pyval.Dict, calls, answers []pyval.Value, o *Options) *fault {
	if len(calls) != len(answers) {
		return wrongCount("multiple_function_checker")
	}
	if len(calls) == 0 {
		return unusable("no possible answer")
	}
	return simple(try(describe(docs, answers[0])).or("", nil), calls[0], answers[0], o)
}

// describe returns the document of the function that a possible answer names,
// like upstream's find_description; nil if there is none.
func describe(docs []*pyval.Dict, answer pyval.Value) (*pyval.Dict, error) {
	wanted, err := firstEntry(answer)
	if err != nil {
		return nil, err
	}
	for _, doc := range docs {
		own, ok := doc.GetStr("name")
		if !ok {
			return nil, keyError(pyval.Str("name"))
		}
		if pyval.Equal(own, wanted.name) {
			return doc, nil
		}
	}
	return nil, nil
}

// parallel is upstream's parallel_function_checker_no_order: each possible
// answer in turn takes the first remaining call that it accepts. An earlier
// choice is never revised.
func parallel(docs []*pyval.Dict, calls, answers []pyval.Value, o *Options) *fault {
	if len(calls) != len(answers) {
		return wrongCount("parallel_function_checker_no_order")
	}
	taken := make([]bool, len(calls))
	for i, answer := range answers {
		doc, flaw := o.describe(docs, answer)
		if flaw != nil {
			return flaw
		}
		if flaw := take(doc, calls, taken, answer, i, o); flaw != nil {
			return flaw
		}
	}
	return nil
}

// A mismatch is a call that the current possible answer refuses.
type mismatch struct {
	index int
	flaw  *fault
}

func take(doc *pyval.Dict, calls []pyval.Value, taken []bool, answer pyval.Value, turn int, o *Options) *fault {
	var misses []mismatch
	for i, call := range calls {
		if taken[i] {
			continue
		}
		flaw := simple(doc, call, answer, o)
		if flaw == nil {
			taken[i] = true
			return nil
		}
		misses = append(misses, mismatch{i, flaw})
	}
	return &fault{errorType: "parallel_function_checker_no_order:cannot_find_match", items: func() []pyval.Value {
		return explain(misses, calls, answer, turn)
	}}
}

// explain returns upstream's `error` list for a possible answer without a
// match.
func explain(misses []mismatch, calls []pyval.Value, answer pyval.Value, turn int) []pyval.Value {
	considered := pyval.NewList()
	list := []pyval.Value{nil}
	for _, miss := range misses {
		considered.Items = append(considered.Items, pyval.MakeInt(int64(miss.index)))
		sub := pyval.Object("sub_error", pyval.NewList(miss.flaw.list()...),
			"sub_error_type", pyval.Str(miss.flaw.errorType), "model_output_item", calls[miss.index],
			"possible_answer_item", answer)
		entry := pyval.Object("Model Result Index "+strconv.Itoa(miss.index), sub)
		list = append(list, entry)
	}
	list[0] = pyval.Str("Could not find a matching function among index " + pyval.Repr(considered) +
		" of model output for index " + strconv.Itoa(turn) + " of possible answers.")
	return list
}
