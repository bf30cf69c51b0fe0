package workflow_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// version is the release that the action in these tests installs.
const version = "v9.9.9"

// built is the folder of the command, once a test has built it.
var built string

// binary returns the command's path; the first call builds it.
var binary = sync.OnceValues(func() (path string, err error) {
	if built, err = os.MkdirTemp("", "bfcl-workflow"); err != nil {
		return "", err
	}
	return testkit.Command(built)
})

func TestMain(m *testing.M) {
	testkit.Waiting()
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// A hub is what stays between jobs: artifacts, caches, comments, and the release
// that the action is of. It also holds the programs a runner has.
type hub struct {
	t                    testing.TB
	dir, tools, released string
	caches               []cache
	repository           map[string]string // the files that checkout brings
	clock                time.Time
	attested             []string
	// others stand in for actions in the place of the usual ones.
	others map[string]func(*runner, string, map[string]string) error
}

func newHub(t testing.TB, repository map[string]string) *hub {
	t.Helper()
	for _, program := range []string{"bash", "jq", "sha256sum", "awk"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s", program)
		}
	}
	h := &hub{t: t, dir: t.TempDir(), repository: repository, clock: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.tools, h.released = filepath.Join(h.dir, "tools"), filepath.Join(h.dir, "released")
	for _, dir := range []string{"tools", "released/.github", "artifacts", "caches", "comments"} {
		require.NoError(t, os.MkdirAll(filepath.Join(h.dir, dir), 0o755))
	}
	h.program("gh", gh)
	h.program("curl", curl)
	h.write("artifacts.json", `{"artifacts": []}`)
	h.release()
	return h
}

// program gives jobs a program.
func (h *hub) program(name, text string) {
	h.t.Helper()
	require.NoError(h.t, os.WriteFile(filepath.Join(h.tools, name), []byte(text), 0o755))
}

// bash runs a script in a folder, with the hub's programs and the key.
func (h *hub) bash(work, script string, env ...string) (string, int) {
	h.t.Helper()
	return fresh(h.t, work, append([]string{"PATH=" + h.tools + ":" + os.Getenv("PATH"), "HUB=" + h.dir, "OPENAI_API_KEY=secret"}, env...), "bash", "-eo", "pipefail", "-c", script)
}

// install gives jobs the command, as a job does that downloads it.
func (h *hub) install() {
	h.t.Helper()
	path := testkit.Must(binary())(h.t)
	require.NoError(h.t, os.Symlink(path, filepath.Join(h.tools, "bfcl")))
}

func (h *hub) write(name, text string) {
	h.t.Helper()
	require.NoError(h.t, os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o644))
}

