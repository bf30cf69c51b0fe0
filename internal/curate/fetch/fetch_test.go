package fetch

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A mirror serves one archive, and counts its requests.
type mirror struct {
	archive []byte
	// cut ends the first answer after so many bytes, where it is not 0.
	cut      int
	requests atomic.Int32
}

func (m *mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := m.requests.Add(1)
	if n == 1 && m.cut > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(len(m.archive)))
		_, _ = w.Write(m.archive[:m.cut])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(m.archive))
}

func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// fetcherFor is a fetcher that waits for nothing, into a new folder.
func fetcherFor(t *testing.T, o Options) *fetcher {
	t.Helper()
	if o.Data == "" {
		o.Data = t.TempDir()
	}
	f := testkit.Must(newFetcher(o))(t)
	f.pause = time.Millisecond
	t.Cleanup(f.client.CloseIdleConnections)
	return f
}

// nothing asserts that no dataset, whole or half, lies in a data directory.
func nothing(t *testing.T, data string) {
	t.Helper()
	assert.Empty(t, InstalledIn(data))
	entries := testkit.Must(os.ReadDir(filepath.Join(data, ".fetch")))(t)
	for _, entry := range entries {
		assert.False(t, entry.IsDir(), "%s was left", entry.Name())
	}
}

// TestGoldenFetch serves an archive of the official data, with Python sources
// written anew, and holds what is installed against the data byte by byte.
func TestGoldenFetch(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	for _, name := range []string{"v4", "v1"} {
		t.Run(name, func(t *testing.T) {
			dir := testkit.Shared(t, "bfcl", name)
			files := upstreamFiles(t, name)
			m := &mirror{archive: packed(t, files)}
			f := fetcherFor(t, Options{Dataset: name, Mirror: serve(t, m)})
			done := testkit.Must(f.run(t.Context()))(t)
			got := content(t, done.Folder)
			delete(got, sumsFile)
			delete(got, completion.TextsFile)
			want := content(t, dir)
			delete(want, readme) // of the folder of recorded data, not upstream's
			assert.Len(t, got, len(want))
			for file, text := range want {
				assert.True(t, got[file] == text, "%s differs", file)
			}
			recorded := testkit.Must(fixtures.Open(name, filepath.Dir(dir)))(t)
			digest := testkit.Must(recorded.Digest())(t)
			assert.Equal(t, digest, done.Digest)
			report := testkit.Must(Check(f.Data, name))(t)
			assert.True(t, report.OK(), report.Brief())
			t.Logf("%s: %d files compared, %d cases, archive of %d bytes", name, len(got), done.Cases, len(m.archive))

			again := testkit.Must(f.run(t.Context()))(t)
			assert.True(t, again.Existing)
			assert.EqualValues(t, 1, m.requests.Load(), "what is installed is not fetched again")
		})
	}
}

// TestGoldenOffline reads the same files out of an archive, and no folder.
func TestGoldenOffline(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	archive := filepath.Join(t.TempDir(), "gorilla.tar.gz")
	require.NoError(t, os.WriteFile(archive, packed(t, upstreamFiles(t, "v4")), 0o644))
	done := testkit.Must(fetcherFor(t, Options{Dataset: "v4", From: archive}).run(t.Context()))(t)
	assert.Equal(t, len(fixtures.Pinned("v4").Files)+2, done.Files) // the sums and the handlers' texts
	testkit.Fails(fetcherFor(t, Options{Dataset: "v4", From: filepath.Dir(archive)}).run(t.Context()))(t, "git archive --prefix=gorilla/ -o gorilla.tar.gz "+fixtures.Pinned("v4").Commit)
}

// treeOf is what an archive of a checkout's files would be read as.
func treeOf(files map[string]string) *tree {
	t := &tree{files: map[string][]byte{}}
	for name, text := range files {
		if place, ok := wanted("gorilla/" + name); ok {
			t.files[place] = []byte(text)
		}
	}
	return t
}

// small is a checkout of the second release's with one question.
func small() map[string]string {
	return map[string]string{
		"LICENSE":                              "a licence",
		leaderboard + "/data/BFCL_v2_sql.json": `{"id": "sql_0", "question": "hello", "function": []}`,
	}
}

