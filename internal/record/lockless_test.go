package record

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

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