func (h *hub) read(name string) string {
	data, err := os.ReadFile(filepath.Join(h.dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	require.NoError(h.t, err)
	return string(data)
}

// served is the binary of a release: the command's place. Each job installs it, and
// to hash the command itself is as much work as to run it.
const served = "#!/bin/sh\nexec %s \"$@\"\n"

// release is a copy of the action as a release has it: with a version, and the
// checksum of the binary that the hub serves.
func (h *hub) release() {
	path := testkit.Must(binary())(h.t)
	name, data := "bfcl_"+version+"_linux_amd64", []byte(fmt.Sprintf(served, path))
	require.NoError(h.t, os.WriteFile(filepath.Join(h.dir, name), data, 0o644))
	root := testkit.ModuleRoot(h.t)
	require.NoError(h.t, os.CopyFS(filepath.Join(h.released, ".github", "scripts"), os.DirFS(filepath.Join(root, ".github", "scripts"))))
	text := testkit.Must(os.ReadFile(filepath.Join(root, "action.yml")))(h.t)
	pinned := strings.Replace(string(text), "        VERSION: unreleased\n        CHECKSUMS: \"\"\n",
		fmt.Sprintf("        VERSION: %s\n        CHECKSUMS: |\n          %x  %s\n", version, sha256.Sum256(data), name), 1)
	require.NotEqual(h.t, string(text), pinned, "action.yml has no place for version and checksums")
	require.NoError(h.t, os.WriteFile(filepath.Join(h.released, "action.yml"), []byte(pinned), 0o644))
}

type artifact struct {
	Name    string `json:"name"`
	Created string `json:"created_at"`
	Expires string `json:"expires_at"`
	Expired bool   `json:"expired"`
	Run     struct {
		ID         string `json:"id"`
		Branch     string `json:"head_branch"`
		Repository int    `json:"repository_id"`
		Head       int    `json:"head_repository_id"`
	} `json:"workflow_run"`
}

func (h *hub) artifacts() (all struct {
	Artifacts []artifact `json:"artifacts"`
}) {
	require.NoError(h.t, json.Unmarshal([]byte(h.read("artifacts.json")), &all))
	return all
}

// pass lets time go by: artifacts expire.
func (h *hub) pass(days int) {
	h.clock = h.clock.AddDate(0, 0, days)
	all := h.artifacts()
	for i := range all.Artifacts {
		all.Artifacts[i].Expired = all.Artifacts[i].Expires < h.clock.Format(time.RFC3339)
	}
	h.keep(all)
}

func (h *hub) keep(all any) {
	data := testkit.Must(json.Marshal(all))(h.t)
	h.write("artifacts.json", string(data))
}

// actions stand in for those of others.
func (h *hub) actions() map[string]func(*runner, string, map[string]string) error {
	all := map[string]func(*runner, string, map[string]string) error{
		"actions/checkout":                checkout,
		"actions/cache/restore":           restore,
		"actions/cache/save":              save,
		"actions/upload-artifact":         upload,
		"actions/download-artifact":       download,
		"actions/setup-go":                nothing,
		"actions/attest-build-provenance": attest,
		"dorny/test-reporter":             testView,
	}
	maps.Copy(all, h.others)
	return all
}

func checkout(r *runner, _ string, _ map[string]string) error {
	for name, text := range r.hub.repository {
		if err := os.WriteFile(filepath.Join(r.work, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A cache is what a job saved for its branch or its pull request.
type cache struct{ ref, key, dir string }

// restore looks for the key and then for the beginnings of keys, newest first,
// among the caches of the own reference, then among those of the default branch.
func restore(r *runner, id string, with map[string]string) error {
	if with["key"] == "" || with["path"] == "" {
		return errors.New("key and path are required")
	}
	for _, ref := range []string{r.event["ref"], "refs/heads/main"} {
		for i, prefix := range append([]string{with["key"]}, strings.Fields(with["restore-keys"])...) {
			for _, c := range slices.Backward(r.hub.caches) {
				if c.ref == ref && (c.key == prefix || i > 0 && strings.HasPrefix(c.key, prefix)) {
					r.scope.outputs["steps."+id+".outputs.cache-matched-key"] = c.key
					return os.CopyFS(r.place(with["path"]), os.DirFS(c.dir))
				}
			}
		}
	}
	return nil
}

// save keeps a folder under a key, once.
func save(r *runner, _ string, with map[string]string) error {
	h, from := r.hub, r.place(with["path"])
	if _, err := os.Stat(from); errors.Is(err, os.ErrNotExist) {
		return nil // a warning
	}
	for _, c := range h.caches {
		if c.ref == r.event["ref"] && c.key == with["key"] {
			return nil // a warning
		}
	}
	c := cache{r.event["ref"], with["key"], filepath.Join(h.dir, "caches", fmt.Sprint(len(h.caches)))}
	h.caches = append(h.caches, c)
	return os.CopyFS(c.dir, os.DirFS(from))
}

func nothing(_ *runner, _ string, _ map[string]string) error { return nil }

// attest notes what was attested.
func attest(r *runner, _ string, with map[string]string) error {
	found, err := filepath.Glob(filepath.Join(r.work, with["subject-path"]))
	if err == nil && len(found) == 0 {
		err = errors.New("nothing to attest")
	}
	for _, path := range found {
		r.hub.attested = append(r.hub.attested, filepath.Base(path))
	}
	return err
}

// download brings one artifact, which must be there, or all that a pattern names
// into one folder.
func download(r *runner, _ string, with map[string]string) error {
	pattern := with["name"] + with["pattern"]
	found, err := filepath.Glob(filepath.Join(r.hub.dir, "artifacts", r.event["run_id"], pattern))
	if err == nil && len(found) == 0 && with["name"] != "" {
		err = fmt.Errorf("no artifact %q", pattern)
	}
	for _, from := range found {
		err = errors.Join(err, os.CopyFS(filepath.Join(r.work, with["path"]), os.DirFS(from)))
	}
	return err
}

// upload keeps a folder's content, or several paths side by side.
func upload(r *runner, _ string, with map[string]string) error {
	h := r.hub
	paths := strings.Fields(with["path"])
	if len(paths) == 0 {
		return errors.New("path is required")
	}
	all := h.artifacts()
	var a artifact
	h.clock = h.clock.Add(time.Hour)
	days := 90
	if asked, err := strconv.Atoi(with["retention-days"]); err == nil {
		days = min(days, asked)
	}
	a.Name, a.Created, a.Expires = with["name"], h.clock.Format(time.RFC3339), h.clock.AddDate(0, 0, days).Format(time.RFC3339)
	a.Run.ID, a.Run.Branch, a.Run.Repository, a.Run.Head = r.event["run_id"], r.event["head_branch"], 1, 1
	if r.event["fork"] != "" {
		a.Run.Head = 2
	}
	before := len(all.Artifacts)
	all.Artifacts = slices.DeleteFunc(all.Artifacts, func(b artifact) bool { return b.Name == a.Name && b.Run.ID == a.Run.ID })
	if len(all.Artifacts) < before && with["overwrite"] != "true" {
		return fmt.Errorf("an artifact %s is there already", a.Name)
	}
	all.Artifacts = append(all.Artifacts, a)
	h.keep(all)
	to := filepath.Join(h.dir, "artifacts", a.Run.ID, a.Name)
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if len(paths) == 1 {
		return os.CopyFS(to, os.DirFS(filepath.Join(r.work, paths[0])))
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	cmd := exec.Command("cp", append([]string{"-R", "--target-directory", to}, paths...)...)
	cmd.Dir = r.work
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// testView is dorny's: it writes the job's summary unless it is told to make a
// check, for which it needs the permission.
func testView(r *runner, _ string, with map[string]string) error {
	if _, err := os.Stat(filepath.Join(r.work, with["path"])); err != nil {
		return err
	}
	if with["use-actions-summary"] != "false" {
		return errors.New("the summary is written to the job's")
	}
	if r.rights["checks"] != "write" {
		return errors.New("HttpError: Resource not accessible by integration")
	}
	return nil
}

// curl serves the release's files.
const curl = `#!/bin/bash
while [ $# -gt 1 ]; do
  case "$1" in --output) out="$2"; shift ;; esac
  shift
done
cp "$HUB/$(basename "$1")" "$out"
`

// gh answers as GitHub's does, from the hub. A line in $HUB/broken names what
// fails.
const gh = `#!/bin/bash
set -eu
may() { case ",$RIGHTS," in *",$1,"*) ;; *) echo "gh: Resource not accessible by integration (HTTP 403)" >&2; exit 1 ;; esac; }
broken() { if grep -qx "$1" "$HUB/broken" 2>/dev/null; then echo "gh: HTTP 502" >&2; exit 1; fi; }
call="$*" filter=. method=GET body=
path=
while [ $# -gt 0 ]; do
  case "$1" in
  --jq) filter="$2"; shift ;;
  --method) method="$2"; shift ;;
  --field) body="${2#body=@}"; shift ;;
  --name) name="$2"; shift ;;
  --dir) dir="$2"; shift ;;
  repos/*) path="$1" ;;
  [0-9]*) id="$1" ;;
  esac
  shift
done
case "$call" in
"release create "*)
  printf '%s\n' "$call" >>"$HUB/releases" ;;
"run download "*)
  may actions:read
  broken download
  mkdir -p "$dir" && cp -R "$HUB/artifacts/$id/$name/." "$dir/" ;;
*"/actions/artifacts?"*)
  may actions:read
  broken artifacts
  asked="${path#*name=}"
  jq --arg name "${asked%%&*}" '.artifacts |= map(select(.name == $name))' "$HUB/artifacts.json" | jq -r "$filter" ;;
*"/comments"*)
  broken comments
  number="${path#*/issues/}" number="${number%%/*}"
  [ "$number" != comments ] || number=
  if [ "$method" = GET ]; then
    for file in "$HUB/comments/$number".*; do
      [ -e "$file" ] || continue
      jq -n --rawfile body "$file" --argjson id "$(basename "$file")" '[{id: $id, user: {type: "Bot"}, body: $body}]' | jq -r "$filter"
    done
    exit
  fi
  may pull-requests:write
  if [ "$method" = PATCH ]; then
    cp "$body" "$HUB/comments/$(basename "$path")"
  else
    cp "$body" "$HUB/comments/$number.$(( $(ls "$HUB/comments" | wc -l) + 1 ))"
  fi ;;
"api repos/"*)
  broken repository
  echo '{"default_branch": "main"}' | jq -r "$filter" ;;
*) echo "gh: what is $call?" >&2; exit 1 ;;
esac
`
