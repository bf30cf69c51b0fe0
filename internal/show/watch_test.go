package show_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/show/watch"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A following is a page that follows a run in a folder of its own.
type following struct {
	*testing.T
	dir, url string
	server   *watch.Server
	client   *http.Client
}

func follow(t *testing.T, report func(string) ([]byte, error)) *following {
	t.Helper()
	f := &following{T: t, dir: t.TempDir(), client: &http.Client{Transport: &http.Transport{}}}
	f.server = watch.New(watch.Options{Dir: f.dir, Name: "a <b>model</b>", Report: report, Every: 5 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	url, wait, err := f.server.Open(ctx)
	require.NoError(t, err)
	f.url = url
	t.Cleanup(func() {
		cancel()
		assert.NoError(t, wait())
		f.client.CloseIdleConnections()
	})
	return f
}

func (f *following) get(path string) (int, string) {
	f.Helper()
	resp, err := f.client.Get(f.url + path)
	require.NoError(f, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(f, err)
	return resp.StatusCode, string(body)
}

// until waits until the page holds a text.
func (f *following) until(text string) (page string) {
	f.Helper()
	require.Eventually(f, func() bool {
		_, page = f.get("")
		return strings.Contains(page, text)
	}, 10*time.Second, 5*time.Millisecond, text)
	return page
}

// run asks a few cases, whose progress stands in the folder until it is closed.
func (f *following) run() *engine.Progress {
	f.Helper()
	cat := &eval.Category{Name: "multiple"}
	p := engine.NewProgress([]engine.Count{{Name: "multiple", Total: 4}, {Name: "parallel", Total: 2}}, 0, f.dir, time.Millisecond)
	e := &engine.Engine{Progress: p, Adapter: hostile{}}
	e.Run(f.Context(), cat, &eval.Case{ID: "multiple_1"}, 0)
	return p
}

// A hostile adapter's server writes HTML into its errors.
type hostile struct{}

func (hostile) Generate(context.Context, *eval.Request) (*eval.Response, error) {
	return nil, eval.Infra("server", "<script>alert(1)</script>\x1b[31m")
}

func TestFollow(t *testing.T) {
	var made atomic.Int32
	f := follow(t, func(dir string) ([]byte, error) {
		if _, err := os.Stat(filepath.Join(dir, tally.JUnitFile)); err != nil {
			return nil, err
		}
		made.Add(1)
		return []byte("<!doctype html><title>the report</title>"), nil
	})
	page := f.until("Waiting for the run to begin.")
	assert.Contains(t, page, "a &lt;b&gt;model&lt;/b&gt;")

	events, err := f.client.Get(f.url + "events")
	require.NoError(t, err)
	defer func() { _ = events.Body.Close() }()
	assert.Equal(t, "text/event-stream", events.Header.Get("Content-Type"))

	p := f.run()
	page = f.until("infrastructure:server")
	for _, want := range []string{"1 of 6", "1 of 4", "0 of 2", "multiple_1", "&lt;script&gt;alert(1)&lt;/script&gt;", "1 error"} {
		assert.Contains(t, page, want)
	}
	assert.NotContains(t, page, "<script>alert")
	assert.NotContains(t, page, "\x1b")

	require.NoError(t, os.WriteFile(filepath.Join(f.dir, tally.JUnitFile), nil, 0o600))
	p.Close()
	f.until("the report")
	assert.True(t, f.server.Ended())
	assert.EqualValues(t, 1, made.Load(), "the report is made once")

	var seen []string
	for lines := bufio.NewScanner(events.Body); lines.Scan(); {
		seen = append(seen, lines.Text())
	}
	all := strings.Join(seen, "\n")
	assert.Contains(t, all, "Waiting for the run")
	assert.Contains(t, all, "infrastructure:server")
	assert.Contains(t, all, "event: ended", "the last thing an open page is told")
	f.server.Settle(10 * time.Second)

	again := f.run()
	f.until("1 of 6")
	assert.False(t, f.server.Ended(), "a run that goes on is followed again")
	again.Close()
}

func TestNoReport(t *testing.T) {
	f := follow(t, func(string) ([]byte, error) { return nil, errors.New("13 answers are <missing>") })
	p := f.run()
	f.until("multiple_1")
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, tally.JUnitFile), nil, 0o600))
	p.Close()
	f.until("The run has stopped, but its report could not be made: 13 answers are &lt;missing&gt;")
	assert.ErrorContains(t, f.server.Finish(), "13 answers")
	assert.False(t, f.server.Ended())
}

// TestOldVerdicts: what an earlier run left in the folder is not the report of
// the one that ended.
func TestOldVerdicts(t *testing.T) {
	f := follow(t, func(string) ([]byte, error) { return []byte("the report"), nil })
	sheet := filepath.Join(f.dir, tally.JUnitFile)
	p := f.run()
	f.until("multiple_1")
	require.NoError(t, os.WriteFile(sheet, nil, 0o600))
	past := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(sheet, past, past))
	p.Close()
	time.Sleep(50 * time.Millisecond)
	assert.False(t, f.server.Ended())
	require.NoError(t, os.Chtimes(sheet, time.Now(), time.Now()))
	f.until("the report")
}

func TestStrangers(t *testing.T) {
	f := follow(t, func(string) ([]byte, error) { return nil, errors.New("no") })
	root := f.url[:strings.LastIndex(strings.TrimSuffix(f.url, "/"), "/")+1]
	for _, path := range []string{"", "events", "wrong/", "wrong/events"} {
		resp, err := f.client.Get(root + path)
		require.NoError(t, err)
		_ = resp.Body.Close()
		assert.Equal(t, http.StatusNotFound, resp.StatusCode, path)
	}
	for host, want := range map[string]int{"evil.example": 403, "evil.example:80": 403, "localhost:1": 200, "127.0.0.1": 200, "[::1]:5": 200, "10.0.0.1": 403} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.url, nil)
		require.NoError(t, err)
		req.Host = host
		resp, err := f.client.Do(req)
		require.NoError(t, err)
		_ = resp.Body.Close()
		assert.Equal(t, want, resp.StatusCode, host)
	}
}
