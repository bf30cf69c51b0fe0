package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/agent"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
)

// TestProposedAsCalled: in a checkout the command need not be installed, so that
// what proposes a command names go run.
func TestProposedAsCalled(t *testing.T) {
	t.Parallel()
	self := testkit.Must(os.ReadFile(os.Args[0]))(t)
	path := filepath.Join(t.TempDir(), "go-build1", "bfcl")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, self, 0o755))
	run := exec.CommandContext(t.Context(), path, "gate", "results/m")
	out, err := run.CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, "bfcl: name the gate file with --config; `go run ./cmd/bfcl gate --init` prints one\n", string(out))
}

func TestDoubleDashes(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"run -model=x", "run --model=x"},
		{"run --model x -q", "run --model x -q"},
		{"run -C dir -resume", "run -C dir --resume"},
		{"judge -", "judge -"},
		{"run -model=x -- -race -v", "run --model=x -- -race -v"},
		{"x -5.2 ---", "x -5.2 ---"},
		{"", ""},
	} {
		assert.Equal(t, strings.Fields(test.want), doubleDashes(strings.Fields(test.src)), test.src)
	}
}

func TestComplainEscapes(t *testing.T) {
	var out bytes.Buffer
	a := &app{err: &out}
	a.complain(errors.New("bad \x1b[31m name\n--- PASS: x\u202e"))
	assert.Equal(t, "bfcl: bad \\x1b[31m name\n  --- PASS: x\\u202e\n", out.String())
}

func TestTailKeepsTheEnd(t *testing.T) {
	var said process.Tail
	for range 10_000 {
		_, _ = said.Write([]byte("a line\n"))
	}
	_, _ = said.Write([]byte("the \x1b end\n"))
	lines := strings.Split(said.String(), "\n")
	assert.Len(t, lines, 61)
	assert.Regexp(t, `… \d+ earlier lines`, lines[0])
	assert.Equal(t, `  the \x1b end`, lines[60])
}

func TestModuleRoot(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	assert.Equal(t, deep, testkit.Must(moduleRoot(deep))(t), "the folder itself, where there is no checkout")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("// a comment\nmodule github.com/gobfcl/bfcl\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a", "go.mod"), []byte("module example.com/other\n"), 0o644))
	assert.Equal(t, dir, testkit.Must(moduleRoot(deep))(t))
}

func TestLastWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat(`{"Action":"output","Output":"=== RUN   x\n"}`+"\n", 9000)+
		`{"Action":"run","Test":"x"}`+"\n"+`{"Action":"output","Output":"panic: \u001b[31mboo\n"}`+"\n"+`{"Action":"out`), 0o644))
	assert.Equal(t, `  panic: \x1b[31mboo`, process.LastWords(path))
	assert.Empty(t, process.LastWords(path+"x"))
}

// TestNoTestCodeIsLinked: the command must start fast and take no test flags.
// Package testing is there for the command's own suite, and adds its flags only
// when that runs.
func TestNoTestCodeIsLinked(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "list", "-deps", ".")
	cmd.Dir = filepath.Join(testkit.ModuleRoot(t), "cmd", "bfcl")
	out := testkit.Must(cmd.Output())(t)
	for _, name := range strings.Fields(string(out)) {
		assert.NotEqual(t, process.Module+"/internal/test/testkit", name)
		assert.NotContains(t, name, "stretchr/testify")
	}
}

// TestScoreTellsTheStanding: below the table of a complete V4 run stands its
// place among the published models, and in its JSON too.
func TestScoreTellsTheStanding(t *testing.T) {
	s := leaderboard.All()[22].Score
	var out bytes.Buffer
	place, ok := leaderboard.Place(s)
	require.True(t, ok)
	file := export.ScoreFile{Score: s, Findings: &tally.Findings{}, Standing: &place}
	require.NoError(t, show.Score(&out, say.Screen{}, file))
	assert.Contains(t, out.String(), "Would stand at rank 23 of 110 on the public leaderboard of "+leaderboard.Date)
	out.Reset()
	require.NoError(t, writeJSON(&out, file))
	assert.Contains(t, out.String(), `"rank": 23,`)
	_, ok = leaderboard.Place(&score.Score{Run: score.Run{Dataset: "starter"}})
	assert.False(t, ok)
}

// FuzzJudge reads answers from standard input.
func FuzzJudge(f *testing.F) {
	f.Add("[f(x=1)]", "prompt")
	f.Add(`[{"f": "{\"x\": 1}"}]`, "fc")
	f.Fuzz(func(t *testing.T, answer, mode string) {
		var out, errs bytes.Buffer
		_ = Main([]string{"judge", "--id=simple_python_0", "--mode=" + mode, "-"}, strings.NewReader(answer), &out, &errs)
		for _, r := range errs.String() {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Fatalf("%q is printed: %q", r, errs.String())
			}
		}
	})
}

// TestMCPConnect passes a client's calls on from standard input and output.
func TestMCPConnect(t *testing.T) {
	host := testkit.Must(endpoint.Listen())(t)
	defer func() { _ = host.Close() }()
	e := testkit.Must(host.Open(endpoint.Noted{}, endpoint.Limits{}))(t)
	require.NoError(t, e.Show([]endpoint.Tool{{Name: "add", Description: "Adds.", Schema: json.RawMessage(`{"type": "object"}`)}}))
	e.Begin()
	t.Setenv(agent.URLVariable, e.URL())
	_, value := e.Header()
	t.Setenv(agent.TokenVariable, strings.TrimPrefix(value, agent.Scheme))
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	var said bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- Main([]string{"mcp-connect"}, inRead, outWrite, &said)
		_ = outWrite.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s := testkit.Must(client.Connect(t.Context(), &mcp.IOTransport{Reader: outRead, Writer: inWrite}, nil))(t)
	result := testkit.Must(s.CallTool(t.Context(), &mcp.CallToolParams{Name: "add", Arguments: json.RawMessage(`{"a":1}`)}))(t)
	assert.Contains(t, result.Content[0].(*mcp.TextContent).Text, "noted")
	_ = inWrite.Close()
	assert.Equal(t, exitOK, <-ended, said.String())
	_ = s.Close()
	calls := e.End()
	require.Len(t, calls, 1)
	assert.JSONEq(t, `{"a": 1}`, calls[0].Arguments)
}
