// Package ladder says how far wrong answers got. A case that wants calls is a
// ladder of six levels, each of which includes those below; a failed case
// reached one of the lower ones. The package also has the taxonomy: why each
// result failed, in a dozen or so kinds.
//
//	Level   a step of the ladder
//	Kind    what was wrong, from upstream's error type and the answer
//	Grade   a result's level and kind
//	Count   the grades of a run, to a Report
package ladder
