package eval

import "github.com/gobfcl/bfcl/internal/python/pyval"

// A Status is the outcome of a case.
type Status uint8

const (
	// Pass says that the answer was accepted.
	Pass Status = iota
	// Fail says that the model answered and the answer was refused.
	Fail
	// Error says that infrastructure kept the model from answering. It is never
	// a wrong answer, has no score and is retried on resume.
	Error
)

// String is "pass", "fail" or "error".
func (s Status) String() string {
	switch s {
	case Pass:
		return "pass"
	case Fail:
		return "fail"
	}
	return "error"
}

// A Verdict is what the judge says of one answer.
type Verdict struct {
	Status Status
	// ErrorType is upstream's spelling, such as "value_error:string"; ""
	// for a pass.
	ErrorType string
	// Detail is upstream's `error` field: most often a list of texts, in
	// parallel categories also dicts of sub errors. Nil for a pass.
	Detail pyval.Value
	// At is the place in a call that a suite's own matchers refuse: function,
	// argument, then fields, and items such as "[2]". Nil elsewhere.
	At []string
	// Compared is what comparing with the possible answers alone says, where
	// the verdict comes of carrying the call out: of SQL cases with a
	// Database. Nil elsewhere.
	Compared *Verdict
	// Executed is what carrying the calls out gave, in the executable
	// categories; nil elsewhere.
	Executed *Executed
	// Fault is what the judge of a conversation knows of a failure beyond
	// upstream's dict; nil for others.
	Fault Fault
	// Recovery counts, in a conversation, the turns that saw an error.
	Recovery Recovery
}

// CutOff is the error type of a wrong answer that the limit of tokens ended
// before its end.
const CutOff = "cut_off"

// OfPart returns the verdict on an answer that the limit of tokens ended, if
// cut is set: it is judged as far as it goes, as upstream does, and has its own
// error type where that is wrong.
func (v Verdict) OfPart(cut bool) Verdict {
	if cut && v.Status == Fail {
		v.ErrorType = CutOff
	}
	return v
}

// A Fault is what the judge of a conversation knows of a failure: package
// multiturn and package agentic have one each.
type Fault interface {
	// Steps are the model's calls that the failure is about, step by step.
	Steps() [][]string
}

// Executed is what carrying calls out gave.
type Executed struct {
	// Output is the result of the one call that was refused; nil if no
	// single call was, or none had a result.
	Output pyval.Value
	// Expected are the results that were expected; nil in the REST category.
	Expected *pyval.List
}

// A Recovery counts the judged turns of a conversation in which a tool
// answered a call of the model's with an error.
type Recovery struct {
	// Turns are those with such a call; turns in which nothing is to be done
	// are not judged and do not count.
	Turns int
	// Passed are those of them that passed all the same.
	Passed int
}

// Add adds up.
func (r *Recovery) Add(other Recovery) {
	r.Turns += other.Turns
	r.Passed += other.Passed
}

// ComparedWord returns what Compared says in a word: "pass" or its error type,
// "" if there is none.
func (v Verdict) ComparedWord() string {
	switch {
	case v.Compared == nil:
		return ""
	case v.Compared.Passed():
		return Pass.String()
	}
	return v.Compared.ErrorType
}

// Passed reports whether the answer was accepted.
func (v Verdict) Passed() bool { return v.Status == Pass }
