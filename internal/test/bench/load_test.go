//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// A load holds the parameters of a measurement.
type load struct {
	cases, inFlight int
	latency         time.Duration
}

var (
	loaded  = flag.Bool("load", false, "run the suite under load, which takes minutes")
	cases   = flag.Int("load-cases", 0, "the number of `cases`; by default two loads are measured")
	flights = flag.Int("load-inflight", 100, "`requests` in flight")
	latency = flag.Duration("load-latency", 100*time.Millisecond, "the `time` an answer takes")
)

// TestLoad runs the suite over a large made-up dataset against a server on
// loopback, samples its process meanwhile, and prints what it took as the cases
// progress: memory, goroutines and file descriptors.
//
//	go test ./internal/test/bench -v -timeout=0 -load    5,000 cases at 1,000 in flight, 50,000 at 200
//	go test ./internal/test/bench -v -timeout=0 -load -load-cases=5000 -load-inflight=100
//
// It fails if a case had no right answer, if there were more file descriptors
// than the requests in flight explain, or if goroutines or memory grew while
// cases were answered.
func TestLoad(t *testing.T) {
	if !*loaded {
		t.Skip("-load runs it")
	}
	loads := []load{{5000, 1000, *latency}, {50_000, 200, *latency}}
	if *cases > 0 {
		loads = []load{{*cases, *flights, *latency}}
	}
	for _, l := range loads {
		problems, err := l.measure(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range problems {
			t.Error(problem)
		}
	}
}

// measure runs the suite once.
func (l load) measure(dir string) ([]string, error) {
	build := exec.Command("go", "build", "-o", dir, "github.com/gobfcl/bfcl/internal/test/bench")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	data := filepath.Join(dir, fmt.Sprintf("cases-%d", l.cases))
	if out, err := exec.Command(filepath.Join(dir, "bench"), "synthetic", "-cases", strconv.Itoa(l.cases), "-o", data).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	address, stop, err := serve(dir, l.latency)
	if err != nil {
		return nil, err
	}
	defer stop()
	run, samples := filepath.Join(dir, fmt.Sprintf("run-%d-%d", l.cases, l.inFlight)), filepath.Join(dir, "samples.jsonl")
	suite := exec.Command(os.Args[0], "-test.run=^TestBFCL$", "-test.timeout=0", "-model=openai:m", "-base-url=http://"+address+"/v1",
		"-dataset="+data, "-run-dir="+run, fmt.Sprintf("-concurrency=%d", l.inFlight))
	suite.Env = append(os.Environ(), samplesVariable+"="+samples, runVariable+"="+run, "OPENAI_API_KEY=unused")
	began := time.Now()
	out, failed := suite.CombinedOutput()
	took := time.Since(began)
	all, err := read(samples)
	if err != nil {
		return nil, err
	}
	if failed != nil {
		return []string{fmt.Sprintf("not every case passed: %v: %s", failed, out[max(0, len(out)-2000):])}, nil
	}
	return l.report(all, took), nil
}

// serve starts a server on a free port.
func serve(dir string, latency time.Duration) (address string, stop func(), err error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	address = free.Addr().String()
	if err := free.Close(); err != nil {
		return "", nil, err
	}
	server := exec.Command(filepath.Join(dir, "bench"), "server", "-addr", address, "-latency", latency.String())
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}
	for range 200 {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			return address, stop, conn.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	return "", nil, fmt.Errorf("the server does not listen on %s", address)
}

func read(path string) (out []sample, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	for in := bufio.NewScanner(file); in.Scan(); {
		var s sample
		if err := json.Unmarshal(in.Bytes(), &s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// report prints the samples nearest to the tenths of the run.
func (l load) report(all []sample, took time.Duration) (problems []string) {
	ideal := time.Duration(l.cases) * l.latency / time.Duration(l.inFlight)
	fmt.Printf("%d cases, %d in flight, %v latency: %.1f s, ideal %.1f s\n", l.cases, l.inFlight, l.latency, took.Seconds(), ideal.Seconds())
	fmt.Printf("%8s %9s %9s %11s %12s\n", "answered", "resident", "live heap", "goroutines", "descriptors")
	var first, most, before sample
	next := 0
	for i, s := range all {
		if s.Done == 0 {
			before = s
			continue
		}
		if first.Done == 0 {
			first = s
		}
		most = most.most(s)
		if s.Done >= next || i == len(all)-1 {
			fmt.Printf("%8d %6d MB %6d MB %11d %12d\n", s.Done, s.Resident>>20, s.Heap>>20, s.Goroutines, s.Descriptors)
			next = s.Done + l.cases/8
		}
	}
	fmt.Printf("%8s %6d MB %6d MB %11d %12d\n\n", "most", most.Resident>>20, most.Heap>>20, most.Goroutines, most.Descriptors)
	if limit := 10*l.inFlight + 200; most.Goroutines > limit {
		problems = append(problems, fmt.Sprintf("%d goroutines; %d requests in flight explain %d", most.Goroutines, l.inFlight, limit))
	}
	if limit := l.inFlight + 64; most.Descriptors > limit {
		problems = append(problems, fmt.Sprintf("%d file descriptors for %d requests in flight", most.Descriptors, l.inFlight))
	}
	// What one case may leave behind: its test's log, if it failed.
	const perCase = 2 << 10
	if limit := max(first.Heap, before.Heap) + l.cases*perCase + 64<<20; most.Heap > limit {
		problems = append(problems, fmt.Sprintf("%d MB of live heap, more than %d", most.Heap>>20, limit>>20))
	}
	return problems
}
