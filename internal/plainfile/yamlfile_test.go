package plainfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/plainfile"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

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
	values, err := readYAML("a: 1\nlist:\n  - &x {a: two}\n  - *x\n")
	require.NoError(t, err)
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
		_, err := readYAML(text)
		assert.ErrorContainsf(t, err, want, "%q", text)
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
	_, err := readYAML(bomb)
	assert.ErrorContains(t, err, "more than 100000 values")
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
	data, err := plainfile.ReadFile(path)
	require.NoError(t, err)
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