// fetcherOf is a fetcher of a checkout that the second release is taken to be.
func fetcherOf(t *testing.T, files map[string]string, o Options) *fetcher {
	t.Helper()
	o.Dataset = "v2"
	f := fetcherFor(t, o)
	f.pin = &fixtures.Pin{Name: "v2", Commit: "0123456789abcdef0123456789abcdef01234567"}
	chosen, _, err := f.choose(treeOf(files))
	require.NoError(t, err)
	texts := map[string]string{}
	for name, text := range chosen {
		texts[name] = string(text)
	}
	d := testkit.Must(fixtures.Open(testkit.Folder(t, texts), ""))(t)
	f.pin.Digest = testkit.Must(d.Digest())(t)
	return f
}

// TestByDigest: a release of which only the digest is pinned is installed if it
// has that, with sums of its own.
func TestByDigest(t *testing.T) {
	f := fetcherOf(t, small(), Options{Mirror: serve(t, &mirror{archive: packed(t, small())})})
	digest := f.pin.Digest
	f.pin.Digest = "another"
	testkit.Fails(f.run(t.Context()))(t, "this is not the data of v2 (commit 0123456789abcdef0123456789abcdef01234567): its digest is "+digest+", not another; nothing was installed")
	nothing(t, f.Data)
	f.pin.Digest = digest
	done := testkit.Must(f.run(t.Context()))(t)
	assert.Equal(t, digest, done.Digest)
	report := testkit.Must(Check(f.Data, "v2"))(t)
	assert.True(t, report.OK())
	file := filepath.Join(done.Folder, "unused_datasets", "question", "BFCL_v4_sql.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"question": "bye", "function": []}`), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(done.Folder, "more.json"), nil, 0o644))
	require.NoError(t, os.Remove(filepath.Join(done.Folder, license)))
	report = testkit.Must(Check(f.Data, "v2"))(t)
	assert.Equal(t, "other content: unused_datasets/question/BFCL_v4_sql.json; missing: LICENSE; too much: more.json", report.Brief())
	testkit.Fails(f.run(t.Context()))(t, "is there but differs (other content: unused_datasets")
	f.Force = true
	testkit.Must(f.run(t.Context()))(t)
	report = testkit.Must(Check(f.Data, "v2"))(t)
	assert.True(t, report.OK(), report.Brief())
}

func TestWrongOptions(t *testing.T) {
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{Dataset: "v9"}, `"v9" cannot be fetched: use v4, v3, v2, v1`},
		{Options{Dataset: "../v4"}, "cannot be fetched"},
		{Options{Dataset: fixtures.Pinned("v1").Commit}, "cannot be fetched"},
		{Options{Dataset: "v4", Mirror: "ftp://h/x"}, "the mirror is not an address"},
		{Options{Dataset: "v4", Mirror: "://"}, "the mirror is not an address"},
		{Options{Dataset: "v4", From: "nowhere"}, "nowhere"},
	} {
		test.o.Data = t.TempDir()
		testkit.Fails(Run(t.Context(), test.o))(t, test.want)
		assert.Empty(t, InstalledIn(test.o.Data))
	}
}

// TestBadArchives: each ends in an error that says what is wrong, with nothing
// installed.
func TestBadArchives(t *testing.T) {
	good := packed(t, small())
	entry := func(h tar.Header) []byte { return packed(t, small(), &h) }
	data := "gorilla-hash/" + leaderboard + "/data/x.json"
	for name, test := range map[string]struct {
		archive []byte
		want    string
	}{
		"path traversal": {entry(tar.Header{Typeflag: tar.TypeReg, Name: "gorilla-hash/../../x"}), "which leads out of it"},
		"absolute path":  {entry(tar.Header{Typeflag: tar.TypeReg, Name: "/etc/cron.d/x"}), "which is absolute"},
		"drive letter":   {entry(tar.Header{Typeflag: tar.TypeReg, Name: "c:x"}), "which is absolute"},
		"backslashes":    {entry(tar.Header{Typeflag: tar.TypeReg, Name: `gorilla-hash\..\x`}), "not valid in an archive"},
		"symlink":        {entry(tar.Header{Typeflag: tar.TypeSymlink, Name: data, Linkname: "/etc/passwd"}), "is a link or a device"},
		"hard link":      {entry(tar.Header{Typeflag: tar.TypeLink, Name: data, Linkname: "x"}), "is a link or a device"},
		"device":         {entry(tar.Header{Typeflag: tar.TypeChar, Name: data}), "is a link or a device"},
		"twice":          {entry(tar.Header{Typeflag: tar.TypeReg, Name: "gorilla-hash/LICENSE"}), "appears twice in the archive"},
		"large file":     {entry(tar.Header{Typeflag: tar.TypeReg, Name: data, Size: 2 << 20}), "is too large: 2097152 bytes"},
		"bomb":           {entry(tar.Header{Typeflag: tar.TypeReg, Name: "gorilla-hash/zeros", Size: 9 << 20}), "the archive unpacks to too much"},
		"many entries":   {packed(t, manyFiles()), "more than 100 entries"},
		"cut off":        {good[:len(good)-20], "the archive is cut off"},
		"damaged":        {append(good[:len(good)-8:len(good)-8], 1, 2, 3, 4, 5, 6, 7, 8), "invalid checksum"},
		"empty":          {nil, "not a complete tar.gz"},
		"no archive":     {[]byte("<html>sign in</html>"), "not a complete tar.gz"},
		"other content":  {packed(t, map[string]string{"README.md": "hello"}), "it has no files of berkeley-function-call-leaderboard"},
		"broken data":    {packed(t, map[string]string{leaderboard + "/data/BFCL_v2_simple.json": "{"}), "line 1 is not a JSON object"},
		"deep folder":    {packed(t, map[string]string{"a/b/" + leaderboard + "/data/gorilla_openfunctions_v1_test_simple.json": "{}"}), "it has no files of"},
	} {
		t.Run(name, func(t *testing.T) {
			f := fetcherFor(t, Options{Dataset: "v2", Mirror: serve(t, &mirror{archive: test.archive})})
			f.limits = limits{download: 64 << 20, entries: 100, file: 1 << 20, kept: 8 << 20, unpacked: 8 << 20}
			testkit.Fails(f.run(t.Context()))(t, test.want)
			nothing(t, f.Data)
			assert.NoFileExists(t, f.partial())
		})
	}
}

