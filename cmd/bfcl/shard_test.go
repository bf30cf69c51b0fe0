package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A fickle server answers each question always alike, but as its hash says:
// with a call of the first tool, with an empty call, or with text. It lets
// every answer wait, so that a run takes long enough to be killed.
func fickle(t *testing.T, wait time.Duration) *testkit.Chat {
	return testkit.ServeChat(t, func(q *testkit.Question) string {
		time.Sleep(wait)
		hash := fnv.New32a()
		_, _ = hash.Write(q.Messages)
		message := map[string]any{"role": "assistant", "content": "None of them fits."}
		if n := hash.Sum32() % 3; n > 0 && len(q.Tools) > 0 {
			message["tool_calls"] = calling(q.Tools[0].Function.Name, `{}`)
		}
		return testkit.ReplyOf(message, "stop")
	})
}

// inFlight is how many requests each process has under way.
const inFlight = 2

// suiteProcess is the suite as a test process, with no command around it, as
// under go test.
func suiteProcess(args ...string) *exec.Cmd {
	return exec.Command("bfcl", append([]string{process.Test, "-test.run=^" + gotest.Name + "$"}, args...)...)
}

func suiteRun(server, folder, shard string, resume bool) *exec.Cmd {
	cmd := suiteProcess("-model=openai:m", "-base-url="+server+"/v1", "-categories=non_live",
		fmt.Sprintf("-concurrency=%d", inFlight), "-run-dir="+folder, "-shard="+shard, fmt.Sprintf("-resume=%t", resume))
	return cmd
}

// TestShardsMakeTheWhole runs the suite as four processes at a time, kills two
// of them and resumes them, and merges: every case has the verdict that it has
// in one process.
func TestShardsMakeTheWhole(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: runs the suite six times")
	}
	server := fickle(t, 20*time.Millisecond)
	dir := t.TempDir()
	run := func(folder, shard string, resume bool) *exec.Cmd {
		return suiteRun(server.URL, folder, shard, resume)
	}
	whole := filepath.Join(dir, "whole")
	_ = run(whole, "0/1", false).Run() // wrong answers are failed tests

	const shards = 4
	folders := make([]string, shards)
	var wg sync.WaitGroup
	for i := range shards {
		folders[i] = filepath.Join(dir, fmt.Sprintf("shard-%d", i))
		wg.Go(func() {
			name := fmt.Sprintf("%d/%d", i, shards)
			cmd := run(folders[i], name, false)
			if i != 1 && i != 2 {
				_ = cmd.Run()
				return
			}
			stop := map[int]os.Signal{1: syscall.SIGKILL, 2: syscall.SIGTERM}[i]
			assert.NoError(t, cmd.Start())
			assert.Eventually(t, func() bool { return recordedAnswers(folders[i]) > 2 }, time.Minute, time.Millisecond)
			assert.NoError(t, cmd.Process.Signal(stop))
			_ = cmd.Wait()
			_, err := tally.Read([]string{folders[i]}, tally.Options{Shard: true})
			var incomplete *tally.Incomplete
			assert.ErrorAsf(t, err, &incomplete, "shard %s ended before it was stopped", name)
			_ = run(folders[i], name, true).Run()
		})
	}
	wg.Wait()

	want := testkit.Must(tally.Read([]string{whole}, tally.Options{}))(t)
	got := testkit.Must(tally.Read(folders, tally.Options{}))(t)
	compared, passed := compareRuns(t, want, got)
	asked, _ := server.Asked()
	lost := asked - 2*compared
	plan := testkit.Must(suite.NewPlan(suite.Options{Model: "openai:m", BaseURL: server.URL, Dataset: "starter", Categories: "all", Concurrency: inFlight, Trials: 1}))(t)
	begun := plan.Model.Places
	assert.LessOrEqual(t, lost, begun, "SIGTERM loses nothing, SIGKILL at most the cases that had begun")
	t.Logf("%d cases in %d shards compared with one process, %d of them passed; %d answers asked twice", compared, shards, passed, lost)
	testkit.Fails(tally.Read(folders[1:], tally.Options{}))(t, "1 of the run's 4 shards are missing: 0/4")
	testkit.Fails(tally.Read(append(folders, folders[3]), tally.Options{}))(t, "are the same run")
	testkit.Fails(tally.Read([]string{folders[0], whole}, tally.Options{}))(t, "these are different runs")
}

// TestShardsKeepMemories: the questions of a scenario need its conversations,
// which only their shard leads.
func TestShardsKeepMemories(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: runs the suite")
	}
	dir := t.TempDir()
	run := func(folder, shard string) {
		cmd := suiteProcess("-model=heuristic", "-categories=memory", "-run-dir="+folder, "-shard="+shard)
		_ = cmd.Run() // wrong answers are failed tests
	}
	whole := filepath.Join(dir, "whole")
	run(whole, "0/1")
	var folders []string
	scenarios := 0
	for i := range 3 {
		folders = append(folders, filepath.Join(dir, fmt.Sprintf("shard-%d", i)))
		run(folders[i], fmt.Sprintf("%d/3", i))
		finals := testkit.Must(filepath.Glob(filepath.Join(folders[i], "result", "agentic", "memory", "*", "memory_snapshot", "*_final.json")))(t)
		scenarios += len(finals)
	}
	want := testkit.Must(tally.Read([]string{whole}, tally.Options{}))(t)
	got := testkit.Must(tally.Read(folders, tally.Options{}))(t)
	compared, passed := compareRuns(t, want, got)
	assert.Equal(t, 9, scenarios, "three scenarios of three memories, each led once")
	t.Logf("%d questions compared, %d of them passed", compared, passed)
}

// recordedAnswers counts the lines of a folder's result files.
func recordedAnswers(dir string) (n int) {
	files, _ := filepath.Glob(filepath.Join(dir, "result", "*", "*.json"))
	for _, path := range files {
		data, _ := os.ReadFile(path)
		for _, b := range data {
			if b == '\n' {
				n++
			}
		}
	}
	return n
}

func compareRuns(t *testing.T, want, got *tally.Run) (compared, passed int) {
	t.Helper()
	require.Len(t, got.Parts, len(want.Parts))
	for i, part := range want.Parts {
		require.Len(t, got.Parts[i].Results, len(part.Results))
		for k, result := range part.Results {
			other := got.Parts[i].Results[k]
			assert.Equal(t, result.Case.ID, other.Case.ID)
			assert.Equalf(t, result.Status, other.Status, "%s", result.Case.ID)
			assert.Equalf(t, result.ErrorType, other.ErrorType, "%s", result.Case.ID)
			compared++
			if result.Passed() {
				passed++
			}
		}
	}
	return compared, passed
}
