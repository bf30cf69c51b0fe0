package workflow_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestPermissions: a workflow may nothing that a job of it does not ask for, and
// no job asks for more than its work.
func TestPermissions(t *testing.T) {
	t.Parallel()
	// writes are the permissions to write that jobs have, each with its reason in
	// docs/security.md.
	writes := []string{
		"gate.yml gate checks", "gate.yml gate pull-requests", "nightly.yml score contents",
		"release.yml image attestations", "release.yml image id-token", "release.yml image packages",
		"release.yml publish attestations", "release.yml publish contents", "release.yml publish id-token",
	}
	var found []string
	for _, path := range workflows(t) {
		w, name := load[workflow](t, path), filepath.Base(path)
		for right, level := range rights(t, w.Permissions) {
			assert.Equal(t, "read", level, "%s gives every job %s", name, right)
		}
		assert.NotNil(t, w.Permissions, "%s: without permissions a job may what the repository's default says", name)
		for id, j := range w.Jobs {
			assert.NotZero(t, j.Timeout, "%s %s has no timeout-minutes", name, id)
			for right, level := range rights(t, j.Permissions) {
				if level == "write" {
					found = append(found, name+" "+id+" "+right)
				}
			}
			for _, s := range j.Steps {
				if strings.HasPrefix(s.Uses, "actions/checkout@") {
					assert.NotEmpty(t, s.With["persist-credentials"], "%s %s leaves the token in the checkout", name, id)
				}
			}
		}
		triggers := testkit.Must(yaml.Marshal(w.On))(t)
		assert.NotContains(t, string(triggers), "pull_request_target", "%s gives a fork's code the secrets", name)
		assert.NotContains(t, string(triggers), "workflow_run", name)
	}
	slices.Sort(found)
	assert.Equal(t, writes, found)
}

func workflows(t testing.TB) []string {
	paths := testkit.Must(filepath.Glob(filepath.Join(testkit.ModuleRoot(t), ".github", "workflows", "*.yml")))(t)
	require.NotEmpty(t, paths)
	return paths
}

func rights(t testing.TB, permissions any) map[string]string {
	all := map[string]string{}
	asked, ok := permissions.(map[string]any)
	require.True(t, ok || permissions == nil, "permissions are named one by one")
	for right, level := range asked {
		all[right], _ = level.(string)
	}
	return all
}

// TestNoExpressionInScripts: an expression in a script is text that a shell then
// reads as code. Values reach scripts by variables.
func TestNoExpressionInScripts(t *testing.T) {
	t.Parallel()
	seen := 0
	hold := func(where string, all []step) {
		for _, s := range all {
			assert.NotContains(t, s.Uses, "actions/cache@", "%s: %s saves only after success: restore and save stand apart", where, s.Name)
			if s.Run != "" {
				seen++
				assert.NotContains(t, s.Run, "${{", "%s: %s", where, s.Name)
			}
		}
	}
	for _, path := range workflows(t) {
		for id, j := range load[workflow](t, path).Jobs {
			hold(filepath.Base(path)+" "+id, j.Steps)
		}
	}
	hold("action.yml", load[action](t, filepath.Join(testkit.ModuleRoot(t), "action.yml")).Runs.Steps)
	assert.Greater(t, seen, 10)
}

// TestActionIsDocumented: each input of the action stands in docs/ci.md.
func TestActionIsDocumented(t *testing.T) {
	t.Parallel()
	root := testkit.ModuleRoot(t)
	page := testkit.Must(os.ReadFile(filepath.Join(root, "docs", "ci.md")))(t)
	a := load[action](t, filepath.Join(root, "action.yml"))
	assert.Equal(t, "composite", a.Runs.Using)
	for name, input := range a.Inputs {
		assert.NotEmpty(t, input.Description, name)
		assert.Contains(t, string(page), "| `"+name+"` |", "docs/ci.md has no row for the input")
	}
}

var fence = regexp.MustCompile("(?ms)^```ya?ml\n(.*?)^```$")

// TestDocumentedYAML: every YAML on a page parses, and names no input, flag or
// command that there is not.
func TestDocumentedYAML(t *testing.T) {
	t.Parallel()
	root := testkit.ModuleRoot(t)
	pages := []string{filepath.Join(root, "README.md")}
	require.NoError(t, filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	}))
	inputs := load[action](t, filepath.Join(root, "action.yml")).Inputs
	blocks, uses := 0, 0
	for _, page := range pages {
		text := testkit.Must(os.ReadFile(page))(t)
		for _, block := range fence.FindAllStringSubmatch(string(text), -1) {
			blocks++
			var doc any
			if !assert.NoError(t, yaml.Unmarshal([]byte(block[1]), &doc), "%s: %s", page, block[1]) {
				continue
			}
			for _, s := range stepsIn(doc) {
				assert.NotContains(t, s["uses"], "actions/cache@", page)
				if name, _ := s["uses"].(string); strings.HasPrefix(name, "gobfcl/bfcl@") {
					uses++
					with, _ := s["with"].(map[string]any)
					for input := range with {
						assert.Contains(t, inputs, input, "%s: the action has no such input", page)
					}
				}
			}
		}
	}
	t.Logf("%d pages, %d YAML blocks, %d uses of the action", len(pages), blocks, uses)
	assert.Greater(t, blocks, 5)
	assert.Positive(t, uses)
}

// stepsIn finds the steps in a workflow or a part of one.
func stepsIn(v any) (found []map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["uses"]; ok {
			found = append(found, v)
		}
		for _, item := range v {
			found = append(found, stepsIn(item)...)
		}
	case []any:
		for _, item := range v {
			found = append(found, stepsIn(item)...)
		}
	}
	return found
}
