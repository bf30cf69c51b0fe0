package record

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func readLedger(t *testing.T, dir string) (sums map[Fate]eval.Money, lost int) {
	t.Helper()
	sums = map[Fate]eval.Money{}
	lost, err := ReadLedger(dir, func(s *Sent) { sums[s.Fate] = sums[s.Fate].Plus(s.Money()) })
	require.NoError(t, err)
	return sums, lost
}

// TestLedger: a line that is known better later is written over in its place,
// whatever became of the file in between, and what is lost is counted.
func TestLedger(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, LedgerFile)
	require.ErrorIs(t, testkit.Err(ReadLedger(dir, nil)), os.ErrNotExist)
	l := testkit.Must(OpenLedger(dir, false))(t)
	var late *Sent
	for i := range 10 {
		late = &Sent{Case: strings.Repeat("é\n", 400), Step: i + 1, Fate: Open, Served: strings.Repeat("m", 900)}
		l.Put(late)
		if late.Fate, late.Dollars, late.Input = Kept, 0.5, 1; i < 9 {
			l.Put(late)
		}
	}
	sums, lost := readLedger(t, dir)
	assert.Equal(t, map[Fate]eval.Money{Kept: {Dollars: 4.5, Requests: 9}, Open: {Requests: 1, Unknown: 1}}, sums)
	assert.Zero(t, lost)
	l.Put(late)
	require.NoError(t, l.Close())

	change := func(edit func([]byte) []byte) {
		text := testkit.Must(os.ReadFile(path))(t)
		require.NoError(t, os.WriteFile(path, edit(text), 0o644))
	}
	whole := map[Fate]eval.Money{Kept: {Dollars: 5, Requests: 10}}
	for range 2 { // other line ends, twice, and a pass in between
		change(func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) })
		sums, lost = readLedger(t, dir)
		assert.Equal(t, whole, sums)
		assert.Zero(t, lost)
		l = testkit.Must(OpenLedger(dir, true))(t)
		require.NoError(t, l.Close())
	}
	change(func(text []byte) []byte { return append(text, `{"case": "torn`...) })
	_, lost = readLedger(t, dir)
	assert.Equal(t, 1, lost)
	l = testkit.Must(OpenLedger(dir, true))(t) // continued: the torn line stays one
	l.Put(&Sent{Fate: Refused})
	require.NoError(t, l.Close())
	whole[Refused] = eval.Money{Requests: 1}
	sums, lost = readLedger(t, dir)
	assert.Equal(t, whole, sums)
	assert.Equal(t, 2, lost)
	change(func(text []byte) []byte {
		clear(text[len(text)-100:])
		return append(text, bytes.Repeat([]byte("x"), 2<<20)...)
	})
	sums, lost = readLedger(t, dir)
	delete(whole, Refused)
	assert.Equal(t, whole, sums)
	assert.Equal(t, 3, lost, "a line that is too long ends the file")

	for _, text := range []string{"", `{"fate": "kept", "in": 1}   `} { // nothing of it is damaged, but there is no end
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		l = testkit.Must(OpenLedger(dir, true))(t)
		require.NoError(t, l.Close())
		_, lost = readLedger(t, dir)
		assert.Equal(t, 1, lost)
	}
}

// TestLedgerLacks: what is not noted is said: an earlier pass, or lines for which
// there is no room.
func TestLedgerLacks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := testkit.Must(OpenLedger(dir, true))(t)
	require.NoError(t, l.Close())
	_, lost := readLedger(t, dir)
	assert.Equal(t, 1, lost, "the passes before")
	l = testkit.Must(OpenLedger(dir, true))(t)
	s := &Sent{Fate: Kept, Dollars: math.NaN(), Input: 1}
	l.Put(s)
	l.size = -ledgerWidth // no room
	l.Put(&Sent{Fate: Kept})
	require.NoError(t, l.Close())
	sums, lost := readLedger(t, dir)
	assert.Equal(t, 2, lost)
	assert.Equal(t, map[Fate]eval.Money{Kept: {Requests: 1, Unknown: 1}}, sums)
}

// TestLedgerMoney: a price that is not known is not none.
func TestLedgerMoney(t *testing.T) {
	t.Parallel()
	for s, want := range map[Sent]eval.Money{
		{Fate: Kept, Dollars: 0.5, Input: 1}:                 {Dollars: 0.5, Requests: 1},
		{Fate: Kept, Input: 1}:                               {Requests: 1},
		{Fate: Kept}:                                         {Requests: 1, Unknown: 1},
		{Fate: Kept, Dollars: 0.5, Input: 1, Unpriced: true}: {Dollars: 0.5, Requests: 1, Unknown: 1},
		{Fate: Retried}:                                      {Requests: 1},
		{Fate: Open}:                                         {Requests: 1, Unknown: 1},
		{Fate: Refused, Unpriced: true}:                      {Requests: 1, Unknown: 1},
		{Fate: Kept, Dollars: -5, Input: 1}:                  {Requests: 1, Unknown: 1},
	} {
		assert.Equal(t, want, s.Money(), "%v", s)
	}
}

// A closing tells that a file was closed.
type closing struct {
	file
	closed func()
}

func (c closing) Close() error {
	c.closed()
	return c.file.Close()
}

func manyCategories(n int) (cats []*eval.Category) {
	for i := range n {
		cats = append(cats, &eval.Category{Name: fmt.Sprintf("kind_%d", i), Group: "non_live"})
	}
	return cats
}

