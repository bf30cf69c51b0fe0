package judge

import "github.com/gobfcl/bfcl/internal/python/pyval"

// multiple is upstream's multiple_function_checker: one call, whose document
// must be found among several.
func multiple(docs []*pyval.Dict, calls, answers []pyval.Value, o *Options) *fault {
	if len(calls) != len(answers) {
		return wrongCount("multiple_function_checker")
	}
	if len(calls) == 0 {
		return unusable("no possible answer")
	}
	doc, err := describe(docs, answers[0])
	if err != nil {
		return unusable("%v", err)
	}
	return simple(doc, calls[0], answers[0], o)
}

// describe returns the document of the function that a possible answer names,
// like upstream's find_description; nil if there is none.
func describe(docs []*pyval.Dict, answer pyval.Value) (*pyval.Dict, error) {
	name, _, err := firstEntry(answer)
	if err != nil {
		return nil, err
	}
	for _, doc := range docs {
		own, ok := doc.GetStr("name")
		if !ok {
			return nil, keyError(pyval.Str("name"))
		}
		if pyval.Equal(own, name) {
			return doc, nil
		}
	}
	return nil, nil
}
