package adapters_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestListed(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range adapters.Kinds() {
		assert.False(t, seen[k.Name], "%s is listed twice", k.Name)
		seen[k.Name] = true
		assert.Positive(t, k.Concurrency, k.Name)
		assert.NotNil(t, k.Open, k.Name)
		assert.Empty(t, adapters.Tag(k.Name), "%s is in this build", k.Name)
	}
}

// TestNoModelIsCalledAsAnAdapter: a local adapter is found without reading the
// embedded catalogue, so no model there may have such a name.
func TestNoModelIsCalledAsAnAdapter(t *testing.T) {
	t.Parallel()
	models := testkit.Must(catalog.Load())(t)
	local, names := map[string]bool{}, 0
	for _, k := range adapters.Kinds() {
		local[k.Name] = !k.Remote
	}
	require.True(t, local["oracle"] && local["replay"])
	for _, e := range models.List() {
		for _, name := range append([]string{e.Name, e.ID}, e.Aliases...) {
			adapter, _, _ := strings.Cut(name, ":")
			assert.False(t, local[adapter], "%s: %s", e.Name, name)
			names++
		}
	}
	t.Logf("%d names", names)
}

// TestTagged holds each adapter behind a build tag to the name of its file: a
// build without the tag knows nothing else of it.
func TestTagged(t *testing.T) {
	files := testkit.Must(filepath.Glob("tag_*.go"))(t)
	require.NotEmpty(t, files)
	listed := map[string]bool{}
	for _, k := range adapters.Kinds() {
		listed[k.Name] = true
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "tag_"), ".go")
		text := testkit.Must(os.ReadFile(file))(t)
		assert.True(t, strings.HasPrefix(string(text), "//go:build "+name+"\n"), "%s: the build tag is not the file's name", file)
		if name == "vertex" { // adds credentials
			continue
		}
		assert.Contains(t, string(text), `Name: "`+name+`"`, file)
		assert.NotEqual(t, listed[name], adapters.Tag(name) == name, "%s is either in this build or known to be missing", name)
	}
}

// TestCatalogue: every model known by name asks for an adapter that exists.
func TestCatalogue(t *testing.T) {
	models := testkit.Must(catalog.Load())(t)
	for _, e := range models.List() {
		if adapters.Tag(e.Adapter) != "" {
			continue // in builds of its own, which .ci/builds tests
		}
		assert.NoError(t, testkit.Err(adapters.Find(e)), e.Name)
	}
}

// TestStreamHelp: the help of -stream names the adapters that stream.
func TestStreamHelp(t *testing.T) {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	new(option.Options).Register(set)
	usage := set.Lookup("stream").Usage
	for _, k := range adapters.Kinds() {
		assert.Equal(t, k.Streams, strings.Contains(usage, k.Name), "%s: %s", k.Name, usage)
	}
}
