package record_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// holdVariable names the folder that a child of the test binary claims and
// holds until it is killed.
const holdVariable = "BFCL_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdVariable); dir != "" {
		hold(dir)
		return
	}
	os.Exit(m.Run())
}

func hold(dir string) {
	c, err := record.ClaimFolder(dir)
	if err == nil {
		err = errors.Join(os.MkdirAll(dir, 0o755), c.Write())
	}
	if err != nil {
		_, _ = os.Stdout.WriteString(err.Error() + "\n")
		return
	}
	_, _ = os.Stdout.WriteString("held\n")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	_ = c.Release()
}

// holder is a process that has claimed a folder; release ends it in order.
func holder(t *testing.T, dir string, env ...string) (cmd *exec.Cmd, said string, release func()) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), holdVariable+"="+dir), env...)
	in := testkit.Must(cmd.StdinPipe())(t)
	out := testkit.Must(cmd.StdoutPipe())(t)
	require.NoError(t, cmd.Start())
	said = testkit.Must(bufio.NewReader(out).ReadString('\n'))(t)
	return cmd, strings.TrimSpace(said), func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
}

// TestClaim: a folder has one run at a time, by whatever path it is reached; a
// second one is told who has it.
func TestClaim(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "run")
	_, said, release := holder(t, dir)
	require.Equal(t, "held", said)
	link := filepath.Join(parent, "link")
	require.NoError(t, os.Symlink(dir, link))
	for _, path := range []string{dir, link, parent + "/./run/"} {
		_, err := record.ClaimFolder(path)
		held, ok := errors.AsType[*record.Held](err)
		require.True(t, ok, "%s: %v", path, err)
		assert.NotZero(t, held.By.Process)
		assert.NotEqual(t, os.Getpid(), held.By.Process)
		assert.ErrorContains(t, err, "is being written by process ")
	}
	release()
	c := testkit.Must(record.ClaimFolder(dir))(t)
	assert.Empty(t, c.Notes, "the first one ended in order")
	require.NoError(t, c.Write())
	require.NoError(t, c.Release())
	entries := testkit.Must(os.ReadDir(dir))(t)
	assert.Empty(t, entries, "nothing is left in the folder")
}

// TestClaimOfTheDead: the kernel frees a killed process's lock, and it is said.
func TestClaimOfTheDead(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	cmd, said, _ := holder(t, dir)
	require.Equal(t, "held", said)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	c := testkit.Must(record.ClaimFolder(dir))(t)
	require.Len(t, c.Notes, 1)
	assert.Contains(t, c.Notes[0], "ended without releasing the folder; this run takes over")
	require.NoError(t, c.Release())
}

// TestClaimLent: the child of who has claimed a folder may write it, and keeps
// it when its parent is gone.
func TestClaimLent(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	c := testkit.Must(record.ClaimFolder(dir))(t)
	require.NoError(t, c.Lend())
	_, said, release := holder(t, dir)
	assert.Equal(t, "held", said)
	_, second, end := holder(t, dir)
	assert.Contains(t, second, "is being written by process ", "two children do not write at the same time")
	end()
	require.NoError(t, c.Release())
	_, third, end := holder(t, dir)
	assert.Contains(t, third, "is being written by process ", "the parent is gone, the child is not")
	end()
	release()
	_, fourth, end := holder(t, dir)
	assert.Equal(t, "held", fourth)
	end()
}

// TestClaimOfARoot: where nothing can be written beside a folder, as beside a
// container's volume, the lock inside is enough.
func TestClaimOfARoot(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("folders that cannot be written need another user")
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "run")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.Chmod(parent, 0o555))
	defer func() { _ = os.Chmod(parent, 0o755) }()
	_, said, release := holder(t, dir)
	require.Equal(t, "held", said)
	testkit.Fails(record.ClaimFolder(dir))(t, "is being written by process ")
	release()
}
