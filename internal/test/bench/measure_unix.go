//go:build unix

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

func init() { commands["measure"] = measured }

// measured runs a command several times and prints what each run cost, as lines in Go's
// benchmark format, which benchstat reads: wall time, processor time in user and kernel
// mode, and peak memory.
//
//	go run ./internal/test/bench measure -name Evaluate -n 5 -- bfcl evaluate …
//
// With -beside, it also prints the processor time that another process took
// meanwhile, such as a server on the same machine (on Linux).
func measured() {
	name := flag.String("name", "Command", "the benchmark's `name`")
	runs := flag.Int("n", 5, "how many `times` to run")
	beside := flag.Int("beside", 0, "the `process` whose processor time is measured separately")
	lax := flag.Bool("lax", false, "measure a command that fails too, as tests of a real model do")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("measure: no command: go run ./internal/test/bench measure -name NAME -- COMMAND ARGUMENTS…")
	}
	for range *runs {
		c, err := measure(flag.Args(), *beside, *lax)
		if err != nil {
			log.Fatal("measure: ", *name, ": ", err)
		}
		fmt.Printf("Benchmark%s 1 %s\n", *name, c)
	}
}

// A cost is the cost of one run.
type cost struct {
	wall      time.Duration
	processor time.Duration // in user and kernel mode
	peak      float64       // bytes
	beside    time.Duration
	told      bool // whether beside is known
}

// String returns the cost in the units of a benchmark line.
func (c cost) String() string {
	text := fmt.Sprintf("%d ns/op %.4f cpu-s/op %.1f peak-MB", c.wall.Nanoseconds(), c.processor.Seconds(), c.peak/1e6)
	if c.told {
		text += fmt.Sprintf(" %.4f beside-cpu-s/op", c.beside.Seconds())
	}
	return text
}

// outputCap is how much of a failed command's output is shown.
const outputCap = 2000

func measure(command []string, beside int, lax bool) (cost, error) {
	before, told := processorTime(beside)
	var output bytes.Buffer
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = &output, &output
	start := time.Now()
	err := cmd.Run()
	c := cost{wall: time.Since(start)}
	var exit *exec.ExitError
	if err != nil && (!lax || !errors.As(err, &exit)) {
		text := output.Bytes()
		return c, fmt.Errorf("%w\n%s", err, text[max(0, len(text)-outputCap):])
	}
	state := cmd.ProcessState
	c.processor = state.UserTime() + state.SystemTime()
	c.peak = peak(state)
	if after, ok := processorTime(beside); ok && told {
		c.beside, c.told = after-before, true
	}
	return c, nil
}

func peak(state *os.ProcessState) float64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin": // in bytes there
		return float64(usage.Maxrss)
	}
	return float64(usage.Maxrss) * 1024
}

// processorTime returns the processor time of a process so far, which Linux
// gives in hundredths of a second.
func processorTime(pid int) (time.Duration, bool) {
	if pid <= 0 {
		return 0, false
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:]) // the name may contain spaces
	const user, system = 11, 12
	if len(fields) <= system {
		return 0, false
	}
	u, err1 := strconv.ParseInt(string(fields[user]), 10, 64)
	s, err2 := strconv.ParseInt(string(fields[system]), 10, 64)
	return time.Duration(u+s) * 10 * time.Millisecond, err1 == nil && err2 == nil
}
