package record

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
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
	_, err := ReadLedger(dir, nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, SkipLedger(dir))
	require.NoFileExists(t, path)
	l, err := OpenLedger(dir, false)
	require.NoError(t, err)
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
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, edit(text), 0o644))
	}
	whole := map[Fate]eval.Money{Kept: {Dollars: 5, Requests: 10}}
	for range 2 { // other line ends, twice, and a pass in between
		change(func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) })
		sums, lost = readLedger(t, dir)
		assert.Equal(t, whole, sums)
		assert.Zero(t, lost)
		l, err = OpenLedger(dir, true)
		require.NoError(t, err)
		require.NoError(t, l.Close())
	}
	change(func(text []byte) []byte { return append(text, `{"case": "torn`...) })
	_, lost = readLedger(t, dir)
	assert.Equal(t, 1, lost)
	l, err = OpenLedger(dir, true) // continued: the torn line stays one
	require.NoError(t, err)
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
		l, err = OpenLedger(dir, true)
		require.NoError(t, err)
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
	l, err := OpenLedger(dir, true)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	_, lost := readLedger(t, dir)
	assert.Equal(t, 1, lost, "the passes before")
	require.NoError(t, SkipLedger(dir))
	_, lost = readLedger(t, dir)
	assert.Equal(t, 2, lost, "a pass without a ledger")
	l, err = OpenLedger(dir, true)
	require.NoError(t, err)
	s := &Sent{Fate: Kept, Dollars: math.NaN(), Input: 1}
	l.Put(s)
	l.size = -ledgerWidth // no room
	l.Put(&Sent{Fate: Kept})
	require.NoError(t, l.Close())
	sums, lost := readLedger(t, dir)
	assert.Equal(t, 3, lost)
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
