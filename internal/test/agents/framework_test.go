package agents_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	_ "github.com/gobfcl/bfcl/internal/world/endpoint/mcptools"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// npm returns a copy of a folder of testdata with the packages that its
// package.json names. Without node or npm's registry the test is skipped.
func npm(t *testing.T, name string) (dir string) {
	t.Helper()
	testkit.Extra(t, "installs packages from npm")
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("there is no " + program)
		}
	}
	dir = t.TempDir()
	from := filepath.Join("testdata", name)
	require.NoError(t, os.CopyFS(dir, os.DirFS(from)))
	const modules = "node_modules"
	require.NoError(t, os.Symlink(filepath.Join(installed(t, name, filepath.Join(from, "package.json")), modules), filepath.Join(dir, modules)))
	return dir
}

// cached returns a folder in the user's cache for what is fetched and built.
func cached(t *testing.T) (dir string) {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = t.TempDir()
	}
	dir = filepath.Join(dir, "bfcl-test")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	return dir
}

// installed returns a folder with the packages that a package.json names,
// installed once for each version of node.
func installed(t *testing.T, name, manifest string) (dir string) {
	t.Helper()
	wanted := testkit.Must(os.ReadFile(manifest))(t)
	version := testkit.Must(exec.CommandContext(t.Context(), "node", "--version").Output())(t)
	cache := cached(t)
	sum := sha256.Sum256(append(version, wanted...))
	dir = filepath.Join(cache, name+"-"+hex.EncodeToString(sum[:8]))
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	fresh := testkit.Must(os.MkdirTemp(cache, "new-"))(t)
	defer func() { _ = os.RemoveAll(fresh) }()
	require.NoError(t, os.WriteFile(filepath.Join(fresh, "package.json"), wanted, 0o644))
	cmd := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
	cmd.Dir = fresh
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("npm's packages cannot be installed: %v: %s", err, out)
	}
	if err := os.Rename(fresh, dir); err != nil { // another process was faster
		require.DirExists(t, dir)
	}
	return dir
}

// TestOpenAIAgents: an agent on npm's @openai/agents, a server with a scripted
// model, solves all starter conversations, and its mistakes are judged as a
// model's are.
func TestOpenAIAgents(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "node", "agent.mjs")
	cmd.Dir = npm(t, "node")
	cmd.Stderr = os.Stderr
	out := testkit.Must(cmd.StdoutPipe())(t)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	port := testkit.Must(bufio.NewReader(out).ReadString('\n'))(t)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	server := func(script string) string {
		return "agent+http://127.0.0.1:" + strings.TrimSpace(port) + "/turn?script=" + url.QueryEscape(script)
	}
	solves(t, server, conversations...)
	errs(t, server)
}

// TestEino: a ReAct agent of CloudWeGo's eino, with a scripted chat model and
// another client of the protocol, solves all starter conversations, and its
// mistakes are judged as a model's are. It is a module of its own, which is
// built here.
func TestEino(t *testing.T) {
	testkit.Extra(t, "fetches and builds eino")
	built := filepath.Join(cached(t), "eino-agent") // go build leaves it where it is up to date
	for _, args := range [][]string{{"mod", "download"}, {"build", "-o", built, "."}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = filepath.Join("testdata", "eino")
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if err != nil && args[0] == "mod" {
			t.Skipf("eino's modules cannot be fetched: %v: %s", err, out)
		}
		require.NoError(t, err, "%s", out)
	}
	solves(t, program(t, built), conversations...)
	errs(t, program(t, built))
}

// TestInspector: the protocol's own inspector, from npm, lists an endpoint's
// tools and calls one.
func TestInspector(t *testing.T) {
	dir := npm(t, "inspector")
	host := testkit.Must(endpoint.Listen())(t)
	defer func() { _ = host.Close() }()
	env := testkit.Must(classes.Library.Open(sim.Setup{Model: "m", Entry: "e", Involved: []string{"MathAPI"}}))(t)
	e := testkit.Must(host.Open(endpoint.Simulated{Env: env}, endpoint.Limits{}))(t)
	require.NoError(t, e.Show([]endpoint.Tool{{
		Name: "add", Description: "Adds.", Schema: json.RawMessage(`{"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}}`),
	}}))
	e.Begin()
	name, value := e.Header()
	inspect := func(args ...string) string {
		all := append([]string{"--cli", e.URL(), "--transport", "http", "--header", name + ": " + value}, args...)
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "node_modules", ".bin", "mcp-inspector"), all...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	assert.Contains(t, inspect("--method", "tools/list"), `"name": "add"`)
	assert.Contains(t, inspect("--method", "tools/call", "--tool-name", "add", "--tool-arg", "a=1", "b=2"), `{\"result\": 3}`)
	calls := e.End()
	require.Len(t, calls, 1)
	assert.JSONEq(t, `{"a": 1, "b": 2}`, calls[0].Arguments)
}
