package workflow_test

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// dist is a folder with a release of this platform's binary and its packages, which
// the tests share.
var dist = sync.OnceValues(func() (dir string, err error) {
	path, err := binary()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(built, "dist")
	return dir, packed(dir, data)
})

// packed makes a release of a binary in a folder; it stands for other platforms
// too, if they are named.
func packed(dir string, binary []byte, platforms ...string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, platform := range append(platforms, "linux_amd64") {
		if err := os.WriteFile(filepath.Join(dir, "bfcl_"+version+"_"+platform), append(binary, platform...), 0o755); err != nil {
			return err
		}
	}
	out, err := exec.Command("bash", "-c", `python3 "$1/.ci/packages" "$2" "$3" && cd "$3" && sha256sum * >SHA256SUMS`, "-", filepath.Join("..", "..", ".."), version, dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// packaged returns that folder.
func packaged(t *testing.T) string {
	t.Helper()
	testkit.Extra(t, "installs packages")
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("packages are tried on Linux, amd64")
	}
	return testkit.Must(dist())(t)
}

// TestPackagesAreReproducible: the same binary gives the same bytes, in whatever
// folder and at whatever time.
func TestPackagesAreReproducible(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	var sums [2]string
	for i := range sums {
		dir := t.TempDir()
		require.NoError(t, packed(dir, []byte("#!/bin/sh\n")))
		data := testkit.Must(os.ReadFile(filepath.Join(dir, "SHA256SUMS")))(t)
		sums[i] = string(data)
	}
	assert.Equal(t, sums[0], sums[1])
	assert.Equal(t, 5, strings.Count(sums[0], "\n"), "the binary, a wheel, two npm packages and a Debian package: %s", sums[0])
}

// TestOtherPlatforms: pip and npm, told that they are on another platform, install
// its command, and what a wheel's RECORD says of its files is so.
func TestOtherPlatforms(t *testing.T) {
	t.Parallel()
	testkit.Extra(t, "installs packages")
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	dist, work := t.TempDir(), t.TempDir()
	require.NoError(t, packed(dist, []byte("#!/bin/sh\n# "), "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64.exe"))
	out, code := fresh(t, work, nil, "python3", "-c", `
import base64, csv, glob, hashlib, io, sys, zipfile
for name in glob.glob(sys.argv[1] + "/*.whl"):
    wheel = zipfile.ZipFile(name)
    record = [n for n in wheel.namelist() if n.endswith("/RECORD")][0]
    rows = {r[0]: r[1:] for r in csv.reader(io.StringIO(wheel.read(record).decode()))}
    assert set(rows) == set(wheel.namelist()), name
    for n, (digest, size) in rows.items():
        if n != record:
            data = wheel.read(n)
            want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, size) == ("sha256=" + want, str(len(data))), n
`, dist)
	assert.Equal(t, 0, code, out)
	_, code = fresh(t, work, nil, "python3", "-m", "venv", "venv")
	hasPip := code == 0
	_, err := exec.LookPath("npm")
	registry := npmRegistry(t, dist)
	env := []string{"npm_config_registry=" + registry, "npm_config_cache=" + filepath.Join(work, "cache"), "npm_config_update_notifier=false"}
	for _, one := range []struct{ platform, pip, os, cpu, file string }{
		{"linux_amd64", "manylinux_2_17_x86_64", "linux", "x64", "bfcl"}, {"linux_amd64", "musllinux_1_1_x86_64", "linux", "x64", "bfcl"},
		{"linux_arm64", "manylinux2014_aarch64", "linux", "arm64", "bfcl"}, {"darwin_amd64", "macosx_13_0_x86_64", "darwin", "x64", "bfcl"},
		{"darwin_arm64", "macosx_15_0_arm64", "darwin", "arm64", "bfcl"}, {"windows_amd64.exe", "win_amd64", "win32", "x64", "bfcl.exe"},
	} {
		holds := func(path string) {
			data := testkit.Must(os.ReadFile(filepath.Join(work, path)))(t)
			assert.Equal(t, "#!/bin/sh\n# "+one.platform, string(data), path)
		}
		if hasPip {
			out, code = fresh(t, work, nil, "venv/bin/pip", "install", "--no-index", "--find-links="+dist, "--platform="+one.pip, "--only-binary=:all:", "--target="+one.pip, "bfcl")
			require.Equal(t, 0, code, out)
			holds(filepath.Join(one.pip, "bin", one.file))
		}
		if err == nil {
			folder := filepath.Join("npm", one.pip)
			require.NoError(t, os.MkdirAll(filepath.Join(work, folder), 0o755))
			out, code = fresh(t, filepath.Join(work, folder), env, "npm", "install", "--os="+one.os, "--cpu="+one.cpu, "bfcl@"+version[1:])
			require.Equal(t, 0, code, out)
			holds(filepath.Join(folder, "node_modules/@gobfcl", one.os+"-"+one.cpu, one.file))
			others := testkit.Must(os.ReadDir(filepath.Join(work, folder, "node_modules/@gobfcl")))(t)
			assert.Len(t, others, 1, "no other platform's")
		}
	}
}

// fresh runs a command in an empty folder with an empty home, where nothing of the
// module's is.
func fresh(t testing.TB, work string, env []string, name string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = work
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + work}, env...)
	out, err := cmd.CombinedOutput()
	require.NotNil(t, cmd.ProcessState, "%v", err)
	return string(out), cmd.ProcessState.ExitCode()
}

