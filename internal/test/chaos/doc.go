// Package chaos runs the suite with faults: a server that misbehaves as decided
// by a seed, processes that are interrupted and killed, files that cannot grow
// any more, last lines that are torn, and clocks that jump. TestChaos compares the
// result with a run without faults; TestPurses walks courses over a run's money,
// against a server that counts.
package chaos
