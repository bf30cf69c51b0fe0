package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/record"
)

func notesFile(t *testing.T, text string) (dir, path string) {
	dir = t.TempDir()
	path = filepath.Join(dir, record.NotesFile)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return dir, path
}

func TestReadNotes(t *testing.T) {
	t.Parallel()
	dir, _ := notesFile(t, "a: unsure\nb:\n  benchmark: the key names\n    another city\nc: {model: 'no: call'}\n")
	notes, err := record.ReadNotes(dir, []string{"a", "b", "c"})
	require.NoError(t, err)
	require.Equal(t, map[string]record.Note{
		"a": {Mark: "unsure"}, "b": {Mark: "benchmark", Text: "the key names another city"}, "c": {Mark: "model", Text: "no: call"},
	}, notes)
	notes, err = record.ReadNotes(t.TempDir(), nil)
	require.NoError(t, err)
	require.Empty(t, notes)
}

// What is wrong is said with its line and a hint; the other notes are read.
func TestReadNotesRefuses(t *testing.T) {
	t.Parallel()
	dir, path := notesFile(t, "simple_1: modle\nsimple_22: model\nsimple_3: {model: a, server: b}\nsimple_4: [model]\nsimple_2: server\nsimple_5:\n")
	notes, err := record.ReadNotes(dir, []string{"simple_1", "simple_2", "simple_3", "simple_4", "simple_5"})
	require.EqualError(t, err, path+`:1: "simple_1": a note is a mark (model, server, benchmark, unsure), a colon and a text, not "modle"; did you mean "model"?`+"\n"+
		path+`:2: the run has no case "simple_22"; did you mean "simple_2"?`+"\n"+
		path+`:3: "simple_3": want a mark (model, server, benchmark, unsure), or a mark with a text`+"\n"+
		path+`:4: "simple_4": want a mark (model, server, benchmark, unsure), or a mark with a text`+"\n"+
		path+`:6: "simple_5": a note is a mark (model, server, benchmark, unsure), a colon and a text, not ""`)
	require.Equal(t, map[string]record.Note{"simple_2": {Mark: "server"}}, notes)

	for _, text := range []string{"a: model\na: server\n", "- a\n", "a: model\n---\nb: model\n", "a: &x [*x]\n", "\x00"} {
		dir, path := notesFile(t, text)
		_, err := record.ReadNotes(dir, nil)
		require.ErrorContains(t, err, path+":", text)
		require.Error(t, record.WriteNote(dir, "a", record.Note{Mark: "model"}))
		kept, _ := os.ReadFile(path)
		require.Equal(t, text, string(kept))
	}
}

func TestWriteNote(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ before, want string }{
		{"", "a:\n    model: 'no: call'\n"},
		{"#", "#\na:\n    model: 'no: call'\n"},
		{"b: unsure\na: server\n", "b: unsure\na:\n    model: 'no: call'\n"},
		{"# mine", "# mine\na:\n    model: 'no: call'\n"},
		{"~\n", "a:\n    model: 'no: call'\n"},
		{"# mine\n\nb: unsure # why\n", "# mine\n\nb: unsure # why\na:\n    model: 'no: call'\n"},
		{"b: unsure\na: server\nc: model\n", "b: unsure\na:\n    model: 'no: call'\nc: model\n"},
	} {
		dir, path := notesFile(t, row.before)
		if row.before == "" {
			require.NoError(t, os.Remove(path))
		}
		note, err := record.ParseNote("model: no: call")
		require.NoError(t, err)
		require.NoError(t, record.WriteNote(dir, "a", note))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, row.want, string(text))
		notes, err := record.ReadNotes(dir, nil)
		require.NoError(t, err)
		require.Equal(t, note, notes["a"])
		require.Equal(t, "model: no: call", notes["a"].String())
	}
}
