package show_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/show/view"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// put writes files below a folder, by their paths.
func put(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// said is a run.json; ended is "" for a run that has not.
func said(t *testing.T, model, began, ended string) string {
	t.Helper()
	r := record.Run{Model: model, Mode: "fc", Dataset: "v4", Digest: "d", Version: "v1", Trials: 1}
	r.Started = testkit.Must(time.Parse(time.DateOnly, began))(t)
	if ended != "" {
		r.Ended = testkit.Must(time.Parse(time.DateOnly, ended))(t)
	}
	text := testkit.Must(json.Marshal(r))(t)
	return string(text)
}

const scored = `{"model": "M", "complete": COMPLETE, "overall": {"accuracy": 0.5, "low": 0.4, "high": 0.6, "ran": {"value": 0.5, "low": 0.4, "high": 0.6}, "correct": 5, "total": 10}}`

func scoreFile(model, complete string) string {
	return strings.NewReplacer(`"M"`, `"`+model+`"`, "COMPLETE", complete).Replace(scored)
}

// TestRuns: what is told of a run is what its files say, and a run without a score
// says why.
func TestRuns(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root, map[string]string{
		"whole/run.json": said(t, "m", "2026-01-03", "2026-01-04"), "whole/score.json": scoreFile("m", "true"),
		"deep/er/part/run.json": said(t, "m", "2026-01-02", "2026-01-02"), "deep/er/part/score.json": scoreFile("m", "false"),
		"interrupted/run.json": said(t, "m", "2026-01-01", ""), "interrupted/score.json": scoreFile("m", "true"),
		"unscored/run.json": said(t, "m", "2025-01-01", "2025-01-01"),
		"erring/run.json":   said(t, "m", "2025-01-01", "2025-01-01"), "erring/report.xml": `<testsuites name="bfcl" tests="9" failures="1" errors="7">`,
		"other/run.json": said(t, "m", "2025-01-01", "2025-01-01"), "other/score.json": scoreFile("n", "true"),
		"huge/run.json":         said(t, "m", "2025-01-01", "2025-01-01"),
		"huge/report.xml":       `<testsuites name="bfcl" errors="` + strings.Repeat("9", 600) + `">`,
		"broken/run.json":       "{",
		"badscore/run.json":     said(t, "m", "2025-01-01", "2025-01-01"),
		"badscore/score.json":   `{"overall": {"accuracy": 7, "low": 8, "high": -1}}`,
		".hidden/run.json":      said(t, "m", "2025-01-01", "2025-01-01"),
		"whole/result/run.json": said(t, "m", "2025-01-01", "2025-01-01"), // no run of its own
		"notes/readme.txt":      "no run",
	})
	require.NoError(t, os.Symlink(filepath.Join(root, "whole"), filepath.Join(root, "link")))
	runs, more, err := view.Runs(root, time.Now())
	require.NoError(t, err)
	assert.False(t, more)
	got := map[string]string{}
	for _, r := range runs {
		got[r.Path] = strings.TrimSpace(r.State + " " + r.Why)
		assert.Equal(t, r.State == view.Complete || r.State == view.Part, r.Scored, r.Path)
	}
	assert.Equal(t, "whole", runs[0].Path, "the newest first")
	for path, want := range map[string]string{
		"whole": "complete", "deep/er/part": "part", "interrupted": "refused it did not end", "unscored": "refused it has no score: the report", "erring": "refused it has no score: 7 infrastructure errors; ask again", "huge": "refused it has no score: the report",
		"other": "refused its score.json is of another model", "broken": "refused .*run.json", "badscore": "refused nothing that counts|refused its score.json cannot be read",
	} {
		assert.Regexp(t, "^("+want+")", got[path], path)
	}
	assert.Len(t, got, 9)
	_, _, err = view.Runs(filepath.Join(root, "nowhere"), time.Now())
	assert.Error(t, err)
}

// A looking is a browser's view of a server.
type looking struct {
	*testing.T
	url    string
	client *http.Client
}

func look(t *testing.T, root string, report func([]string) ([]byte, error)) *looking {
	t.Helper()
	l := &looking{T: t, client: &http.Client{Transport: &http.Transport{}}}
	ctx, cancel := context.WithCancel(t.Context())
	url, wait, err := view.New(view.Options{Root: root, Report: report}).Open(ctx)
	require.NoError(t, err)
	l.url = url
	t.Cleanup(func() {
		l.client.CloseIdleConnections()
		cancel()
		assert.NoError(t, wait())
	})
	return l
}

func (l *looking) get(path string) (int, string) {
	l.Helper()
	resp, err := l.client.Get(l.url + path)
	require.NoError(l, err)
	defer func() { _ = resp.Body.Close() }()
	body := testkit.Must(io.ReadAll(resp.Body))(l)
	return resp.StatusCode, string(body)
}