// mainJob runs the README's command with an installed bfcl.
func mainJob(t *testing.T, work string, env []string, command ...string) {
	t.Helper()
	out, code := fresh(t, work, env, command[0], append(command[1:], "run", "-quiet", "-model=heuristic", "-run-dir=run")...)
	require.Equal(t, 0, code, out)
	assert.FileExists(t, filepath.Join(work, "run", "score.json"))
	out, code = fresh(t, work, env, command[0], append(command[1:], "run", "-no-such-flag")...)
	assert.Equal(t, 3, code, "the exit code reaches the caller: %s", out)
}

// TestInstalls installs a release with pip, npm and dpkg in places where there is
// nothing else, and runs the main job there.
func TestInstalls(t *testing.T) {
	t.Parallel()
	dist := packaged(t)
	t.Run("pip", func(t *testing.T) {
		t.Parallel()
		work := t.TempDir()
		out, code := fresh(t, work, nil, "python3", "-m", "venv", "venv")
		if code != 0 {
			t.Skip("no venv: " + out)
		}
		out, code = fresh(t, work, nil, "venv/bin/pip", "install", "--no-index", "--find-links="+dist, "bfcl")
		require.Equal(t, 0, code, out)
		mainJob(t, work, nil, filepath.Join(work, "venv/bin/bfcl"))
		out, code = fresh(t, work, nil, "venv/bin/pip", "uninstall", "-y", "bfcl")
		assert.Equal(t, 0, code, out)
		assert.NoFileExists(t, filepath.Join(work, "venv/bin/bfcl"))
	})
	t.Run("npm", func(t *testing.T) {
		t.Parallel()
		if _, err := exec.LookPath("npx"); err != nil {
			t.Skip("no npx")
		}
		work := t.TempDir()
		registry := npmRegistry(t, dist)
		env := []string{"npm_config_registry=" + registry, "npm_config_cache=" + filepath.Join(work, "cache"), "npm_config_update_notifier=false"}
		mainJob(t, work, env, "npx", "--yes", "bfcl@"+version[1:])
		out, code := fresh(t, work, env, "npm", "install", "bfcl@"+version[1:])
		require.Equal(t, 0, code, out)
		stops(t, work, filepath.Join(work, "node_modules/.bin/bfcl"))
		require.NoError(t, os.RemoveAll(filepath.Join(work, "node_modules/@gobfcl")))
		out, code = fresh(t, work, env, "node_modules/.bin/bfcl", "version")
		assert.Equal(t, 3, code)
		assert.Contains(t, out, "the package @gobfcl/linux-x64 is not installed")
	})
	t.Run("dpkg", func(t *testing.T) {
		t.Parallel()
		if _, err := exec.LookPath("dpkg"); err != nil || os.Getuid() != 0 {
			t.Skip("no dpkg, or not root")
		}
		work := t.TempDir()
		for _, name := range []string{"updates", "info", "triggers"} {
			require.NoError(t, os.MkdirAll(filepath.Join(work, "root/var/lib/dpkg", name), 0o755))
		}
		require.NoError(t, os.WriteFile(filepath.Join(work, "root/var/lib/dpkg/status"), nil, 0o644))
		out, code := fresh(t, work, nil, "dpkg", "--root=root", "--install", filepath.Join(dist, "bfcl_"+version[1:]+"_amd64.deb"))
		require.Equal(t, 0, code, out)
		out, code = fresh(t, work, nil, "dpkg", "--root=root", "--verify", "bfcl")
		assert.Equal(t, 0, code, out)
		mainJob(t, work, nil, filepath.Join(work, "root/usr/bin/bfcl"))
		out, code = fresh(t, work, nil, "dpkg", "--root=root", "--remove", "bfcl")
		assert.Equal(t, 0, code, out)
		assert.NoFileExists(t, filepath.Join(work, "root/usr/bin/bfcl"))
	})
}

