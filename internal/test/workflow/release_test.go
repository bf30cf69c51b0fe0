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

// copyOf is a folder with the named files of the module, whose scripts may then be
// run in it.
func copyOf(t testing.TB, names ...string) string {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	root, to := testkit.ModuleRoot(t), t.TempDir()
	for _, name := range names {
		from := filepath.Join(root, name)
		info := testkit.Must(os.Stat(from))(t)
		if info.IsDir() {
			require.NoError(t, os.CopyFS(filepath.Join(to, name), os.DirFS(from)))
			continue
		}
		data := testkit.Must(os.ReadFile(from))(t)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(to, name), data, info.Mode()))
	}
	return to
}

func bash(t testing.TB, dir, stdin string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command("bash", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+filepath.Join(dir, ".gitconfig"), "GIT_CONFIG_NOSYSTEM=1")
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// TestMoves: which names a release takes along.
func TestMoves(t *testing.T) {
	t.Parallel()
	const tags = "v1.0.0\nv1.2.0\nv1.2.10\nv2.0.0\nv2.1.0-rc.1\nv1\nother\n"
	dir := copyOf(t, ".ci/moves")
	for version, want := range map[string]string{
		"v2.0.1":      "prerelease=false major=true latest=true line=v2",
		"v1.2.11":     "prerelease=false major=true latest=false line=v1",
		"v1.2.9":      "prerelease=false major=false latest=false line=v1",
		"v1.1.4":      "prerelease=false major=false latest=false line=v1",
		"v3.0.0-rc.1": "prerelease=true major=false latest=false line=v3",
		"v2.1.0":      "prerelease=false major=true latest=true line=v2",
	} {
		out, code := bash(t, dir, tags, ".ci/moves", version)
		assert.Equal(t, 0, code, out)
		assert.Equal(t, want, strings.Join(strings.Fields(out), " "), version)
	}
	out, code := bash(t, dir, "", ".ci/moves", "v1.0.0")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "latest=true", "the first release")
	_, code = bash(t, dir, tags, ".ci/moves", "latest")
	assert.Equal(t, 3, code)
}

// TestNotes: a release says what is new in it, and nothing else.
func TestNotes(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, ".ci/notes")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "CHANGELOG.md"), []byte("# C\n\n## Unreleased\n\n- a\n\n## 1.2.3 (2026-01-02)\n\n- b\n\n- c\n\n## 1.2.2\n\n- d\n"), 0o644))
	out, code := bash(t, dir, "", ".ci/notes", "v1.2.3")
	assert.Equal(t, 0, code)
	assert.Equal(t, "- b\n\n- c\n", out)
	out, code = bash(t, dir, "", ".ci/notes", "v1.2.4")
	assert.Equal(t, 1, code)
	assert.Contains(t, out, `no section "## 1.2.4"`)
}

// TestFormula: what Homebrew installs has the release's checksums.
func TestFormula(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, ".ci/formula")
	sums := ""
	for i, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64.exe"} {
		sums += strings.Repeat(string(rune('a'+i)), 64) + "  bfcl_v1.2.3_" + platform + "\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums), 0o644))
	out, code := bash(t, dir, "", ".ci/formula", "v1.2.3", "SHA256SUMS")
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, `version "1.2.3"`)
	assert.Contains(t, out, "download/v1.2.3/bfcl_v1.2.3_darwin_arm64\"\n      sha256 \""+strings.Repeat("d", 64))
	assert.Equal(t, 4, strings.Count(out, "sha256 "))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte("x  y\n"), 0o644))
	_, code = bash(t, dir, "", ".ci/formula", "v1.2.3", "SHA256SUMS")
	assert.Equal(t, 1, code)
}

