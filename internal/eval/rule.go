package eval

import (
	"fmt"
	"slices"
	"strings"
)

// A Rule says what an answer of a category must be.
type Rule string

const (
	// Simple wants one call to the only function.
	Simple Rule = "simple"
	// Multiple wants one call to one of several functions.
	Multiple Rule = "multiple"
	// Parallel wants several calls, in any order, to the only function.
	Parallel Rule = "parallel"
	// ParallelMultiple wants several calls, in any order, to several functions.
	ParallelMultiple Rule = "parallel_multiple"
	// Irrelevance wants no call.
	Irrelevance Rule = "irrelevance"
	// Relevance wants a call, no matter which.
	Relevance Rule = "relevance"
	// MultiTurn wants, after every turn, the right state and the right results
	// of the simulated APIs.
	MultiTurn Rule = "multi_turn"
	// Agentic wants the right words in the last message.
	Agentic Rule = "agentic"
	// REST wants one HTTP request with an answer of the same shape as a stored
	// one.
	REST Rule = "rest"
	// Varied wants the same as the rule of the varied case.
	Varied Rule = "varied"
)

// OneCall reports whether one call is wanted and compared with the possible
// answer.
func (r Rule) OneCall() bool { return r == Simple || r == Multiple }

// Parallel reports whether several calls are wanted and matched with possible
// answers in any order.
func (r Rule) Parallel() bool { return r == Parallel || r == ParallelMultiple }

// A Language is the language in which function documents name types and in
// which models write calls.
type Language uint8

// The languages of upstream's data.
const (
	Python Language = iota
	Java
	JavaScript
)

var languages = [...]string{Python: "Python", Java: "Java", JavaScript: "JavaScript"}

// String returns the language's name, such as "JavaScript".
func (l Language) String() string {
	if int(l) >= len(languages) {
		return fmt.Sprintf("Language(%d)", l)
	}
	return languages[l]
}

// Key returns the name in lower case, as in data files.
func (l Language) Key() string { return strings.ToLower(l.String()) }

// Languages returns all languages.
func Languages() []Language { return []Language{Python, Java, JavaScript} }

// ParseLanguage returns the language with the given key.
func ParseLanguage(key string) (Language, bool) {
	at := slices.IndexFunc(Languages(), func(l Language) bool { return l.Key() == key })
	return Language(max(at, 0)), at >= 0
}

// A Release is a release of upstream that decodes and judges by its own rules.
type Release uint8

const (
	// V4 is the current release.
	V4 Release = iota
	// V1 is the first release, of August 2024.
	V1
)

// The groups of categories: the folders in which upstream stores results.
// Upstream stores results of V1 in no folder, and has none for a user's own
// categories.
const (
	GroupNonLive           = "non_live"
	GroupLive              = "live"
	GroupMultiTurn         = "multi_turn"
	GroupAgentic           = "agentic"
	GroupMemoryKV          = "agentic/memory/kv"
	GroupMemoryVector      = "agentic/memory/vector"
	GroupMemoryRecSum      = "agentic/memory/rec_sum"
	GroupFormatSensitivity = "format_sensitivity"
	GroupExecutable        = "executable"
	GroupV1                = "v1"
	GroupOwn               = "own"
)

var groups = []string{
	GroupNonLive, GroupLive, GroupMultiTurn, GroupAgentic, GroupMemoryKV, GroupMemoryVector, GroupMemoryRecSum,
	GroupFormatSensitivity, GroupExecutable, GroupV1, GroupOwn,
}

// Groups returns all groups.
func Groups() []string { return slices.Clone(groups) }
