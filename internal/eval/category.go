package eval

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Category is one category of the benchmark. It states all that the suite
// needs to know of it: nothing is read out of its name. Package categories
// lists them.
type Category struct {
	// Name is upstream's name, such as "live_parallel_multiple".
	Name string
	// Group is the folder upstream files the category under, one of the
	// Groups, such as "non_live".
	Group string
	// Rule is what an answer must be.
	Rule Rule
	// Language is that of the tools and calls.
	Language Language
	// Release is the release of upstream by which answers are decoded and
	// judged.
	Release Release
	// Executes reports whether calls are carried out and their results
	// compared, for which the settings need an Executor.
	Executes bool

	// Source is the name in the files that hold the cases, where several
	// categories pose the same questions; "" is the category's own name. The
	// cases' ids have the category's name in place of the source's.
	Source string
	// Base is what categories with variants of the same questions share: their
	// cases with the same rest of the id belong together. "" is the Source.
	Base string
	// SharedTools reports whether cases share function documents. Their ids
	// then end in three numbers, of which the second counts the documents.
	SharedTools bool

	// Memory is the class of the memory in which earlier conversations left
	// what is asked for; "" if nothing comes before a case.
	Memory string
	// Web reports whether models search the web; NoSnippet categories show
	// them nothing of the pages found but title and address.
	Web, NoSnippet bool
	// LongContext categories pad what simulated APIs answer with much that
	// does not matter.
	LongContext bool

	// PromptOnly categories are posed in prompt mode alone.
	PromptOnly bool
	// Unused categories are in upstream's data and in none of its groups:
	// they are posed where they are asked for by name.
	Unused bool
	// Unscored categories are reported and count in no overall score.
	Unscored bool

	// Variant is the name of the variant that the category's cases are of, such
	// as "names", and Plain the category that they vary; "" and nil for those
	// that datasets have.
	Variant string
	Plain   *Category

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

// MultiTurn reports whether the category leads a model through turns and
// steps, in which it sees what its calls gave.
func (cat *Category) MultiTurn() bool { return cat.Rule == MultiTurn || cat.Rule == Agentic }

// Agentic reports whether it does so within one turn and looks at the last
// message alone.
func (cat *Category) Agentic() bool { return cat.Rule == Agentic }

// Compares reports whether an answer's calls are compared with possible
// answers, one by one.
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

// FileName returns the name in the files that hold the category's cases.
func (cat *Category) FileName() string {
	if cat.Source != "" {
		return cat.Source
	}
	return cat.Name
}

// beforeSuffix ends the names of the categories of earlier conversations.
const beforeSuffix = "_prereq"

// Before returns the category of the conversations that come before a
// category's cases: they are recorded and not scored.
func (cat *Category) Before() *Category {
	before := *cat
	before.Name += beforeSuffix
	before.Decode, before.Judge = nil, nil
	return &before
}

// IsBefore reports whether a category of that name is one that Before gives.
func IsBefore(name string) bool { return strings.HasSuffix(name, beforeSuffix) }
