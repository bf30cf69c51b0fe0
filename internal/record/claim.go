package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/say"
)

// claimedVariable names, in the environment, the run folder claimed for a child process.
const claimedVariable = "BFCL_RUN_CLAIMED"

// writingFile is the lock file, in the run folder, of the process that writes
// records. That process holds it as long as it lives, even if the process that
// claimed the folder has been killed.
const writingFile = ".writing"

// patience is how long a writing process whose parent is gone may take to end.
const patience = 3 * time.Second

// A Claim keeps other runs out of a run folder until it is released. The kernel
// releases the claim of a process that dies.
type Claim struct {
	// Notes are remarks for the user: that an earlier run did not release the
	// folder, or that the file system has no locks.
	Notes []string

	dir    string
	beside *hold // nil if another process has it or it cannot be taken
	inside *hold // held while this process writes
}

// A Held error says which process is using a run folder.
type Held struct {
	Dir string
	By  Holder
}

// A Holder is a process that holds a lock.
type Holder struct {
	Process int       `json:"process"`
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
}

// Error names the process.
func (h *Held) Error() string {
	by := "another process"
	if h.By.Process != 0 {
		by = h.By.String()
	}
	return fmt.Sprintf("the run folder %s is being written by %s: wait until it ends, or choose another -run-dir", h.Dir, by)
}

// String returns the process, its host and when it took the lock.
func (h Holder) String() string {
	return fmt.Sprintf("process %d on %s, since %s", h.Process, say.Plain(cmp.Or(h.Host, "an unnamed host"), 100), h.Since.Local().Format("2006-01-02 15:04:05"))
}

// ClaimFolder claims a run folder, which need not exist. The error is a *Held
// if another run has claimed it. The lock is beside the folder because the
// folder may be moved aside. If nothing can be written there, nothing can be
// moved either, and the lock inside the folder is enough.
func ClaimFolder(dir string) (*Claim, error) {
	c := &Claim{dir: dir}
	if os.Getenv(claimedVariable) == resolved(dir) {
		return c, nil
	}
	at := resolved(dir)
	beside, err := take(filepath.Join(filepath.Dir(at), "."+strings.TrimLeft(filepath.Base(at), ".")), 0)
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
	case err != nil:
		return nil, c.refused(err)
	default:
		c.beside = beside
		c.note(beside)
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		inside, err := take(filepath.Join(dir, writingFile), patience)
		if err != nil {
			return nil, errors.Join(c.refused(err), c.Release())
		}
		inside.release(true)
	}
	return c, nil
}

// Write claims the folder, which must exist, for this process to write records.
func (c *Claim) Write() error {
	inside, err := take(filepath.Join(c.dir, writingFile), 0)
	if err != nil {
		return c.refused(err)
	}
	c.inside = inside
	c.note(inside)
	return nil
}

// Lend lets child processes write to the folder until the claim is released.
func (c *Claim) Lend() error { return os.Setenv(claimedVariable, resolved(c.dir)) }

// Release lets other runs claim the folder.
func (c *Claim) Release() error {
	if c.inside != nil {
		c.inside.release(true)
	}
	if c.beside != nil {
		c.beside.release(false)
		if os.Getenv(claimedVariable) == resolved(c.dir) {
			return os.Unsetenv(claimedVariable)
		}
	}
	return nil
}

func (c *Claim) note(h *hold) {
	switch {
	case h.without != nil:
		c.Notes = append(c.Notes, fmt.Sprintf("the file system of %s has no locks (%v): make sure that no two runs write there", c.dir, h.without))
	case h.before != nil:
		c.Notes = append(c.Notes, fmt.Sprintf("the run of %s in %s ended without releasing the folder; this run takes over", h.before, c.dir))
	}
}

func (c *Claim) refused(err error) error {
	held, ok := errors.AsType[*Held](err)
	if !ok {
		return fmt.Errorf("run folder: %w", err)
	}
	held.Dir = c.dir
	return held
}

// resolved returns one path for a folder that several paths may lead to.
func resolved(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	if parent, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
		return filepath.Join(parent, filepath.Base(dir))
	}
	return dir
}

// A hold is a lock that this process holds. A second file says who holds it,
// because some systems do not let others read a locked file.
type hold struct {
	lock    locker
	holder  string
	before  *Holder // who had it and did not release it
	without error   // why there is no lock; nil with one
}

// A locker has the methods of a *flock.Flock that a hold needs.
type locker interface {
	TryLock() (bool, error)
	Path() string
	Close() error
}

// take takes a lock, waiting for it. The error is a *Held if another process still has it then.
func take(path string, wait time.Duration) (*hold, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	h := &hold{lock: flock.New(path+".lock", flock.SetPermissions(0o644)), holder: path + ".holder"}
	return h, h.take(wait)
}

func (h *hold) take(wait time.Duration) (err error) {
	const again = 50 * time.Millisecond
	locked := false
	for end := time.Now().Add(wait); ; time.Sleep(again) {
		if locked, err = h.lock.TryLock(); locked || err != nil || time.Now().After(end) {
			break
		}
	}
	switch {
	case errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.EINVAL): // the file system has no locks
		h.without = err
		return nil
	case err != nil:
		return err
	case !locked:
		return errors.Join(&Held{By: h.who()}, h.lock.Close())
	}
	if before := h.who(); before.Process != 0 {
		h.before = &before
	}
	host, _ := os.Hostname() // "" if it has none
	by := Holder{Process: os.Getpid(), Host: host, Since: time.Now().UTC().Truncate(time.Second)}
	data, _ := json.Marshal(by) // which has nothing that cannot be written
	if err := WriteFile(h.holder, data); err != nil {
		return errors.Join(err, h.lock.Close())
	}
	return nil
}

// who returns the process that signed; the zero Holder if that cannot be read.
func (h *hold) who() (by Holder) {
	const longest = 1 << 12
	data, err := plainfile.Read(h.holder, longest)
	if err != nil || json.Unmarshal(data, &by) != nil {
		return Holder{}
	}
	return by
}

// release gives a lock back. remove must be false if other processes may be
// waiting for the lock: one that has the removed file open would get a lock
// that nobody else sees.
func (h *hold) release(remove bool) {
	if h.without == nil {
		_ = os.Remove(h.holder)
	}
	_ = h.lock.Close()
	if remove {
		_ = os.Remove(h.lock.Path())
	}
}

// Astray returns an error if a file of a run folder has answers to the wanted cases,
// by id, that are not among those that were read: they would be asked for again. The
// files of read categories need no second look.
func Astray(dir string, read []*eval.Category, wanted map[string]*eval.Category, have Answers) error {
	for trial := range have {
		placed := map[string]bool{}
		for _, cat := range read {
			placed[ResultFile(dir, cat, trial)] = true
		}
		err := filepath.WalkDir(ResultDir(dir, trial), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || placed[path] || strings.HasPrefix(entry.Name(), ".") {
				return nil
			}
			rows, err := Read(path, true)
			if err != nil {
				return nil // it holds something else
			}
			for _, row := range rows {
				_, found := have.Get(row.ID, trial)
				if cat := wanted[row.ID]; cat != nil && !found {
					return fmt.Errorf("%s holds the answer to %.100q, which would be asked for again: it belongs into %s; move it there, or away", path, row.ID, ResultFile(dir, cat, trial))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