func manyFiles() map[string]string {
	out := map[string]string{}
	for i := range 200 {
		out[fmt.Sprint(i)] = ""
	}
	return out
}

// TestGoldenWrongContent: one changed byte in a pinned dataset is found, and
// the file named; so is a changed source, and one that cannot be read.
func TestGoldenWrongContent(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	files := upstreamFiles(t, "v4")
	for name, test := range map[string]struct{ file, old, with, want string }{
		"data":             {v4Data + "BFCL_v4_simple_python.json", `"id"`, `"ID"`, "other content: BFCL_v4_simple_python.json; nothing was installed"},
		"missing":          {v4Data + "BFCL_v4_memory.json", "", "", "missing: BFCL_v4_memory.json;"},
		"constant":         {"bfcl_eval/constants/eval_config.py", "23.92", "24", "other content: prompts.json;"},
		"constant is code": {"bfcl_eval/constants/eval_config.py", "23.92", "float(os.environ['X'])", "eval_config.py: a constant with a Call"},
		"constant is gone": {"bfcl_eval/constants/eval_config.py", "H100_X8_PRICE_PER_HOUR", "PRICE", `eval_config.py: no constant "H100_X8_PRICE_PER_HOUR"`},
		"text":             {"bfcl_eval/model_handler/utils.py", "Default", "The default", "utils.py lacks the text known as tool_schema_text.default"},
		"broken source":    {recipe().Long.File, "= [", "= (", "long_context.py: "},
	} {
		t.Run(name, func(t *testing.T) {
			changed := map[string]string{}
			for file, text := range files {
				if file == leaderboard+"/"+test.file {
					require.Contains(t, text, test.old)
					if text = strings.Replace(text, test.old, test.with, 1); test.old == "" {
						continue
					}
				}
				changed[file] = text
			}
			_, _, err := fetcherFor(t, Options{Dataset: "v4"}).choose(treeOf(changed))
			assert.ErrorContains(t, err, "this is not the data of v4")
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// TestBrokenConnection: a download that breaks off begins again, as one does that
// a killed fetch has left.
func TestBrokenConnection(t *testing.T) {
	m := &mirror{archive: packed(t, small()), cut: 40}
	f := fetcherOf(t, small(), Options{Mirror: serve(t, m)})
	testkit.Write(t, f.partial(), strings.Repeat("x", 1<<20))
	testkit.Must(f.run(t.Context()))(t)
	assert.EqualValues(t, 2, m.requests.Load())
	assert.NoFileExists(t, f.partial())
}

// TestServerTrouble: what may pass is tried again, what may not is said at once.
func TestServerTrouble(t *testing.T) {
	for _, test := range []struct {
		status   int
		requests int32
		want     string
	}{
		{404, 1, "the server does not have this commit"}, {403, 1, "status 403"},
		{500, tries, "status 500"}, {429, tries, "status 429"},
	} {
		var requests atomic.Int32
		at := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			requests.Add(1)
			w.WriteHeader(test.status)
		}))
		f := fetcherFor(t, Options{Dataset: "v4", Mirror: strings.Replace(at, "http://", "http://user:secret@", 1)})
		_, err := f.run(t.Context())
		assert.ErrorContains(t, err, test.want)
		assert.ErrorContains(t, err, "`bfcl fetch NAME --from FILE` reads an archive")
		assert.NotContains(t, err.Error(), "secret")
		assert.Equal(t, test.requests, requests.Load())
		nothing(t, f.Data)
	}
}

// TestTooLarge: a download is ended at its limit, whatever the server says of
// its size.
func TestTooLarge(t *testing.T) {
	for _, announced := range []bool{true, false} {
		at := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if announced {
				w.Header().Set("Content-Length", "5000")
			}
			for range 5 {
				_, _ = w.Write(make([]byte, 1000))
				w.(http.Flusher).Flush()
			}
		}))
		f := fetcherFor(t, Options{Dataset: "v4", Mirror: at})
		f.limits.download = 2000
		testkit.Fails(f.run(t.Context()))(t, "the archive is too large")
		nothing(t, f.Data)
	}
}

