// Package agents_test tests the suite with agents that are not its own: each is
// built with a framework, and reaches its tools over the Model Context Protocol
// like any agent. In place of a model each has a script, which knows what the
// oracle knows.
//
//	go        the SDK's own client, in Go
//	eino      CloudWeGo's eino, a module of its own (testdata/eino)
//	node      npm's agents (testdata/node)
package agents_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// scriptVariable names the file of the script of an agent, which this test
// binary plays where it is set.
const scriptVariable = "TEST_AGENT_SCRIPT"

// TestMain runs the tests, or the Go agent that they ask: with a script, or as
// the program scripted-agent.
func TestMain(m *testing.M) {
	name := os.Getenv(scriptVariable)
	if name == "" {
		testkit.Waiting()
		testscript.Main(m, map[string]func(){"scripted-agent": scriptedAgent})
	}
	data, err := os.ReadFile(name)
	var script Script
	if err == nil {
		err = json.Unmarshal(data, &script)
	}
	if err == nil {
		err = Go(script, false)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// conversations are the starter categories of conversations, 75 cases.
var conversations = []string{"multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context", "multi_turn_composite"}

// A model is the -model of an agent that plays the script of a file.
type model func(script string) string

// goAgent is the agent on the SDK's own client, which this test binary plays.
func goAgent(t *testing.T) model {
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	return program(t, os.Args[0])
}

// program is an agent that is started.
func program(t *testing.T, path string) model {
	return func(script string) string {
		t.Setenv(scriptVariable, script)
		return "agent:'" + path + "'"
	}
}

// scripted returns the oracle's script for the cases of a starter category.
func scripted(t *testing.T, category string) (*fixtures.Dataset, []*eval.Case, Script) {
	t.Helper()
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	cases := testkit.Must(Cases(d, categories.Find(category)))(t)
	return d, cases, testkit.Must(OracleScript(t.Context(), cases))(t)
}

// file writes a script.
func (s Script) file(t *testing.T) string {
	t.Helper()
	return filepath.Join(testkit.Folder(t, map[string]string{"script.json": string(testkit.Must(json.Marshal(s))(t))}), "script.json")
}

// measure runs an agent on a starter category, and gives the outcomes' efforts.
// Every case must pass.
func measure(t *testing.T, model, category string) (efforts map[string]*eval.Effort) {
	t.Helper()
	o := suite.Options{
		Model: model, Dataset: fixtures.Starter, Categories: category, RunDir: t.TempDir(), Trials: 1, Concurrency: 4,
	}
	s := testkit.Must(suite.Open(o))(t)
	s.Start()
	defer func() { require.NoError(t, s.Finish(false)) }()
	efforts = map[string]*eval.Effort{}
	var mu sync.Mutex
	s.Each(t.Context(), func(cat *eval.Category, c *eval.Case, _ int) {
		if c.Line%testkit.Some(3, 1) > 0 {
			return
		}
		out := s.Engine.Run(t.Context(), cat, c, 0)
		assert.Equal(t, eval.Pass, out.Status, "%s: %s %v", c.ID, out.ErrorType, out.Err)
		mu.Lock()
		defer mu.Unlock()
		efforts[c.ID] = out.Effort
	})
	return efforts
}

// solves measures an agent on conversations, and says what it took.
func solves(t *testing.T, of model, names ...string) {
	t.Helper()
	cases, calls, failed := 0, 0, 0
	for _, category := range names {
		_, _, script := scripted(t, category)
		for id, e := range measure(t, of(script.file(t)), category) {
			require.NotNil(t, e, id)
			cases++
			calls += e.Calls
			failed += e.Failed
			assert.Zero(t, e.Failed, id)
			assert.Zero(t, e.WrongTools, id)
			assert.Zero(t, e.Late, id)
		}
	}
	t.Logf("%d conversations solved with %d calls, %d of them failed", cases, calls, failed)
}

// TestGoAgent: an agent on the SDK's own client solves all starter
// conversations, a process each.
func TestGoAgent(t *testing.T) {
	names := conversations
	if testing.Short() {
		names = conversations[:2]
	}
	solves(t, goAgent(t), names...)
}

// TestGoAgentElsewhere: memories, searches of the web and single turns are
// reached in the same way.
func TestGoAgentElsewhere(t *testing.T) {
	solves(t, goAgent(t), "memory_kv", "web_search_base", "simple_python", "parallel_multiple", "simple_java", "irrelevance", "exec_simple", "exec_parallel_multiple")
}
