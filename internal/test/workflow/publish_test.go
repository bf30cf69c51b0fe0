package workflow_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// origin is a bare repository that jobs push to, and a checkout that brings it.
func origin(t *testing.T, h *hub) (bare string) {
	t.Helper()
	bare = filepath.Join(h.dir, "origin.git")
	seed := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "--bare", "-b", "main", bare}, {"-C", seed, "init", "-q", "-b", "main"},
		{"-C", seed, "-c", "user.name=n", "-c", "user.email=e@example", "commit", "-q", "--allow-empty", "-m", "first"},
		{"-C", seed, "push", "-q", bare, "main"},
	} {
		out, err := exec.Command("git", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return bare
}

func (h *hub) cloning(bare string) func(*runner, string, map[string]string) error {
	return func(r *runner, _ string, _ map[string]string) error {
		return exec.Command("git", "clone", "-q", bare, r.work).Run()
	}
}

// TestNightly measures in four shards, scores them together, and adds a line to
// the history, two nights in a row. In the second the provider fails for a while:
// the jobs that are run again ask what is missing.
func TestNightly(t *testing.T) {
	t.Parallel()
	h := newHub(t, nil)
	h.others = map[string]func(*runner, string, map[string]string) error{"actions/checkout": h.cloning(origin(t, h))}
	h.install()
	h.program("go", "#!/bin/sh\ncase \"$*\" in 'install github.com/gobfcl/bfcl/cmd/bfcl@v'*) ;; *) exit 1 ;; esac\n")
	p := newProvider(t)
	vars := map[string]string{"BFCL_MODEL": "openai:m", "BFCL_FLAGS": "-base-url=" + p.URL + "/v1 -no-check -concurrency=1 -categories=irrelevance"}
	for night := 1; night <= 2; night++ {
		event := on("schedule", "main", "run_id", strings.Repeat("9", night))
		if night == 2 {
			p.after, p.cancel = 3, func() { p.state = "down" }
			log, code := matrix(t, h, event, vars, "nightly.yml", "shard")
			require.Equal(t, 2, code, log)
			p.state, p.wait = "", 0
		}
		log, code := matrix(t, h, event, vars, "nightly.yml", "shard")
		require.Equal(t, 0, code, log)
		assert.Equal(t, cases, p.measured(t))
		r := newRunner(t, h, event)
		r.scripts("history")
		require.Equal(t, 0, r.job("nightly.yml", "score"), "%s", &r.log)
		history, err := exec.Command("git", "-C", filepath.Join(h.dir, "origin.git"), "show", "bfcl-history:history.jsonl").CombinedOutput()
		require.NoError(t, err, "%s", history)
		assert.Equal(t, night, strings.Count(string(history), `"model":"openai:m"`), "%s", history)
	}
}

// TestPublish: a release holds everything that was built, attested, and moves the
// names that are its to move.
func TestPublish(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tag         string
		needs       map[string]string
		flags, tags []string
	}{
		"release": {"v1.2.3", map[string]string{"prerelease": "false", "major": "true", "latest": "true", "line": "v1"},
			[]string{"--latest=true", "dist/SHA256SUMS", "dist/bfcl.rb", "dist/bfcl_v1.2.3.cdx.json"}, []string{"v1"}},
		"pre-release": {"v1.3.0-rc.1", map[string]string{"prerelease": "true", "major": "false", "latest": "false", "line": "v1"},
			[]string{"--prerelease", "--latest=false"}, nil},
		"old line": {"v1.0.9", map[string]string{"prerelease": "false", "major": "false", "latest": "false", "line": "v1"},
			[]string{"--latest=false"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, nil)
			bare := origin(t, h)
			h.others = map[string]func(*runner, string, map[string]string) error{"actions/checkout": h.cloning(bare)}
			event := on("push", "main", "run_id", "1", "ref_name", test.tag, "ref", "refs/tags/"+test.tag, "sha", "HEAD")
			dist := filepath.Join(h.dir, "artifacts", "1", "release", "dist")
			require.NoError(t, os.MkdirAll(dist, 0o755))
			files := []string{"SHA256SUMS", "bfcl.rb", "bfcl_" + test.tag + ".cdx.json", "bfcl_" + test.tag + "_linux_amd64"}
			for _, file := range files {
				require.NoError(t, os.WriteFile(filepath.Join(dist, file), []byte("x"), 0o644))
			}
			require.NoError(t, os.WriteFile(filepath.Join(dist, "..", "notes.md"), []byte("- new\n"), 0o644))
			r := newRunner(t, h, event)
			r.needs = map[string]string{}
			for key, value := range test.needs {
				r.needs["needs.build.outputs."+key] = value
			}
			require.Equal(t, 0, r.job("release.yml", "publish"), "%s", &r.log)
			assert.ElementsMatch(t, files, h.attested)
			call := h.read("releases")
			assert.Contains(t, call, "release create "+test.tag+" --verify-tag --title "+test.tag+" --notes-file notes.md")
			for _, flag := range test.flags {
				assert.Contains(t, call, flag)
			}
			if test.needs["prerelease"] == "false" {
				assert.NotContains(t, call, "--prerelease")
			}
			tags := testkit.Must(exec.Command("git", "-C", bare, "tag").Output())(t)
			assert.Equal(t, test.tags, append([]string(nil), strings.Fields(string(tags))...))
		})
	}
}

// TestHistory: a model's name is no Markdown in the table of nights.
func TestHistory(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("no jq")
	}
	dir := copyOf(t, ".github/scripts/history")
	const hostile = `{"model": "[x](http://evil) <b> @all ` + "`a`" + `|\nevil|", "dataset": "d|", "digest": "|<img>", "overall": {"accuracy": 1, "low": 0, "high": null}, "groups": {}}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "score.json"), []byte(hostile), 0o644))
	out, code := bash(t, dir, "", ".github/scripts/history", "score.json", "history.jsonl")
	require.Equal(t, 0, code, out)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 3, out)
	assert.Equal(t, 6, strings.Count(lines[2], "|"), lines[2])
	for _, mark := range []string{"[", "]", "<", "`", "@", "(", "://"} {
		assert.NotContains(t, lines[2], mark)
	}
	assert.Contains(t, lines[2], "evil")
	assert.Contains(t, lines[2], "100% | 0% – n/a")
}
