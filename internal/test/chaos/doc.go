// Package chaos puts whole runs of the suite through an ordeal: a server that
// misbehaves as a seed says, processes that are interrupted and killed, files
// that cannot grow any more, last lines that are torn, and clocks that jump.
// What is left in the end is held against a run that nothing befell.
//
//	Server a model behind chat completions, and the faults on the way to it
//	Trial  one run of the suite under one seed, resumed until it is complete
//	Report what befell it, and what of it was not made good
package chaos
