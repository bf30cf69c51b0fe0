package record

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A fullDisk has room for so many bytes, and now and then for more: somebody
// tidies up. Where stuck, what was written cannot be taken back either.
type fullDisk struct {
	*os.File
	room  *int
	stuck bool
}

func (f fullDisk) Write(line []byte) (int, error) {
	if n := *f.room; n < len(line) {
		*f.room = 0
		if n == len(line)-1 {
			n-- // Repair keeps an answer that lacks its newline alone
		}
		n, _ = f.File.Write(line[:n])
		return n, &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	*f.room -= len(line)
	return f.File.Write(line)
}

func (f fullDisk) Truncate(size int64) error {
	if f.stuck {
		return syscall.EIO
	}
	return f.File.Truncate(size)
}

// TestFullDisk writes to a disk that is full time and again: what Append
// accepted is there, whole and once, and nothing else is.
func TestFullDisk(t *testing.T) {
	cat := &eval.Category{Name: "simple_python", Group: "non_live"}
	refused := 0
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		dir, room := t.TempDir(), random.IntN(300)
		w, err := NewWriter(dir, nil)
		require.NoError(t, err)
		w.create = func(path string) (file, error) {
			f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
			return fullDisk{f, &room, seed%2 == 1}, err
		}
		var want []string
		for i := range 40 {
			id := fmt.Sprintf("simple_python_%d", i)
			err := w.Append(cat, &eval.Request{ID: id}, &eval.Response{Result: eval.TextResult("f()")})
			if err == nil {
				want = append(want, id)
				continue
			}
			refused++
			require.ErrorIs(t, err, syscall.ENOSPC)
			if random.IntN(3) == 0 {
				room = random.IntN(400)
			}
		}
		room = 1 << 20
		require.NoError(t, w.Append(cat, &eval.Request{ID: "last"}, &eval.Response{Result: eval.TextResult("f()")}))
		require.NoError(t, w.Close())
		rows, err := Read(filepath.Join(dir, "result", "non_live", FileName("simple_python")), false)
		require.NoError(t, err)
		var got []string
		for _, row := range rows {
			got = append(got, row.ID)
		}
		assert.Equal(t, append(want, "last"), got, "seed %d", seed)
	}
	assert.Greater(t, refused, 100)
	t.Logf("%d lines refused by a full disk", refused)
}

// An unseenFile cannot be looked at.
type unseenFile struct{ *os.File }

func (unseenFile) Stat() (os.FileInfo, error) { return nil, syscall.ESTALE }

// TestUnseenFile: an answer is not accepted if nobody can say where it went.
func TestUnseenFile(t *testing.T) {
	w, err := NewWriter(t.TempDir(), nil)
	require.NoError(t, err)
	w.create = func(path string) (file, error) {
		f, err := os.Create(path)
		return unseenFile{f}, err
	}
	err = w.Append(&eval.Category{Name: "simple_python", Group: "non_live"}, &eval.Request{ID: "a"}, &eval.Response{Result: eval.TextResult("f()")})
	require.ErrorIs(t, err, syscall.ESTALE)
	require.NoError(t, w.Close())
}
