package record

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
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
	require.ErrorIs(t, h.take(time.Hour), syscall.EIO, "after an error there is nothing to wait for")
}

// TestHolderNamed: what is not known of who holds a folder is not invented.
func TestHolderNamed(t *testing.T) {
	assert.Contains(t, (&Held{Dir: "r"}).Error(), "r is being written by another process: ")
	assert.Contains(t, (&Held{By: Holder{Process: 1}}).Error(), "by process 1 on an unnamed host, since ")
	assert.Contains(t, (&Held{By: Holder{Process: 2, Host: "h"}}).Error(), "by process 2 on h, since ")
	long := strings.Repeat("h", 101)
	assert.Contains(t, (&Held{By: Holder{Process: 3, Host: long}}).Error(), "by process 3 on "+long[:100]+"… (101 bytes), since ")
}

// TestWhoSigned: only a whole signature, of a sane size, names a process.
func TestWhoSigned(t *testing.T) {
	const signature, most = `{"process": 7}`, 4096
	for text, want := range map[string]int{
		signature: 7, signature + strings.Repeat(" ", most-len(signature)): 7, signature + strings.Repeat(" ", most+1-len(signature)): 0,
		`{"process": 7, "host": 1}`: 0, "": 0,
	} {
		h := &hold{holder: filepath.Join(t.TempDir(), "holder")}
		assert.Zero(t, h.who(), "nobody signed")
		require.NoError(t, os.WriteFile(h.holder, []byte(text), 0o600))
		assert.Equal(t, Holder{Process: want}, h.who(), "%d bytes", len(text))
	}
}

// TestPatience: a claim waits for who still writes, but not for long, and takes
// no lock if it is refused.
func TestPatience(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		ends, waited time.Duration
		held         bool
	}{{time.Second, time.Second, false}, {time.Minute, 3050 * time.Millisecond, true}, {3 * time.Second, 3 * time.Second, false}} {
		synctest.Test(t, func(t *testing.T) {
			writing := testkit.Must(take(filepath.Join(dir, writingFile), 0))(t)
			began := time.Now()
			time.AfterFunc(c.ends-1, func() { writing.release(true) })
			claim, err := ClaimFolder(dir)
			assert.Equal(t, c.waited, time.Since(began))
			_, held := errors.AsType[*Held](err)
			assert.Equal(t, c.held, held, "%v", err)
			if held {
				assert.ErrorContains(t, err, "the run folder "+dir+" is being written by process ")
			}
			if claim != nil {
				require.NoError(t, claim.Release())
			}
			time.Sleep(time.Hour)
		})
	}
}

// TestReleased: the lock beside a folder is given back but stays, for others may
// wait for it; who was lent the folder does not give it back.
func TestReleased(t *testing.T) {
	t.Setenv(claimedVariable, "")
	top := t.TempDir()
	beside := filepath.Join(resolved(top), ".run")
	for _, name := range []string{"run", "run", ".run"} {
		dir := filepath.Join(top, name)
		claim := testkit.Must(ClaimFolder(dir))(t)
		assert.Empty(t, claim.Notes)
		assert.FileExists(t, beside+".holder")
		assert.NoFileExists(t, filepath.Join(dir, writingFile+".lock"), "nobody writes yet")
		require.NoError(t, claim.Lend())
		lent := testkit.Must(ClaimFolder(dir))(t)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, writingFile+".holder"), []byte(`{"process": 7, "host": "h"}`), 0o600))
		require.NoError(t, lent.Write())
		require.Len(t, lent.Notes, 1, "of a child that was killed before")
		assert.Contains(t, lent.Notes[0], "the run of process 7 on h, since ")
		require.NoError(t, lent.Release())
		other := testkit.Must(ClaimFolder(dir + "2"))(t)
		require.NoError(t, other.Release())
		assert.Equal(t, resolved(dir), os.Getenv(claimedVariable))
		require.NoError(t, claim.Release())
		assert.Empty(t, os.Getenv(claimedVariable))
		assert.FileExists(t, beside+".lock")
		assert.NoFileExists(t, beside+".holder")
	}
}

// TestUnclaimable: what is no folder cannot be written, and a folder whose lock
// cannot be signed is nobody's.
func TestUnclaimable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	claim := testkit.Must(ClaimFolder(file))(t)
	require.ErrorContains(t, claim.Write(), "run folder: ")
	require.NoError(t, claim.Release())
	testkit.Fails(ClaimFolder(filepath.Join(file, "below")))(t, "run folder: ")

	dir := t.TempDir()
	signature := filepath.Join(dir, writingFile+".holder")
	require.NoError(t, os.Mkdir(signature, 0o755))
	testkit.Fails(ClaimFolder(dir))(t, "run folder: ")
	require.NoError(t, os.Remove(signature))
	claim = testkit.Must(ClaimFolder(dir))(t)
	require.NoError(t, claim.Release())

	if info, err := os.Stat("/sys/kernel"); err == nil && info.IsDir() { // where not even root can make a file
		claim = testkit.Must(ClaimFolder("/sys/kernel/run"))(t)
		assert.Empty(t, claim.Notes)
		require.NoError(t, claim.Release())
	}
}

// TestResolved: a folder has one path, also before it is there.
func TestResolved(t *testing.T) {
	real := testkit.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	t.Chdir(real)
	require.NoError(t, os.Mkdir("there", 0o755))
	require.NoError(t, os.Symlink("there", "link"))
	for path, want := range map[string]string{
		"there": "there", "link": "there", "link/new": "there/new", "./there/../new": "new", "new/deep": "new/deep",
		filepath.Join(real, "link"): "there",
	} {
		assert.Equal(t, filepath.Join(real, want), resolved(path), path)
	}
}
