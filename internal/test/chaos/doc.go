// Package chaos runs the suite with faults: a server that misbehaves as decided
// by a seed, processes that are interrupted and killed, files that cannot grow
// any more, last lines that are torn, and clocks that jump. The result is
// compared with a run without faults.
//
//	Server       a model behind chat completions, and the faults on the way to it
//	Differences  how a run differs from one without faults
//	Trial        one run of the suite with one seed, resumed until it is complete
//	Report       what happened to it, and which losses remain
//
// TestPurses walks courses over a run's money, against a server that counts.
package chaos
