package eval

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Category is one category of the benchmark. It has everything that the suite
// needs to know about it: nothing is inferred from its name. Package categories
// lists them.
type Category struct {
	// Name is upstream's name, such as "live_parallel_multiple".
	Name string
	// Group is the folder upstream files the category under, one of the
	// Groups, such as "non_live".
	Group string
	// Rule says what an answer must be.
	Rule Rule
	// Language is the language of the tools and calls.
	Language Language
	// Release is the release of upstream by whose rules answers are decoded and
	// judged.
	Release Release
	// Executes reports whether calls are carried out and their results
	// compared; the settings then need an Executor.
	Executes bool

	// Source is the name in the files with the cases, if several categories
	// pose the same questions; "" means the category's own name. The cases' ids
	// have the category's name instead of the source's.
	Source string
	// Base is shared by categories with variants of the same questions: their
	// cases with the same rest of the id belong together. "" means the Source.
	Base string
	// SharedTools reports whether cases share function documents. Their ids
	// then end in three numbers, the second of which identifies the documents.
	SharedTools bool

	// Memory is the class of the memory in which earlier conversations stored
	// what is asked for; "" if nothing comes before a case.
	Memory string
	// Web reports whether models search the web; NoSnippet categories show only
	// the title and address of the pages found.
	Web, NoSnippet bool
	// LongContext categories pad the answers of simulated APIs with irrelevant
	// data.
	LongContext bool

	// PromptOnly categories are posed only in prompt mode.
	PromptOnly bool
	// Unused categories are in upstream's data but in none of its groups: they
	// are posed only if selected by name.
	Unused bool
	// Unscored categories are reported but do not count in an overall score.
	Unscored bool

	// Decode turns a recorded result into calls.
	Decode func(c *Case, result pyval.Value, s Settings) (pyval.Value, error)
	// Judge says whether the calls, or the failure to decode any, are
	// right. It never sees how the answer was obtained.
	Judge func(c *Case, decoded pyval.Value, decodeErr error, s Settings) Verdict
}

// Verdict decodes a result and judges it. Decoded is nil if decoding
// failed.
func (cat *Category) Verdict(c *Case, result pyval.Value, s Settings) (decoded pyval.Value, v Verdict) {
	decoded, err := cat.Decode(c, result, s)
	if err != nil {
		decoded = nil
	}
	return decoded, cat.Judge(c, decoded, err, s)
}

// MultiTurn reports whether the category leads a model through turns and steps,
// in which it sees the results of its calls.
func (cat *Category) MultiTurn() bool { return cat.Rule == MultiTurn || cat.Rule == Agentic }

// Agentic reports whether the category does so within one turn and judges only
// the last message.
func (cat *Category) Agentic() bool { return cat.Rule == Agentic }

// Compares reports whether an answer's calls are compared one by one with
// possible answers.
func (cat *Category) Compares() bool {
	return !cat.Executes && (cat.Rule.OneCall() || cat.Rule.Parallel() || cat.Rule == Varied)
}

// Answers reports whether the dataset has a file of possible answers. The first
// release has the answers of executable categories beside the questions.
func (cat *Category) Answers() bool {
	if cat.Rule == Irrelevance || cat.Rule == Relevance {
		return false
	}
	return !cat.Executes || cat.Release != V1
}

// FileName returns the name in the files with the category's cases.
func (cat *Category) FileName() string {
	if cat.Source != "" {
		return cat.Source
	}
	return cat.Name
}

// beforeSuffix is the suffix of the names of categories of earlier
// conversations.
const beforeSuffix = "_prereq"

// Before returns the category of the conversations that come before a
// category's cases: they are recorded but not scored.
func (cat *Category) Before() *Category {
	before := *cat
	before.Name += beforeSuffix
	before.Decode, before.Judge = nil, nil
	return &before
}

// IsBefore reports whether a name is that of a category that Before returns.
func IsBefore(name string) bool { return strings.HasSuffix(name, beforeSuffix) }

// An Executor judges the answers of categories that carry calls out. It is
// safe for concurrent use.
type Executor interface {
	// Execute carries out a case's decoded calls, the texts of Python calls,
	// and judges the results. A verdict of status Error says that something
	// could not be asked.
	Execute(c *Case, decoded pyval.Value, decodeErr error) Verdict
}

// NoExecutor returns the verdict of a category that carries calls out if there
// is no Executor.
func NoExecutor(c *Case) Verdict {
	return Verdict{Status: Error, ErrorType: "infrastructure:no_executor", Detail: pyval.Str("there is no executor for the calls of case " + c.ID)}
}