// written are the ids of a category's answers, in the file's order.
func written(t *testing.T, dir string, cat *eval.Category) (ids []string) {
	t.Helper()
	rows := testkit.Must(Read(ResultFile(dir, cat, 0), false))(t)
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	return ids
}

// TestFewFilesKept: a Writer keeps no more files open than it may, and each line
// is there all the same.
func TestFewFilesKept(t *testing.T) {
	t.Parallel()
	dir, open, most := t.TempDir(), 0, 0
	w := testkit.Must(NewWriter(dir, nil))(t)
	w.most = 3
	w.create = func(path string) (file, error) {
		f, err := plainfile.Append(path)
		open++
		most = max(most, open)
		return closing{f, func() { open-- }}, err
	}
	cats := manyCategories(7)
	const lines = 20
	want := map[string][]string{}
	for i := range lines {
		for k, cat := range cats {
			id := fmt.Sprintf("%s_%d", cat.Name, i)
			if (i+k)%3 == 0 {
				id = fmt.Sprintf("%s_x%d", cat.Name, i)
			}
			require.NoError(t, w.Append(cat, &eval.Request{ID: id}, &eval.Response{Result: eval.TextResult("f()")}))
			want[cat.Name] = append(want[cat.Name], id)
		}
	}
	require.NoError(t, w.Close())
	assert.Equal(t, 3, most)
	assert.Zero(t, open)
	for _, cat := range cats {
		assert.Equal(t, want[cat.Name], written(t, dir, cat))
	}
}

// TestNoDescriptorLeft: where the process has no descriptor left, an answer gets
// that of another file; only without any it is refused.
func TestNoDescriptorLeft(t *testing.T) {
	t.Parallel()
	dir, free := t.TempDir(), 1
	w := testkit.Must(NewWriter(dir, nil))(t)
	w.create = func(path string) (file, error) {
		if free == 0 {
			return nil, &os.PathError{Op: "open", Path: path, Err: syscall.EMFILE}
		}
		free--
		f, err := plainfile.Append(path)
		return closing{f, func() { free++ }}, err
	}
	cats := manyCategories(4)
	write := func(cat *eval.Category, id string) error {
		return w.Append(cat, &eval.Request{ID: id}, &eval.Response{Result: eval.TextResult("f()")})
	}
	for _, cat := range cats {
		require.NoError(t, write(cat, "a"))
	}
	require.NoError(t, write(cats[0], "c"))
	assert.Equal(t, []string{"a", "c"}, written(t, dir, cats[0]))

	require.NoError(t, w.drop(ResultFile(dir, cats[0], 0)))
	free = 0
	err := write(cats[1], "lost")
	require.ErrorIs(t, err, syscall.EMFILE)
	require.ErrorContains(t, err, filepath.Join("non_live", FileName(cats[1].Name)))
	free = 1
	require.NoError(t, write(cats[1], "later"))
	require.NoError(t, w.Close())
	assert.Equal(t, []string{"a", "later"}, written(t, dir, cats[1]))
}

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
		w := testkit.Must(NewWriter(dir, nil))(t)
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
		rows := testkit.Must(Read(filepath.Join(dir, "result", "non_live", FileName("simple_python")), false))(t)
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
	w := testkit.Must(NewWriter(t.TempDir(), nil))(t)
	w.create = func(path string) (file, error) {
		f, err := os.Create(path)
		return unseenFile{f}, err
	}
	err := w.Append(&eval.Category{Name: "simple_python", Group: "non_live"}, &eval.Request{ID: "a"}, &eval.Response{Result: eval.TextResult("f()")})
	require.ErrorIs(t, err, syscall.ESTALE)
	require.NoError(t, w.Close())
}

// TestReceipt: what was sent for the selection is in the sum, looks too; what was sent
// for other cases is beside it, each of their answers once. What is not known is said.
func TestReceipt(t *testing.T) {
	t.Parallel()
	dir, gone := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, LedgerFile), []byte(`{"case":"a","fate":"kept","dollars":1,"in":1,"served":"m"}
{"case":"a","fate":"retried","dollars":2,"in":1,"error":"reset"}
{"case":"a","trial":1,"fate":"kept","dollars":4,"in":1}
{"fate":"looked","dollars":8,"in":1}
{"case":"b","fate":"kept","dollars":16,"in":1}
{"case":"b","fate":"kept","dollars":16,"in":1}
{"case":"c","fate":"refused","dollars":32,"in":1}
{
`), 0o600))
	r := NewReceipt()
	r.Ask("a", 0)
	require.NoError(t, r.Read(dir))
	require.NoError(t, r.Read(gone))
	r.Close()
	assert.InDelta(t, 11, r.Dollars, 0)
	assert.Equal(t, []any{3, 68.0, 2}, []any{r.Requests, r.Beside.Dollars, r.Others})
	assert.InDelta(t, 1, r.Held("a", 0).Dollars, 0)
	assert.Zero(t, r.Held("b", 0))
	assert.Equal(t, []string{"parts of the ledger that are lost: 1", "run folders without a ledger: 1"}, r.Lacks)
	assert.Equal(t, []any{map[string]int{"m": 1}, map[string]int{"reset": 1}, []string{gone}}, []any{r.Served, r.Errors, r.Without})
}
