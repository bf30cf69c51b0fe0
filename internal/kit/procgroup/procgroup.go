// Package procgroup starts programs in process groups of their own, so that a
// signal reaches a program with all that it has started, and the terminal's
// Ctrl-C reaches only the process that started it. Where the system has no
// process groups, only the program itself is reached: what it started ends when
// its standard input does.
package procgroup

import "os/exec"

// Own gives a program that is about to be started a group of its own.
func Own(cmd *exec.Cmd) { own(cmd) }

// Kill ends a program that was started, and its group. The program may have
// ended already, and then what it left behind ends.
func Kill(cmd *exec.Cmd) { kill(cmd) }

// Interrupt sends a program and its group what Ctrl-C would. Where there are no
// groups it does nothing, since there the console reaches all programs itself.
func Interrupt(cmd *exec.Cmd) { interrupt(cmd) }
