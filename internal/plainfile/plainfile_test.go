package plainfile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// oddFiles makes a folder with a file, a link to it, a link to a device, a
// folder, and a file of a terabyte that takes no room.
func oddFiles(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("devices are not files there")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o644))
	require.NoError(t, os.Symlink("file", filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "device")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	holes := testkit.Must(os.Create(filepath.Join(dir, "holes")))(t)
	require.NoError(t, holes.Truncate(1<<40))
	require.NoError(t, holes.Close())
	return dir
}

func TestPlainfileRead(t *testing.T) {
	dir := oddFiles(t)
	for _, name := range []string{"file", "link"} {
		data, err := plainfile.Read(filepath.Join(dir, name), 4)
		require.NoError(t, err, name)
		assert.Equal(t, "text", string(data))
		testkit.Fails(plainfile.Read(filepath.Join(dir, name), 3))(t, "larger than 3 bytes")
	}
	for _, name := range []string{"device", "folder"} {
		testkit.Fails(plainfile.Read(filepath.Join(dir, name), 4))(t, "is not a regular file", name)
	}
	testkit.Fails(plainfile.Open(filepath.Join(dir, "holes")))(t, "holes is larger than 2 GB")
	assert.ErrorIs(t, testkit.Err(plainfile.Open(filepath.Join(dir, "none"))), fs.ErrNotExist)
}

func TestPlainfileAppend(t *testing.T) {
	dir := oddFiles(t)
	for _, name := range []string{"link", "device", "folder"} {
		testkit.Fails(plainfile.Append(filepath.Join(dir, name)))(t, "is not written to", name)
	}
	for _, name := range []string{"file", "new"} {
		file, err := plainfile.Append(filepath.Join(dir, name))
		require.NoError(t, err, name)
		testkit.Must(file.WriteString("+"))(t)
		require.NoError(t, file.Close())
	}
	data := testkit.Must(os.ReadFile(filepath.Join(dir, "file")))(t)
	assert.Equal(t, "text+", string(data))
}

func TestPlainfileOnly(t *testing.T) {
	files := plainfile.Only(os.DirFS(oddFiles(t)))
	for _, name := range []string{"file", "link"} {
		data, err := fs.ReadFile(files, name)
		require.NoError(t, err, name)
		assert.Equal(t, "text", string(data))
	}
	for name, want := range map[string]string{"device": "this is not a regular file", "holes": "this is larger than 2 GB"} {
		testkit.Fails(fs.ReadFile(files, name))(t, want)
	}
	assert.ErrorIs(t, testkit.Err(fs.ReadFile(files, "none")), fs.ErrNotExist)
	entries := testkit.Must(fs.ReadDir(files, "."))(t)
	assert.Len(t, entries, 5)
}

func TestOpenfileLimit(t *testing.T) {
	n, ok := plainfile.OpenLimit()
	if runtime.GOOS == "windows" {
		assert.False(t, ok)
		return
	}
	if ok {
		assert.Greater(t, n, plainfile.OpenFiles())
	}
}

func TestOpenfileOpen(t *testing.T) {
	before := plainfile.OpenFiles()
	if before == 0 {
		t.Skip("this system does not tell")
	}
	const more = 5
	for range more {
		f := testkit.Must(os.Open(os.DevNull))(t)
		defer func() { _ = f.Close() }()
	}
	assert.Equal(t, before+more, plainfile.OpenFiles())
}

func TestOpenfileExhausted(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("too many requests"), false},
		{os.ErrNotExist, false},
		{syscall.EMFILE, true},
		{fmt.Errorf("record: %w", &os.PathError{Op: "open", Path: "x", Err: syscall.ENFILE}), true},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("socket", syscall.EMFILE)}, true},
		{&net.DNSError{Err: "dial udp: socket: " + syscall.EMFILE.Error(), Name: "h"}, true},
		{errors.New("the model said too many open files"), false},
	} {
		assert.Equalf(t, c.want, plainfile.Exhausted(c.err), "%v", c.err)
	}
}

// readYAML walks a file of mappings whose keys are "a" and "list", down to its
// end, and returns the values of a.
func readYAML(text string) (values []string, err error) {
	r := plainfile.New("f.yaml")
	var walk func(n *yaml.Node, depth int)
	walk = func(n *yaml.Node, depth int) {
		r.Known(n, "here", []string{"a", "list"}, func(key string, _, v *yaml.Node) {
			switch {
			case key == "a":
				values = append(values, v.Value)
			case depth < plainfile.MaxDepth:
				for _, item := range v.Content {
					walk(item, depth+1)
				}
			}
		})
	}
	if doc := r.Parse([]byte(text)); doc != nil {
		walk(doc, 0)
	}
	return values, r.Err()
}

func TestYAMLReader(t *testing.T) {
	values := testkit.Must(readYAML("a: 1\nlist:\n  - &x {a: two}\n  - *x\n"))(t)
	assert.Equal(t, []string{"1", "two", "two"}, values)
	for text, want := range map[string]string{
		"b: 1":            `f.yaml:1: here: unknown key "b"; known are a, list`,
		"\n\nlst: 1":      `f.yaml:3: here: unknown key "lst"; did you mean "list"?`,
		"a: 1\na: 2":      "f.yaml:2: here: a is given twice, first in line 1",
		"- 1":             "f.yaml:1: here: want a mapping, found a list",
		"1: 2":            "a key must be a text, found a whole number: put it into quotes",
		"<<: {a: 1}":      "merge keys (<<) are not read",
		"a: [":            "f.yaml:1: not YAML: ",
		"a: 1\n---\na: 2": "a second document",
		"\"\\e[31mx\": 1": `unknown key "\x1b[31mx"`,
		"a: \x00":         "not YAML",
	} {
		assert.ErrorContainsf(t, testkit.Err(readYAML(text)), want, "%q", text)
	}
	for _, text := range []string{"", "# nothing", "~"} {
		values, err := readYAML(text)
		assert.NoErrorf(t, err, "%q", text)
		assert.Empty(t, values)
	}
}

// TestYAMLBomb: aliases of aliases, which multiply, are counted.
func TestYAMLBomb(t *testing.T) {
	bomb := "list:\n  - &x0 {list: [{a: 1}]}\n"
	for i := range 40 {
		bomb += strings.NewReplacer("N", string(rune('a'+i%26))+strings.Repeat("y", i), "P", anchorBefore(i)).Replace("  - &N {list: [*P, *P, *P, *P]}\n")
	}
	testkit.Fails(readYAML(bomb))(t, "more than 100000 values")
}

func anchorBefore(i int) string {
	if i == 0 {
		return "x0"
	}
	return string(rune('a'+(i-1)%26)) + strings.Repeat("y", i-1)
}

func TestYAMLReadFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.yaml")
	require.NoError(t, os.WriteFile(path, make([]byte, 3*plainfile.MaxBytes), 0o600))
	data := testkit.Must(plainfile.ReadFile(path))(t)
	assert.Len(t, data, plainfile.MaxBytes+1)
	r := plainfile.New(path)
	assert.Nil(t, r.Parse(data))
	assert.ErrorContains(t, r.Err(), "larger than")
}

func FuzzYAMLReader(f *testing.F) {
	for _, seed := range []string{"a: 1", "list: [{a: 1}]", "a: &x 1\nlist: [*x]", "a: [", "? a\n: 1", "a: !!binary x", "--- a\n--- b"} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, text string) { _, _ = readYAML(text) })
}
