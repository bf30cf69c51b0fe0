package record

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noLocks is a lock of a file system that has none.
type noLocks struct{ err error }

func (n noLocks) TryLock() (bool, error) { return false, n.err }
func (n noLocks) Path() string           { return "nowhere" }
func (n noLocks) Close() error           { return nil }

// TestLockless: a file system without locks keeps nobody from running, and it
// is said.
func TestLockless(t *testing.T) {
	for _, err := range []error{syscall.ENOSYS, syscall.ENOLCK, syscall.ENOTSUP, &os.PathError{Op: "flock", Err: syscall.EINVAL}} {
		h := &hold{lock: noLocks{err}, holder: filepath.Join(t.TempDir(), "holder")}
		require.NoError(t, h.take(0))
		c := &Claim{dir: "r"}
		c.note(h)
		require.Len(t, c.Notes, 1)
		assert.Contains(t, c.Notes[0], "the file system of r has no locks ("+err.Error()+")")
		assert.NoFileExists(t, h.holder)
		h.release(false)
	}
	h := &hold{lock: noLocks{syscall.EIO}}
	require.ErrorIs(t, h.take(0), syscall.EIO)
}

// A lateLock is free at the second attempt.
type lateLock struct {
	noLocks
	tried *int
}

func (l lateLock) TryLock() (bool, error) {
	*l.tried++
	return *l.tried > 1, nil
}

// TestLockIsWaitedFor: as long as there is patience, and not after an error.
func TestLockIsWaitedFor(t *testing.T) {
	for _, row := range []struct {
		wait  time.Duration
		tried int
	}{{0, 1}, {time.Minute, 2}} {
		tried := 0
		locked, err := (&hold{lock: lateLock{tried: &tried}}).try(row.wait)
		require.NoError(t, err)
		assert.Equal(t, row.tried == 2, locked)
		assert.Equal(t, row.tried, tried)
	}
	_, err := (&hold{lock: noLocks{syscall.EIO}}).try(time.Minute)
	require.ErrorIs(t, err, syscall.EIO)
}

// TestHolderNamed: what is not known of who holds a folder is not invented.
func TestHolderNamed(t *testing.T) {
	assert.Contains(t, (&Held{Dir: "r"}).Error(), "r is being written by another process: ")
	assert.Contains(t, (&Held{By: Holder{Process: 1}}).Error(), "by process 1 on an unnamed host, since ")
	assert.Contains(t, (&Held{By: Holder{Process: 2, Host: "h"}}).Error(), "by process 2 on h, since ")
}

// TestResolved: a folder has one path, also before it is there.
func TestResolved(t *testing.T) {
	real, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	t.Chdir(real)
	require.NoError(t, os.Mkdir("there", 0o755))
	require.NoError(t, os.Symlink("there", "link"))
	for path, want := range map[string]string{
		"there": "there", "link": "there", "link/new": "there/new", "./there/../new": "new", "new/deep": "new/deep",
		filepath.Join(real, "link"): "there",
	} {
		assert.Equal(t, filepath.Join(real, want), resolved(path), path)
	}
	assert.Equal(t, filepath.Join(real, ".there"), besideFile("link"))
	assert.Equal(t, filepath.Join(real, ".hidden"), besideFile(".hidden"))
}