// stops: a signal to the launcher ends the run, which can be continued.
func stops(t *testing.T, work, command string) {
	t.Helper()
	p := newProvider(t)
	cmd := exec.Command(command, "run", "-quiet", "-model=openai:m", "-base-url="+p.URL+"/v1", "-no-check", "-categories=irrelevance", "-concurrency=1", "-run-dir=stopped")
	cmd.Dir = work
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + work, "OPENAI_API_KEY=secret"}
	var said bytes.Buffer
	cmd.Stderr = &said
	p.after, p.cancel = 3, func() { _ = cmd.Process.Signal(syscall.SIGTERM) }
	require.NoError(t, cmd.Start())
	_ = cmd.Wait()
	assert.Equal(t, 130, cmd.ProcessState.ExitCode(), said.String())
	assert.Contains(t, said.String(), "of 20 cases have a verdict")
}

// npmRegistry serves the npm packages of a folder as a registry does. Those of
// other platforms are not there, as npm allows for optional ones.
func npmRegistry(t *testing.T, dist string) string {
	files := http.FileServer(http.Dir(dist))
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, err := url.PathUnescape(strings.TrimPrefix(r.URL.EscapedPath(), "/"))
		file := strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + version[1:] + ".tgz"
		if err == nil && strings.HasSuffix(name, ".tgz") {
			files.ServeHTTP(w, r)
			return
		}
		manifest, err := exec.Command("tar", "-xOzf", filepath.Join(dist, file), "package/package.json").Output()
		if err != nil {
			http.NotFound(w, r)
			return
		}
		one := strings.TrimSuffix(strings.TrimSpace(string(manifest)), "}") + fmt.Sprintf(`, "dist": {"tarball": %q}}`, server.URL+"/"+file)
		_, _ = fmt.Fprintf(w, `{"name": %q, "dist-tags": {"latest": %q}, "versions": {%[2]q: %s}}`, name, version[1:], one)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestReleasePage: the action's installer and the formula find a release by the
// names that .ci/release gives, on a server that plays GitHub's, and use nothing
// else than the bytes that are pinned.
func TestReleasePage(t *testing.T) {
	t.Parallel()
	dist := packaged(t)
	var asked []string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		http.StripPrefix("/gobfcl/bfcl/releases/download/"+version+"/", http.FileServer(http.Dir(dist))).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	home := t.TempDir()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	require.NoError(t, os.WriteFile(filepath.Join(home, "ca.pem"), certificate, 0o644))
	// github.com is that server; its certificate is for example.com.
	require.NoError(t, os.WriteFile(filepath.Join(home, ".curlrc"), []byte(fmt.Sprintf("connect-to = \"github.com:443:%s\"\ncacert = %q\ninsecure\nretry-delay = 1\nretry-max-time = 1\n",
		server.Listener.Addr(), filepath.Join(home, "ca.pem"))), 0o644))
	sums := testkit.Must(os.ReadFile(filepath.Join(dist, "SHA256SUMS")))(t)
	script := filepath.Join(testkit.ModuleRoot(t), ".github/scripts/install")
	install := func(sums, version string) (string, int) {
		env := []string{"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP=" + home, "GITHUB_PATH=" + filepath.Join(home, "path"), "VERSION=" + version, "CHECKSUMS=" + sums}
		return fresh(t, home, env, "bash", script)
	}
	out, code := install(string(sums), version)
	require.Equal(t, 0, code, out)
	path := testkit.Must(os.ReadFile(filepath.Join(home, "path")))(t)
	mainJob(t, home, nil, filepath.Join(strings.TrimSpace(string(path)), "bfcl"))

	out, code = install(regexp.MustCompile(`(?m)^[0-9a-f]`).ReplaceAllString(string(sums), "x"), version)
	assert.Equal(t, 2, code)
	assert.Contains(t, out, "it is not used")
	out, code = install(strings.ReplaceAll(string(sums), version, "v9.9.10"), "v9.9.10")
	assert.Equal(t, 2, code, out)
	out, code = install(string(sums), "unreleased")
	assert.Equal(t, 3, code, out)

	// The formula needs the sums of four platforms; one of them is here.
	all := string(sums)
	for _, other := range []string{"linux_arm64", "darwin_amd64", "darwin_arm64"} {
		all += strings.Repeat("0", 64) + "  bfcl_" + version + "_" + other + "\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(home, "all"), []byte(all), 0o644))
	formula, code := bash(t, testkit.ModuleRoot(t), "", ".ci/formula", version, filepath.Join(home, "all"))
	require.Equal(t, 0, code, formula)
	found := regexp.MustCompile(`url "(\S+linux_amd64)"\s+sha256 "(\w+)"`).FindStringSubmatch(formula)
	require.NotNil(t, found, formula)
	out, code = fresh(t, home, nil, "bash", "-c", `curl --fail --silent --location --output brewed "$1" && echo "$2  brewed" | sha256sum --check`, "-", found[1], found[2])
	assert.Equal(t, 0, code, out)
	assert.Contains(t, asked, "/gobfcl/bfcl/releases/download/"+version+"/bfcl_"+version+"_linux_amd64")
}

// TestPythonPage carries out what docs/python.md shows of a training loop.
func TestPythonPage(t *testing.T) {
	t.Parallel()
	testkit.Extra(t, "measures two hundred cases")
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	h := newHub(t, nil)
	h.install()
	page := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "docs", "python.md")))(t)
	blocks := regexp.MustCompile("(?ms)^```python\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 2)
	p, work := newProvider(t), t.TempDir()
	env := []string{"PATH=" + h.tools + ":" + os.Getenv("PATH"), "HOME=" + work, "OPENAI_API_KEY=secret", "URL=" + p.URL + "/v1"}
	out, code := fresh(t, work, env, "python3", "-c", blocks[0][1]+`
import os
line = score(1, os.environ["URL"])
assert line["complete"] is False and line["accuracy"]["irrelevance"] == 1, line
assert score(2, "http://127.0.0.1:9/v1") is None
`)
	assert.Equal(t, 0, code, out)
	out, code = fresh(t, work, env, "/usr/bin/python3", "-c", "import pandas")
	if code != 0 {
		t.Log("no pandas: " + out)
		return
	}
	out, code = fresh(t, work, env, "/usr/bin/python3", "-c", "import pathlib\n"+strings.Split(blocks[1][1], "accuracy[\"simple")[0]+"print(accuracy['irrelevance'].tolist())")
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "[1")
}
