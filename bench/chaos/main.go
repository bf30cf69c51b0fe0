// Command chaos runs the suite under faults, once for each seed: a misbehaving
// server, processes that are interrupted and killed, full disks, torn lines and
// clocks that jump. It prints what happened to each run, and compares the
// result with that of a run without faults.
//
//	go run ./bench/chaos -seeds 200
//	go run ./bench/chaos -seeds 200 -acts 2
//
// With -acts it walks courses instead: a run of the command, and then ordinary
// acts that could make its number wrong, such as editing the dataset.
//
// The exit code is 1 if a case was lost, was counted twice, or has a different
// answer, verdict or score.
package main

import (
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/test/chaos"
)

// An ordeal holds what all seeds have in common.
type ordeal struct {
	trial chaos.Trial
	calm  *chaos.Report
	kept  string
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("chaos: ")
	seeds := flag.Int("seeds", 200, "the `number` of seeds")
	first := flag.Uint64("first", 1, "the first `seed`")
	parallel := flag.Int("parallel", 4, "`seeds` at a time")
	share := flag.Float64("faults", 0.25, "the `share` of requests that meet a fault")
	kills := flag.Int("kills", 4, "`processes` to stop for each seed")
	categories := flag.String("categories", "single_turn,multi_turn,memory", "`names` of categories and groups of the starter suite")
	acts := flag.Int("acts", 0, "`acts` in the course of each seed, instead of faults")
	flag.Parse()
	dir, err := os.MkdirTemp("", "chaos")
	if err != nil {
		log.Fatal(err)
	}
	if *acts > 0 {
		if bad := courses(dir, *first, *seeds, *parallel, *acts); bad > 0 {
			log.Fatalf("%d of %d seeds printed a wrong number; their folders are in %s", bad, *seeds, dir)
		}
		_ = os.RemoveAll(dir)
		return
	}
	o := &ordeal{kept: dir}
	if o.trial, err = build(dir); err != nil {
		log.Fatal(err)
	}
	o.trial.Categories = *categories
	o.calm = o.run(0)
	if o.calm.Run == nil {
		log.Fatalf("the run without faults is not complete: %s", strings.Join(o.calm.Problems, "; "))
	}
	o.trial.Faults, o.trial.Kills = *share, *kills
	bad := o.all(*first, *seeds, *parallel)
	if bad > 0 {
		log.Fatalf("%d of %d seeds had problems; their folders are in %s", bad, *seeds, dir)
	}
	_ = os.RemoveAll(dir)
}

// build makes the suite's test binary.
func build(dir string) (chaos.Trial, error) {
	suite := filepath.Join(dir, "suite.test")
	out, err := exec.Command("go", "test", "-c", "-o", suite, "github.com/gobfcl/bfcl").CombinedOutput()
	if err != nil {
		return chaos.Trial{}, fmt.Errorf("building the suite: %w\n%s", err, out)
	}
	return chaos.Trial{
		Suite: []string{suite, "-test.run=^TestBFCL$", "-test.timeout=0"},
		Env:   append(os.Environ(), "OPENAI_API_KEY=unused"),
	}, nil
}

func (o *ordeal) run(seed uint64) *chaos.Report {
	t := o.trial
	t.Seed, t.Dir = seed, filepath.Join(o.kept, fmt.Sprintf("seed-%d", seed), "run")
	if err := os.MkdirAll(t.Dir, 0o755); err != nil {
		log.Fatal(err)
	}
	return t.Run()
}

// A sum adds up what happened for all seeds.
type sum struct {
	sync.Mutex
	bad, compared, requests, processes int
	stops, faults                      map[string]int
}

func (o *ordeal) all(first uint64, seeds, parallel int) (bad int) {
	began := time.Now()
	s := &sum{stops: map[string]int{}, faults: map[string]int{}}
	fmt.Printf("%6s %9s %9s %7s %6s  %s\n", "seed", "processes", "requests", "faults", "cases", "result")
	var wg sync.WaitGroup
	slots := make(chan struct{}, max(parallel, 1))
	for i := range uint64(max(seeds, 0)) {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			s.add(first+i, o, o.run(first+i))
		})
	}
	wg.Wait()
	fmt.Printf("\n%d seeds in %s: %d cases compared, %d processes, %d requests, %d seeds with problems\n",
		seeds, time.Since(began).Round(time.Second), s.compared, s.processes, s.requests, s.bad)
	printCounts("stops", s.stops)
	printCounts("faults", s.faults)
	return s.bad
}

func (s *sum) add(seed uint64, o *ordeal, r *chaos.Report) {
	problems, compared := r.Problems, 0
	if r.Run != nil {
		var differences []string
		compared, differences = chaos.Differences(o.calm.Run, r.Run)
		problems = append(problems, differences...)
	}
	s.Lock()
	defer s.Unlock()
	struck := 0
	for name, n := range r.Faults {
		s.faults[name] += n
		struck += n
	}
	for name, n := range r.Stops {
		s.stops[name] += n
	}
	s.compared, s.requests, s.processes = s.compared+compared, s.requests+r.Requests, s.processes+r.Processes
	result := "the same as without faults"
	if len(problems) > 0 {
		result = fmt.Sprintf("%d problems:\n  %s", len(problems), strings.Join(problems, "\n  "))
		s.bad++
	} else {
		_ = os.RemoveAll(filepath.Join(o.kept, fmt.Sprintf("seed-%d", seed)))
	}
	fmt.Printf("%6d %9d %9d %7d %6d  %s\n", seed, r.Processes, r.Requests, struck, compared, result)
}

func printCounts(title string, counts map[string]int) {
	fmt.Println(title)
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Printf("  %7d  %s\n", counts[name], name)
	}
}