// fullDisk fails when so many bytes are written.
type fullDisk struct {
	file
	left *int
}

func (d fullDisk) Write(p []byte) (int, error) {
	if *d.left -= len(p); *d.left < 0 {
		return 0, &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	}
	return d.file.Write(p)
}

// TestFullDisk: wherever the disk fills up, the error says so and nothing is
// installed; afterwards the same command works.
func TestFullDisk(t *testing.T) {
	archive := packed(t, small())
	for _, room := range []int{0, 100, len(archive), len(archive) + 10, len(archive) + 50} {
		f := fetcherOf(t, small(), Options{Mirror: serve(t, &mirror{archive: archive})})
		create, left := f.create, room
		f.create = func(path string, flag int) (file, error) {
			opened, err := create(path, flag)
			return fullDisk{opened, &left}, err
		}
		testkit.Fails(f.run(t.Context()))(t, "no space left on device")
		nothing(t, f.Data)
		f.create = create
		assert.NoError(t, testkit.Err(f.run(t.Context())))
	}
}

// TestTwoAtOnce: the second waits for the first and finds its work done.
func TestTwoAtOnce(t *testing.T) {
	m := &mirror{archive: packed(t, small())}
	at, data := serve(t, m), t.TempDir()
	var wait sync.WaitGroup
	for range 4 {
		f := fetcherOf(t, small(), Options{Mirror: at, Data: data})
		wait.Go(func() {
			assert.NoError(t, testkit.Err(f.run(context.Background())))
		})
	}
	wait.Wait()
	assert.EqualValues(t, 1, m.requests.Load())
}

// TestInterrupted: a fetch that is ended while it downloads, or while it waits
// for another one, leaves nothing installed.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	archive := packed(t, small())
	at := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(archive[:50])
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	}))
	f := fetcherOf(t, small(), Options{Mirror: at})
	assert.ErrorIs(t, testkit.Err(f.run(ctx)), context.Canceled)
	nothing(t, f.Data)

	unlock := testkit.Must(f.lock(t.Context()))(t)
	defer unlock()
	short, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer end()
	assert.ErrorIs(t, testkit.Err(fetcherOf(t, small(), Options{Mirror: at, Data: f.Data}).run(short)), context.DeadlineExceeded)
}

// TestSweep: what a killed fetch left is removed, and a dataset that it had
// moved aside put back.
func TestSweep(t *testing.T) {
	f := fetcherOf(t, small(), Options{Mirror: "http://127.0.0.1:1"})
	for _, dir := range []string{"new-v4", "old-v1"} {
		require.NoError(t, os.MkdirAll(filepath.Join(f.work(), dir), 0o755))
	}
	require.NoError(t, f.sweep())
	assert.NoDirExists(t, filepath.Join(f.work(), "new-v4"))
	assert.Equal(t, []string{"v1"}, InstalledIn(f.Data))
}

// TestReplaceFails: when the new folder cannot take the old one's place, the
// old one is there again.
func TestReplaceFails(t *testing.T) {
	f := fetcherOf(t, small(), Options{})
	require.NoError(t, os.MkdirAll(f.folder(), 0o755))
	require.NoError(t, os.MkdirAll(f.work(), 0o755))
	err := f.move(filepath.Join(f.work(), "not there"))
	assert.True(t, errors.Is(err, os.ErrNotExist))
	assert.DirExists(t, f.folder())
}