// TestView: the list, the report of chosen runs, and that only what is listed can
// be named.
func TestView(t *testing.T) {
	root := t.TempDir()
	put(t, root, map[string]string{
		"a/run.json": said(t, "<script>alert(1)</script>", "2026-01-02", "2026-01-02"),
		"b/run.json": said(t, "m", "2026-01-01", "2026-01-01"), "b/score.json": scoreFile("m", "true"),
		"c/run.json": said(t, "m", "2026-01-03", "2026-01-03"), "c/score.json": scoreFile("m", "true"),
	})
	var asked [][]string
	l := look(t, root, func(dirs []string) ([]byte, error) {
		asked = append(asked, dirs)
		if len(dirs) == 3 {
			return nil, errors.New("<b>these</b> cannot be compared")
		}
		return []byte("the report"), nil
	})
	status, page := l.get("")
	assert.Equal(t, http.StatusOK, status)
	assert.NotContains(t, page, "<script>alert")
	assert.Contains(t, page, "&lt;script&gt;alert(1)")
	assert.Contains(t, page, "50.00")
	ids := regexp.MustCompile(`name="id" value="([0-9a-f]+)"`).FindAllStringSubmatch(page, -1)
	require.Len(t, ids, 3)

	status, page = l.get("page?id=" + ids[0][1] + "&id=" + ids[2][1])
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "the report", page)
	assert.Equal(t, [][]string{{filepath.Join(root, "c"), filepath.Join(root, "b")}}, asked)

	status, page = l.get("page?id=" + ids[0][1] + "&id=" + ids[1][1] + "&id=" + ids[2][1])
	assert.Equal(t, http.StatusUnprocessableEntity, status)
	assert.Contains(t, page, "&lt;b&gt;these&lt;/b&gt; cannot be compared")
	for _, query := range []string{"", "?id=..", "?id=" + root, "?id=0000000000000000"} {
		status, _ = l.get("page" + query)
		assert.Equal(t, http.StatusUnprocessableEntity, status, query)
	}
	assert.Len(t, asked, 2)
}

// A hostile adapter's server writes HTML into its errors.
type hostile struct{}

func (hostile) Generate(context.Context, *eval.Request) (*eval.Response, error) {
	return nil, eval.Infra("server", "<script>alert(1)</script>\x1b[31m")
}

// TestLive: a run in progress is followed, and its page is the report once it has
// ended.
func TestLive(t *testing.T) {
	root := t.TempDir()
	put(t, root, map[string]string{"r/run.json": said(t, "m", "2026-01-01", "")})
	l := look(t, root, func([]string) ([]byte, error) { return []byte("the report"), nil })
	p := engine.NewProgress([]engine.Count{{Name: "multiple", Total: 4}, {Name: "parallel", Total: 2}}, 0, filepath.Join(root, "r"), time.Millisecond)
	(&engine.Engine{Progress: p, Adapter: hostile{}}).Run(t.Context(), &eval.Category{Name: "multiple"}, &eval.Case{ID: "multiple_1"}, 0)
	var page string
	require.Eventually(t, func() bool {
		_, page = l.get("runs")
		return strings.Contains(page, "1 of 6")
	}, 10*time.Second, 5*time.Millisecond)
	id := regexp.MustCompile(`name="id" value="([0-9a-f]+)"`).FindStringSubmatch(page)[1]
	for _, path := range []string{"page?id=", "live?id="} {
		status, page := l.get(path + id)
		assert.Equal(t, http.StatusOK, status)
		for _, want := range []string{"1 of 6", "1 of 4", "0 of 2", "multiple_1", "infrastructure error", "&lt;script&gt;alert(1)&lt;/script&gt;"} {
			assert.Contains(t, page, want)
		}
		assert.NotContains(t, page, "<script>alert")
		assert.NotContains(t, page, "\x1b")
	}
	p.Close()
	status, _ := l.get("live?id=" + id)
	assert.Equal(t, http.StatusGone, status, "the page asks again, and gets the report")
	_, page = l.get("page?id=" + id)
	assert.Equal(t, "the report", page)
}

// TestStrangers: nothing is served without the token, or under another name.
func TestStrangers(t *testing.T) {
	l := look(t, t.TempDir(), func([]string) ([]byte, error) { return nil, errors.New("no") })
	_, page := l.get("")
	assert.Contains(t, page, "There is no run here yet")
	root := l.url[:strings.LastIndex(strings.TrimSuffix(l.url, "/"), "/")+1]
	for _, path := range []string{"", "runs", "page", "wrong/", "wrong/runs"} {
		resp, err := l.client.Get(root + path)
		require.NoError(t, err)
		_ = resp.Body.Close()
		assert.Equal(t, http.StatusNotFound, resp.StatusCode, path)
	}
	for host, want := range map[string]int{"evil.example": 403, "evil.example:80": 403, "localhost:1": 200, "127.0.0.1": 200, "[::1]:5": 200, "10.0.0.1": 403} {
		req := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, l.url, nil))(t)
		req.Host = host
		resp, err := l.client.Do(req)
		require.NoError(t, err)
		_ = resp.Body.Close()
		assert.Equal(t, want, resp.StatusCode, host)
	}
}
