// Package ladder says how far wrong answers got. A case that wants calls is a
// ladder of six levels, each of which takes those below for granted; a failed
// case reached one of the lower ones. Beside it stands the taxonomy: what kept
// each result from passing, in a dozen kinds.
//
//	Level   a step of the ladder
//	Kind    what was wrong, from upstream's error type and the answer's looks
//	Grade   a result's level and kind
//	Count   the grades of a run, to a Report
package ladder
