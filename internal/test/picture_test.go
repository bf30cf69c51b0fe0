package test_test

import (
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var update = flag.Bool("update", false, "write docs/wings.svg anew")

// TestPicture: docs/wings.svg is what the table draws.
func TestPicture(t *testing.T) {
	root := testkit.ModuleRoot(t)
	got, err := draw(root)
	require.NoError(t, err)
	for dec := xml.NewDecoder(strings.NewReader(string(got))); ; {
		if _, err := dec.Token(); err != nil {
			require.ErrorIs(t, err, io.EOF)
			break
		}
	}
	file := filepath.Join(root, "docs", "wings.svg")
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "docs/wings.svg is old: go test ./internal/test -update")
}

// TestDocs: the doc.go of a wing says what the table says it may import.
func TestDocs(t *testing.T) {
	root := testkit.ModuleRoot(t)
	told := 0
	for i, wing := range wings {
		text, err := wingDoc(root, wing)
		require.NoError(t, err)
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(wing), "doc.go")); err != nil || wing == "internal/eval" {
			continue // a wing of one package
		}
		told++
		assert.Contains(t, text, "It may import the wings from pattern to "+path.Base(wings[i-1])+".", wing)
	}
	assert.Equal(t, 12, told)
}

// TestArchitecture: the page names files and packages that exist.
func TestArchitecture(t *testing.T) {
	root := testkit.ModuleRoot(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	require.NoError(t, err)
	named := 0
	for _, name := range regexp.MustCompile("`((?:internal|fixtures|adapters|categories|cmd)/[a-z0-9_/.]+)`").FindAllStringSubmatch(string(page), -1) {
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name[1])))
		assert.NoError(t, err)
		named++
	}
	assert.Greater(t, named, 40)
}

func TestOf(t *testing.T) {
	assert.Equal(t, 0, wingOf("internal/pattern"))
	assert.Negative(t, wingOf("internal/elsewhere"))
	assert.Greater(t, wingOf("cmd/bfcl"), wingOf("internal/number/score"))
	assert.Equal(t, len(wings)-1, wingOf(""))
}
