package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenRun runs the suite on a real model's recorded answers: accuracy,
// failing ids and error types must be those of upstream's score files. Cases
// that upstream recorded as its own inference failure are errors here.
func TestGoldenRun(t *testing.T) {
	t.Parallel()
	recorded := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b")
	data := testkit.Shared(t, "bfcl")
	dir := t.TempDir()
	run := says(t, "run", "-q", "-model=replay:"+recorded, "-dataset=v4", "-data="+data, "-run-dir="+dir, "-allow-errors", "-json")
	var scored score.Score
	require.NoError(t, json.Unmarshal([]byte(run), &scored))
	ours := reported(t, filepath.Join(dir, "report.xml"))
	compared, inference := 0, 0
	for name, sheet := range upstreamScores(t, filepath.Join(recorded, "score")) {
		assert.Equalf(t, sheet.Correct, scored.Categories[name].Correct, "%s: right answers", name)
		assert.Equalf(t, sheet.Total, scored.Categories[name].Total, "%s: cases", name)
		for id, kind := range ours[name] {
			compared++
			if strings.HasPrefix(kind, "infrastructure:recorded_error") {
				inference++
				continue
			}
			assert.Equalf(t, sheet.ErrorTypes[id], kind, "%s", id)
		}
		assert.Lenf(t, ours[name], sheet.Total, "%s: cases reported", name)
	}
	t.Logf("%d verdicts compared in %d categories, %d of them upstream's inference errors", compared, len(scored.Categories), inference)
	auditedRun(t, dir, data, scored)
}

// auditedRun scores the run once more: the official score stays as it was, and
// the audit beside it is over fewer cases.
func auditedRun(t *testing.T, dir, data string, official score.Score) {
	t.Helper()
	var again struct {
		score.Score
		Audit tally.Audit `json:"audit"`
	}
	require.NoError(t, json.Unmarshal([]byte(says(t, "score", "--json", "--allow-errors", "--data="+data, dir)), &again))
	assert.Equal(t, official.Overall, again.Overall)
	gone := 0
	for name, was := range official.Categories {
		gone += was.Total - again.Audit.Telling.Categories[name].Total
	}
	assert.Len(t, again.Audit.LeftOut, gone)
	assert.Greater(t, again.Audit.Telling.Overall.Accuracy, official.Overall.Accuracy)
	require.NotNil(t, again.Audit.Amended)
	assert.NotEmpty(t, again.Audit.Righted)
}

// reported are the error types of a report by category and id, "" for a pass.
func reported(t *testing.T, path string) map[string]map[string]string {
	t.Helper()
	file := testkit.Must(tally.ReadJUnitFile(path))(t)
	out := map[string]map[string]string{}
	for _, c := range file.Cases {
		if out[c.Class] == nil {
			out[c.Class] = map[string]string{}
		}
		out[c.Class][c.Name] = c.Properties.Get("error_type")
	}
	return out
}

type upstreamScore struct {
	Correct, Total int
	ErrorTypes     map[string]string
}

func upstreamScores(t *testing.T, dir string) map[string]upstreamScore {
	t.Helper()
	out := map[string]upstreamScore{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name, isScore := strings.CutSuffix(strings.TrimPrefix(entry.Name(), "BFCL_v4_"), "_score.json")
		if err != nil || !isScore || categories.Find(name) == nil {
			return err
		}
		sheet := upstreamScore{ErrorTypes: map[string]string{}}
		testkit.Rows(t, path, func(line int, row *pyval.Dict) {
			if line == 1 {
				sheet.Correct, sheet.Total = number(row, "correct_count"), number(row, "total_count")
				return
			}
			if fault, ok := testkit.Field(row, "error").(*pyval.Dict); ok && fault.Has("error_type") {
				row.SetStr("error_type", testkit.Field(fault, "error_type")) // of conversations
			}
			sheet.ErrorTypes[testkit.Text(row, "id")] = testkit.Text(row, "error_type")
		})
		out[name] = sheet
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, out)
	return out
}

func number(row *pyval.Dict, field string) int {
	n, _ := testkit.Field(row, field).(pyval.Int)
	f, _ := n.Float64()
	return int(f)
}

// upstreamArchive is an archive of the first release's commit.
func upstreamArchive(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	dir := testkit.Shared(t, "bfcl", "v1")
	for _, file := range fixtures.Pinned("v1").Files {
		text := testkit.Must(os.ReadFile(filepath.Join(dir, file.Path)))(t)
		place := "gorilla-x/berkeley-function-call-leaderboard/" + file.Path
		if file.Path == "LICENSE" {
			place = "gorilla-x/LICENSE"
		}
		require.NoError(t, archive.WriteHeader(&tar.Header{Name: place, Size: int64(len(text)), Mode: 0o644}))
		testkit.Must(archive.Write(text))(t)
	}
	require.NoError(t, archive.Close())
	require.NoError(t, zipped.Close())
	return out.Bytes()
}

// TestGoldenRunFetchesFirst: a run of an official dataset that is not there says that
// it is fetched, fetches it once, and bears its digest.
func TestGoldenRunFetchesFirst(t *testing.T) {
	archive, asked := upstreamArchive(t), []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		_, _ = w.Write(archive)
	}))
	defer server.Close()
	data := t.TempDir()
	t.Setenv("BFCL_MIRROR", server.URL)
	t.Setenv("BFCL_DATA", data)
	folder := filepath.Join(t.TempDir(), "run")
	run := func(more ...string) ran {
		folder += "s"
		got := bfcl(t, append([]string{"run", "-dataset=v1", "-model=oracle", "-categories=simple", "-run-dir=" + folder, "-json"}, more...)...)
		require.Equalf(t, exitOK, got.code, "%s", got.errs)
		return got
	}
	got := run()
	assert.Equal(t, []string{"/ShishirPatil/gorilla/tar.gz/" + fixtures.Pinned("v1").Commit}, asked)
	assert.Contains(t, got.errs, "bfcl: dataset v1 is not in "+data+": fetching it first")
	assert.Contains(t, got.errs, "v1 is installed: 2000 cases in 27 files")
	d := testkit.Must(fixtures.Open("v1", data))(t)
	digest := testkit.Must(d.Digest())(t)
	assert.Contains(t, got.out, digest)
	got = run()
	assert.Len(t, asked, 1, "what is there is not fetched again")
	assert.NotContains(t, got.errs, "fetching it first")

	t.Setenv("BFCL_DATA", t.TempDir())
	gate := filepath.Join(t.TempDir(), "gate.yaml")
	require.NoError(t, os.WriteFile(gate, []byte("partial: true\nmin_cases: 1\nregressions: {overall: {detect: 99}}\n"), 0o644))
	got = run("-gate="+gate, "-baseline="+folder)
	assert.Len(t, asked, 2, "a baseline of the same data is read after they are there")
	assert.Contains(t, got.errs, "fetching it first")
}
