package eval

import "github.com/gobfcl/bfcl/internal/python/pyval"

// A Status is the outcome of a case.
type Status uint8

const (
	// Pass means that the answer was accepted.
	Pass Status = iota
	// Fail means that the model answered and the answer was refused.
	Fail
	// Error means that infrastructure kept the model from answering. It is
	// never a wrong answer, has no score, and is retried on resume.
	Error
)

// String returns "pass", "fail" or "error".
func (s Status) String() string {
	switch s {
	case Pass:
		return "pass"
	case Fail:
		return "fail"
	}
	return "error"
}

// A Verdict is the judge's decision on one answer.
type Verdict struct {
	Status Status
	// ErrorType is upstream's spelling, such as "value_error:string"; ""
	// for a pass.
	ErrorType string
	// Detail is upstream's `error` field: most often a list of texts, in
	// parallel categories also dicts of sub errors. Nil for a pass.
	Detail pyval.Value
	// Executed is the result of carrying out the calls in the executable
	// categories; otherwise nil.
	Executed *Executed
	// Fault is what the judge of a conversation knows about a failure beyond
	// upstream's dict; otherwise nil.
	Fault Fault
	// Steps are the calls of a conversation's steps by turn, none of a step whose
	// calls could not be read; nil for other verdicts.
	Steps [][][]string
}

// CutOff is the error type of a wrong answer that was cut off by the limit of
// tokens.
const CutOff = "cut_off"

// HasRead is the error type of an answer that is one of the wrong ones that a
// suite has planted.
const HasRead = "canary:has_read_the_answers"

// OfCanary returns the verdict on a case whose possible answer is a wrong one
// that nobody gives who has not read it: any other answer is right.
func (v Verdict) OfCanary() Verdict {
	switch v.Status {
	case Pass:
		return Verdict{Status: Fail, ErrorType: HasRead, Detail: pyval.NewList(pyval.Str("this is the wrong answer that was planted among the possible ones"))}
	case Fail:
		return Verdict{}
	}
	return v
}

// OfPart returns the verdict on an answer that was cut off by the limit of
// tokens, if cut is set: it is judged as far as it goes, as upstream does, and
// has its own error type if it is wrong.
func (v Verdict) OfPart(cut bool) Verdict {
	if cut && v.Status == Fail {
		v.ErrorType = CutOff
	}
	return v
}

// A Fault is what the judge of a conversation knows about a failure: package
// multiturn and package agentic each have one.
type Fault interface {
	// Steps are the model's calls that the failure is about, step by step.
	Steps() [][]string
}

// Executed is the result of carrying out calls.
type Executed struct {
	// Output is the result of the single call that was refused; nil if it was
	// not a single call, or had no result.
	Output pyval.Value
	// Expected are the results that were expected; nil in the REST category.
	Expected *pyval.List
}

// Passed reports whether the answer was accepted.
func (v Verdict) Passed() bool { return v.Status == Pass }
