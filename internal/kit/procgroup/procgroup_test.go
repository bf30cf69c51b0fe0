//go:build unix

package procgroup_test

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

	"github.com/gobfcl/bfcl/internal/kit/procgroup"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// start runs a script that starts a child, and returns the child's id.
func start(t *testing.T, script string) (cmd *exec.Cmd, out *bufio.Reader, in io.Closer, child int) {
	t.Helper()
	cmd = exec.Command("sh", "-c", "sleep 1000 >&2 & echo $!; "+script)
	procgroup.Own(cmd)
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	in, err = cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { procgroup.Kill(cmd) })
	out = bufio.NewReader(pipe)
	line, err := out.ReadString('\n')
	require.NoError(t, err)
	child, err = strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err)
	require.True(t, testkit.Runs(child))
	return cmd, out, in, child
}

func TestKill(t *testing.T) {
	t.Parallel()
	cmd, _, _, child := start(t, "read line")
	procgroup.Kill(cmd)
	var ended *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &ended)
	assert.Equal(t, syscall.SIGKILL, ended.Sys().(syscall.WaitStatus).Signal())
	testkit.RequireEnds(t, child)
}

// TestLeftBehind: what a program that has ended left behind ends, too.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	cmd, _, in, child := start(t, "read line")
	require.NoError(t, in.Close())
	require.Error(t, cmd.Wait(), "read fails at the end of its input")
	require.True(t, testkit.Runs(child))
	procgroup.Kill(cmd)
	testkit.RequireEnds(t, child)
}

// TestInterrupt: the program hears of it and can end in order.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	cmd, out, _, _ := start(t, "trap 'echo heard; exit 7' INT; echo ready; read line")
	line, err := out.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	procgroup.Interrupt(cmd)
	line, err = out.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "heard\n", line)
	_ = cmd.Wait()
	assert.Equal(t, 7, cmd.ProcessState.ExitCode())
}
