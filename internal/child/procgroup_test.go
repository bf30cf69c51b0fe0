//go:build unix

package child_test

import (
	"bufio"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// startScript runs a script that starts another, and returns its id.
func startScript(t *testing.T, script string) (cmd *exec.Cmd, out *bufio.Reader, in io.Closer, started int) {
	t.Helper()
	cmd = exec.Command("sh", "-c", "sleep 1000 >&2 & echo $!; "+script)
	child.Own(cmd)
	pipe := testkit.Must(cmd.StdoutPipe())(t)
	in = testkit.Must(cmd.StdinPipe())(t)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { child.Kill(cmd) })
	out = bufio.NewReader(pipe)
	line := testkit.Must(out.ReadString('\n'))(t)
	started = testkit.Must(strconv.Atoi(strings.TrimSpace(line)))(t)
	require.True(t, testkit.Runs(started))
	return cmd, out, in, started
}

func TestProcgroupKill(t *testing.T) {
	t.Parallel()
	cmd, _, _, started := startScript(t, "read line")
	child.Kill(cmd)
	var ended *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &ended)
	assert.Equal(t, syscall.SIGKILL, ended.Sys().(syscall.WaitStatus).Signal())
	testkit.RequireEnds(t, started)
}

// TestProcgroupLeftBehind: children that outlive their program are killed too.
func TestProcgroupLeftBehind(t *testing.T) {
	t.Parallel()
	cmd, _, in, started := startScript(t, "read line")
	require.NoError(t, in.Close())
	require.Error(t, cmd.Wait(), "read fails at the end of its input")
	require.True(t, testkit.Runs(started))
	child.Kill(cmd)
	testkit.RequireEnds(t, started)
}

// TestProcgroupInterrupt: an interrupted program can clean up before it exits.
func TestProcgroupInterrupt(t *testing.T) {
	t.Parallel()
	cmd, out, _, _ := startScript(t, "trap 'echo heard; exit 7' INT; echo ready; read line")
	line := testkit.Must(out.ReadString('\n'))(t)
	require.Equal(t, "ready\n", line)
	child.Interrupt(cmd)
	line = testkit.Must(out.ReadString('\n'))(t)
	assert.Equal(t, "heard\n", line)
	_ = cmd.Wait()
	assert.Equal(t, 7, cmd.ProcessState.ExitCode())
}
