package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLedgerIsBounded: a full file is rotated away, and of what goes the sums
// stay; a line that is known better later is written over in its place.
func TestLedgerIsBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l, err := OpenLedger(dir)
	require.NoError(t, err)
	l.full = 10 * ledgerWidth
	var late *Sent
	for i := range 95 {
		s := &Sent{Case: strings.Repeat("é\n", 400), Step: i + 1, Fate: Open, Served: strings.Repeat("m", 900)}
		l.Put(s)
		s.Fate, s.Dollars = Kept, 0.5
		if i == 94 {
			late = s
			break
		}
		l.Put(s)
	}
	sums, err := ReadLedger(dir, nil)
	require.NoError(t, err)
	assert.Equal(t, map[Fate]Sum{Kept: {94, 47}, Open: {1, 0}}, sums)
	l.Put(late)
	require.NoError(t, l.Close())
	path := filepath.Join(dir, LedgerFile)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(`{"case": "torn`)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	listed := 0
	sums, err = ReadLedger(dir, func(s Sent) { listed++ })
	require.NoError(t, err)
	assert.Equal(t, map[Fate]Sum{Kept: {95, 47.5}}, sums)
	assert.Less(t, listed, 21)

	l, err = OpenLedger(dir) // continued: the torn line goes
	require.NoError(t, err)
	l.Put(&Sent{Fate: Refused})
	require.NoError(t, l.Close())
	sums, err = ReadLedger(dir, nil)
	require.NoError(t, err)
	assert.Equal(t, Sum{Requests: 1}, sums[Refused])
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Zero(t, info.Size()%ledgerWidth)
	_, err = ReadLedger(t.TempDir(), nil)
	assert.ErrorIs(t, err, os.ErrNotExist)
}