// TestPin: action.yml has a build's checksums, and another build is refused.
func TestPin(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, ".ci/pin", "action.yml", ".github/workflows/nightly.yml", "examples/gitlab/gate.yml", "examples/jenkins/Jenkinsfile")
	const builds = `set -e; rm -rf "$2"; mkdir -p "$2"; cd "$2"; echo one >bfcl_$1_linux_amd64; echo two >bfcl_$1_windows_amd64.exe; echo {} >bfcl_$1.cdx.json; sha256sum bfcl_* >SHA256SUMS`
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".ci", "release"), []byte(builds), 0o755))
	before := load[action](t, filepath.Join(dir, "action.yml"))
	for _, version := range []string{"v1.2.3", "v1.2.4"} { // the second over the first
		out, code := bash(t, dir, "", ".ci/pin", version)
		require.Equal(t, 0, code, out)
		after := load[action](t, filepath.Join(dir, "action.yml"))
		env := after.Runs.Steps[0].Env
		assert.Equal(t, version, env["VERSION"])
		assert.Equal(t, 2, strings.Count(env["CHECKSUMS"], "  bfcl_"+version+"_"), env["CHECKSUMS"])
		assert.Len(t, strings.Split(strings.TrimSpace(env["CHECKSUMS"]), "\n"), 2)
		assert.Equal(t, before.Inputs, after.Inputs)
		assert.Len(t, after.Runs.Steps, len(before.Runs.Steps))
		nightly := testkit.Must(os.ReadFile(filepath.Join(dir, ".github", "workflows", "nightly.yml")))(t)
		assert.Contains(t, string(nightly), "cmd/bfcl@"+version, "who installs from source gets the release, too")

		_, code = bash(t, dir, "", ".ci/release", version, "dist")
		require.Equal(t, 0, code)
		out, code = bash(t, dir, "", ".ci/pin", "check", version, "dist")
		assert.Equal(t, 0, code, out)
		assert.Contains(t, out, "2 binaries as action.yml has them")
	}
	_, code := bash(t, dir, "", ".ci/pin", "check", "v1.2.5", "dist")
	assert.Equal(t, 1, code, "another version")
	sums := filepath.Join(dir, "dist", "SHA256SUMS")
	data := testkit.Must(os.ReadFile(sums))(t)
	require.NoError(t, os.WriteFile(sums, []byte(strings.ReplaceAll(string(data), "  bfcl_v1.2.4_", "0  bfcl_v1.2.4_")), 0o644))
	out, code := bash(t, dir, "", ".ci/pin", "check", "v1.2.4", "dist")
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "another checksum")
}

// TestActions: others' actions are used by the commits in the lock file, and
// renewed by their tags.
func TestActions(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	out, code := bash(t, testkit.ModuleRoot(t), "", ".ci/actions")
	assert.Equal(t, 0, code, out)
	t.Log(strings.TrimSpace(out))

	dir := copyOf(t, ".ci/actions")
	write := func(name, text string) {
		testkit.Write(t, filepath.Join(dir, name), text)
	}
	sha := strings.Repeat("a", 40)
	write(".github/actions.lock", "# comment\nsome/thing v1.0.0 "+sha+"\n")
	write(".github/workflows/x.yml", "      - uses: some/thing@"+sha+" # v1.0.0\n      - uses: gobfcl/bfcl@v1\n      - uses: ./\n")
	write("README.md", "")
	git := func(dir string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@example"}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git(dir, "init", "-q")
	git(dir, "add", ".")
	out, code = bash(t, dir, "", ".ci/actions")
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "1 uses")

	for _, wrong := range []string{"some/thing@v1", "some/thing@" + strings.Repeat("b", 40) + " # v1.0.0", "some/other@" + sha + " # v1.0.0", "some/thing@" + sha} {
		write(".github/workflows/x.yml", "      - uses: "+wrong+"\n")
		out, code = bash(t, dir, "", ".ci/actions")
		assert.Equal(t, 1, code, wrong)
		assert.Contains(t, out, ".github/workflows/x.yml:1:")
	}

	upstream := filepath.Join(dir, "hub", "some", "thing")
	require.NoError(t, os.MkdirAll(upstream, 0o755))
	git(upstream, "init", "-q")
	for _, tag := range []string{"v1.9.0", "v1.10.0"} {
		git(upstream, "commit", "-q", "--allow-empty", "-m", tag)
		git(upstream, "tag", "-a", "-m", tag, tag)
	}
	git(upstream, "tag", "v2")
	commit := git(upstream, "rev-parse", "v1.10.0^{commit}")
	write(".gitconfig", "[url \""+filepath.Join(dir, "hub")+"/\"]\n\tinsteadOf = https://github.com/\n")
	write(".github/workflows/x.yml", "      - uses: some/thing@"+sha+" # v1.0.0\n")
	out, code = bash(t, dir, "", ".ci/actions", "renew")
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "v1.0.0 is now v1.10.0")
	data := testkit.Must(os.ReadFile(filepath.Join(dir, ".github", "workflows", "x.yml")))(t)
	assert.Equal(t, "      - uses: some/thing@"+commit+" # v1.10.0\n", string(data))
}
