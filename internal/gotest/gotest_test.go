package gotest_test

import (
	"context"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// childVariable makes this test's binary the suite's.
const childVariable = "BFCL_TEST_SUITE"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	testkit.IsBenchmark()
	flag.Parse()
	run := &gotest.Run{Options: &testkit.Suite, Rules: &testkit.Gate}
	if err := run.Prepare(); err != nil {
		panic(err)
	}
	testing.Main(regexp.MatchString, run.Tests(), nil, nil)
}

// TestChosenByRun holds that a case that go test's -run leaves out keeps
// nobody from running: at a concurrency of one the first such case would.
func TestChosenByRun(t *testing.T) {
	for _, row := range []struct {
		name, run string
		want      []string
	}{
		{"a case", "TestBFCL/^multiple$/^multiple_3$", []string{"multiple", "multiple/multiple_3", "multiple/multiple_3/1", "multiple/multiple_3/2"}},
		{"a trial", "TestBFCL/^multiple$/^multiple_3$/^2$", []string{"multiple", "multiple/multiple_3", "multiple/multiple_3/2"}},
		{"a question on a memory", "TestBFCL/^memory_kv$/_0-/^2$", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			run := exec.CommandContext(ctx, os.Args[0], "-test.v", "-test.run", row.run, "-model=oracle", "-concurrency=1", "-trials=2")
			run.Env = append(os.Environ(), childVariable+"=1")
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
			var got []string
			for _, m := range regexp.MustCompile(`(?m)^=== RUN   TestBFCL/(.*)$`).FindAllSubmatch(out, -1) {
				got = append(got, string(m[1]))
			}
			if row.want == nil {
				assert.Greater(t, len(got), 1, "%s", out)
				return
			}
			assert.Equal(t, row.want, got)
		})
	}
}

// TestTimeout: a run stops itself before go test's -timeout would end it in a
// panic, and says how to go on.
func TestTimeout(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done() // no answer ever
	}))
	defer server.Close()
	dir := filepath.Join(t.TempDir(), "run")
	run := exec.CommandContext(t.Context(), os.Args[0], "-test.timeout=4s", "-model=openai:m", "-base-url="+server.URL, "-categories=irrelevance", "-run-dir="+dir)
	run.Env = append(os.Environ(), childVariable+"=1", "OPENAI_API_KEY=unused")
	out, err := run.CombinedOutput()
	require.Error(t, err, "%s", out)
	assert.NotContains(t, string(out), "panic: test timed out")
	assert.Contains(t, string(out), "no answer; continue with -resume -run-dir="+dir)
	assert.Contains(t, string(out), "this run stops itself before go test's timeout at ")
}

// TestInFlight asks for as many answers at a time as the user wants, and keeps
// no goroutine for a case that has yet to begin.
func TestInFlight(t *testing.T) {
	const inFlight, trials = 3, 20
	var (
		mu                           sync.Mutex
		now, most, asked, goroutines int
	)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		now, asked = now+1, asked+1
		most, goroutines = max(most, now), max(goroutines, runtime.NumGoroutine())
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		now--
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"choices": [{"message": {"role": "assistant", "content": "I cannot help with that."}, "finish_reason": "stop"}]}`))
	}))
	defer server.Close()
	o := options(t)
	o.Model, o.BaseURL, o.Categories = "openai:m", server.URL, "irrelevance,live_irrelevance"
	o.Concurrency, o.Trials, o.RunDir = inFlight, trials, filepath.Join(t.TempDir(), "run")
	t.Setenv("OPENAI_API_KEY", "unused")
	before := runtime.NumGoroutine()
	run := &gotest.Run{Options: &o}
	t.Run("suite", func(t *testing.T) { run.Each(t, run.Try) })
	t.Logf("%d questions, at most %d at a time, %d goroutines more than before", asked, most, goroutines-before)
	assert.Equal(t, inFlight, most)
	assert.Greater(t, asked, 100)
	assert.Less(t, goroutines-before, asked/3, "goroutines")
}

// options are the defaults of the flags.
func options(t *testing.T) option.Options {
	t.Helper()
	var o option.Options
	o.Register(flag.NewFlagSet("", flag.ContinueOnError))
	return o
}

// TestNoProtocol: without the protocol of tools, which these tests do not link,
// agents are refused before anything is written.
func TestNoProtocol(t *testing.T) {
	testkit.Fails(suite.NewPlan(suite.Options{Dataset: "starter", Categories: "multiple", Model: "agent:true", Trials: 1, Root: t.TempDir()}))(t, "import github.com/gobfcl/bfcl/full")
}
