//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"testing"
	"time"

	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	_ "github.com/gobfcl/bfcl/internal/world/endpoint/mcptools" // as the command has it
)

const (
	// samplesVariable is the environment variable that makes this program run
	// the suite and write samples of its state to the named file.
	samplesVariable = "BFCL_LOAD_SAMPLES"
	runVariable     = "BFCL_LOAD_RUN"
)

// A sample is the state of the suite's process at one moment.
type sample struct {
	Done, Resident, Heap, Goroutines, Descriptors int
}

func (s sample) most(o sample) sample {
	return sample{
		max(s.Done, o.Done), max(s.Resident, o.Resident), max(s.Heap, o.Heap),
		max(s.Goroutines, o.Goroutines), max(s.Descriptors, o.Descriptors),
	}
}

func TestMain(m *testing.M) {
	if path := os.Getenv(samplesVariable); path != "" {
		testkit.IsBenchmark()
		go observe(path, os.Getenv(runVariable))
	}
	os.Exit(m.Run())
}

// TestBFCL is the suite in the process that is sampled.
func TestBFCL(t *testing.T) {
	if os.Getenv(samplesVariable) == "" {
		t.Skip("the suite is what TestLoad runs")
	}
	run := &gotest.Run{Options: &testkit.Suite}
	run.Each(t, run.Try)
}

func observe(path, run string) {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	out := json.NewEncoder(file)
	for range time.Tick(250 * time.Millisecond) {
		if err := out.Encode(now(run)); err != nil {
			panic(err)
		}
	}
}

// now returns the present state; the live heap is what the last collection
// left.
func now(run string) sample {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	progress, _ := engine.ReadProgress(run)
	s := sample{Done: progress.Done, Heap: int(live[0].Value.Uint64()), Goroutines: runtime.NumGoroutine()}
	if fds, err := os.ReadDir("/proc/self/fd"); err == nil {
		s.Descriptors = len(fds)
	}
	if data, err := os.ReadFile("/proc/self/statm"); err == nil {
		const resident = 1
		pages, _ := strconv.Atoi(string(bytes.Fields(data)[resident]))
		s.Resident = pages * os.Getpagesize()
	}
	return s
}
