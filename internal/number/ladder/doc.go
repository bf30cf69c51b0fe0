// Package ladder says how far wrong answers got. A case that wants calls is a
// ladder of six levels, each of which includes those below; a failed case
// reached one of the lower ones. The package also has the taxonomy: why each
// result failed, in a dozen or so kinds; and it finds answers that could not be
// read, so that a wrong dialect does not look like a bad model.
//
//	Level    a step of the ladder
//	Kind     what was wrong, from upstream's error type and the answer
//	Grade    a result's level and kind
//	Cause    the function, parameter and value that a failure is about
//	Unread   an answer without a readable call
//	Doubts   what to say of unread answers before any number
//	Count    the grades of a run, to a Report
package ladder
