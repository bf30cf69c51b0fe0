package agents_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// npm installs what a folder of testdata wants into a folder of the test's own,
// and skips the test where there is no node, or nothing can be had from npm's
// registry.
func npm(t *testing.T, name string) (dir string) {
	t.Helper()
	if testing.Short() {
		t.Skip("npm's packages are fetched: not with -short")
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("there is no " + program)
		}
	}
	dir = t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))))
	cmd := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("npm's packages cannot be installed: %v: %s", err, out)
	}
	return dir
}

// TestOpenAIAgents: an agent on npm's @openai/agents, a server with a scripted
// model, solves all starter conversations, and its mistakes are judged as a
// model's are.
func TestOpenAIAgents(t *testing.T) {
	dir := npm(t, "node")
	server := func(_, script string) string {
		cmd := exec.CommandContext(t.Context(), "node", "agent.mjs")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), scriptVariable+"="+script)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		port, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		go func() { _, _ = io.Copy(io.Discard, out) }()
		return "agent+http://127.0.0.1:" + strings.TrimSpace(port) + "/turn"
	}
	solves(t, server, conversations...)
	errs(t, server)
}
