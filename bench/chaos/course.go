package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/test/chaos"
)

// courses walks a course for each seed; bad is the number of seeds with
// problems.
func courses(dir string, first uint64, seeds, parallel, acts int) (bad int) {
	command, began := filepath.Join(dir, "bfcl"), time.Now()
	if out, err := exec.Command("go", "build", "-o", command, "github.com/gobfcl/bfcl/cmd/bfcl").CombinedOutput(); err != nil {
		log.Fatalf("building the command: %v\n%s", err, out)
	}
	starter, err := filepath.Abs(filepath.Join("fixtures", "starter"))
	if err != nil {
		log.Fatal(err)
	}
	var (
		mu             sync.Mutex
		wg             sync.WaitGroup
		right, refused int
		done           = map[string]int{}
		places         = make(chan struct{}, max(parallel, 1))
	)
	for i := range uint64(max(seeds, 0)) {
		places <- struct{}{}
		wg.Go(func() {
			defer func() { <-places }()
			account := walk(command, starter, filepath.Join(dir, fmt.Sprintf("seed-%d", first+i)), first+i, acts)
			mu.Lock()
			defer mu.Unlock()
			right, refused = right+account.Right, refused+account.Refused
			for name, n := range account.Acts {
				done[name] += n
			}
			fmt.Printf("%6d %4d right %4d refused\n", first+i, account.Right, account.Refused)
			for _, problem := range account.Problems {
				fmt.Printf("       %s\n", problem)
			}
			if len(account.Problems) > 0 {
				bad++
			}
		})
	}
	wg.Wait()
	fmt.Printf("\n%d seeds in %s: %d commands printed the right number, %d refused one with a reason, %d seeds with problems\n",
		seeds, time.Since(began).Round(time.Second), right, refused, bad)
	printCounts("acts", done)
	return bad
}

// walk walks one seed's course; it keeps the folder if there were problems.
func walk(command, starter, dir string, seed uint64, acts int) *chaos.Account {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		log.Fatal(err)
	}
	account := chaos.Course{
		Command: command, Env: append(os.Environ(), "OPENAI_API_KEY=unused", "NO_COLOR=1"),
		Starter: starter, Dir: dir, Seed: seed, Acts: acts,
	}.Walk()
	if len(account.Problems) == 0 {
		_ = os.RemoveAll(dir)
	}
	return account
}
