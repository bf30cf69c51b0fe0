package workflow_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// team is a repository as docs/ci.md describes it.
func team() map[string]string {
	return map[string]string{
		"model.env": "MODEL=heuristic\nFLAGS=-categories=irrelevance,simple_python\n",
		"gate.yaml": "partial: true\nfloors:\n  irrelevance: 10\nregressions:\n  overall: {detect: 5}\n",
	}
}

func on(event, branch string, more ...string) map[string]string {
	e := map[string]string{
		"event_name": event, "ref": "refs/heads/" + branch, "ref_name": branch, "head_branch": branch, "repository": "team/app",
		"run_id": "100", "run_attempt": "1", "job": "gate", "sha": "0123456789abcdef", "event.number": "7", "token": "t",
	}
	if event == "pull_request" {
		e["ref"], e["ref_name"] = "refs/pull/7/merge", "7/merge"
	}
	for i := 0; i < len(more); i += 2 {
		e[more[i]] = more[i+1]
	}
	e["event.pull_request.head.repo.fork"] = strconv.FormatBool(e["fork"] != "")
	return e
}

// TestTeam is a repository's first weeks with the gate.
func TestTeam(t *testing.T) {
	t.Parallel()
	h := newHub(t, team())
	gate := func(event map[string]string) (*runner, int) {
		t.Helper()
		r := newRunner(t, h, event)
		code := r.job("gate.yml", "gate")
		if code != 0 {
			t.Logf("code %d", code)
		}
		return r, code
	}
	baselines := func() (ids []string) {
		for _, a := range h.artifacts().Artifacts {
			if a.Name == "bfcl-baseline" {
				ids = append(ids, a.Run.ID)
			}
		}
		return ids
	}

	r, code := gate(on("pull_request", "first", "run_id", "101"))
	assert.Equal(t, 0, code, "the first pull request has no baseline, and its floors hold\n%s", &r.log)
	assert.Contains(t, r.log.String(), "no baseline yet: no run of main has left one")
	assert.Contains(t, h.read("comments/7.1"), "no baseline yet")
	assert.Empty(t, baselines(), "a pull request's run is no baseline")

	h.repository["gate.yaml"] = strings.Replace(h.repository["gate.yaml"], "irrelevance: 10", "irrelevance: 100", 1)
	r, code = gate(on("push", "main", "run_id", "102"))
	assert.Equal(t, 1, code, "main's gate is closed\n%s", &r.log)
	assert.Equal(t, []string{"102"}, baselines(), "what main runs is the baseline, whatever its gate says")
	h.repository["gate.yaml"] = team()["gate.yaml"]

	r, code = gate(on("pull_request", "second", "run_id", "103"))
	assert.Equal(t, 0, code, "%s", &r.log)
	assert.Contains(t, r.log.String(), "run 102 of main")
	assert.Contains(t, h.read("comments/7.1"), "Against the baseline", "the comment is written over")
	assert.Empty(t, h.read("comments/7.2"))

	h.repository["model.env"] = "\xef\xbb\xbfMODEL=\"heuristic\"\r\nFLAGS=-categories=irrelevance,simple_python  \r\n"
	h.repository["gate.yaml"] = strings.ReplaceAll(team()["gate.yaml"], "\n", "\r\n")
	r, code = gate(on("pull_request", "windows", "run_id", "104"))
	assert.Equal(t, 0, code, "files of a Windows editor\n%s", &r.log)
	h.repository = team()

	r, code = gate(on("schedule", "main", "run_id", "105"))
	assert.Equal(t, 0, code)
	assert.Equal(t, []string{"102", "105"}, baselines(), "a schedule renews it")
	assert.NotContains(t, r.log.String(), "overall", "and measures nothing")

	h.pass(91)
	r, code = gate(on("pull_request", "late", "run_id", "106"))
	assert.Equal(t, 0, code, "%s", &r.log)
	assert.Contains(t, r.log.String(), "has expired")
	r, code = gate(on("schedule", "main", "run_id", "107"))
	assert.Equal(t, 0, code, "%s", &r.log)
	assert.Contains(t, baselines(), "107", "with nothing to renew the schedule measures")
}

// TestTeamTrouble: without the baseline that there is, a gate would silently ask
// for less.
func TestTeamTrouble(t *testing.T) {
	t.Parallel()
	h := newHub(t, team())
	main := newRunner(t, h, on("push", "main", "run_id", "1"))
	require.Equal(t, 0, main.job("gate.yml", "gate"), "%s", &main.log)
	for broken, want := range map[string]string{
		"repository": "the repository cannot be read",
		"artifacts":  "artifacts cannot be listed",
		"download":   "cannot be downloaded",
	} {
		h.write("broken", broken+"\n")
		r := newRunner(t, h, on("pull_request", "x", "run_id", "2"))
		assert.Equal(t, 2, r.job("gate.yml", "gate"), broken)
		assert.Contains(t, r.log.String(), want)
	}
	h.write("broken", "comments\n")
	r := newRunner(t, h, on("pull_request", "x", "run_id", "3"))
	assert.Equal(t, 0, r.job("gate.yml", "gate"), "a comment decides nothing\n%s", &r.log)
	assert.Contains(t, r.log.String(), "the comment could not be written")
	h.write("broken", "")

	require.NoError(t, os.Remove(filepath.Join(h.dir, "bfcl_"+version+"_linux_amd64")))
	h.write("bfcl_"+version+"_linux_amd64", "#!/bin/sh\necho pass\n")
	r = newRunner(t, h, on("pull_request", "x", "run_id", "4"))
	assert.Equal(t, 2, r.job("gate.yml", "gate"))
	assert.Contains(t, r.log.String(), "it is not used", "another binary than the pinned one")
}

// TestFork: a fork's pull request has no secrets, and what it uploads is nobody's
// baseline, whatever its branch is called.
func TestFork(t *testing.T) {
	t.Parallel()
	h := newHub(t, team())
	r := newRunner(t, h, on("pull_request", "main", "fork", "yes", "run_id", "1"))
	assert.Equal(t, 0, r.job("gate.yml", "gate"), "%s", &r.log)
	assert.Contains(t, r.log.String(), "the comment could not be written")
	forged := newRunner(t, h, on("pull_request", "main", "fork", "yes", "run_id", "2"))
	require.NoError(t, os.CopyFS(filepath.Join(forged.work, "bfcl-run"), os.DirFS(filepath.Join(r.work, "bfcl-run"))))
	require.NoError(t, upload(forged, "", map[string]string{"name": "bfcl-baseline", "path": "bfcl-run"}))
	next := newRunner(t, h, on("pull_request", "x", "run_id", "3"))
	assert.Equal(t, 0, next.job("gate.yml", "gate"))
	assert.Contains(t, next.log.String(), "no baseline yet")

	h.repository["model.env"] = "MODEL=gpt-4.1-mini\nFLAGS=-categories=irrelevance\n"
	r = newRunner(t, h, on("pull_request", "x", "fork", "yes", "run_id", "4"))
	code := r.job("gate.yml", "gate")
	assert.Contains(t, []int{2, 3}, code, "without its key a model is not measured\n%s", &r.log)
	assert.Contains(t, r.log.String(), "OPENAI_API_KEY")
}

// TestHostileSettings: what a pull request writes into model.env reaches no shell.
func TestHostileSettings(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"$(touch hacked)", "`touch hacked`", "x; touch hacked", "a'\"b", "-run-dir=elsewhere", "::error::forged", ""} {
		h := newHub(t, team())
		h.repository["model.env"] = "MODEL=" + model + "\nFLAGS=-categories=irrelevance\n"
		r := newRunner(t, h, on("pull_request", "x"))
		code := r.job("gate.yml", "gate")
		assert.Contains(t, []int{2, 3}, code, "%q\n%s", model, &r.log)
		assert.NoFileExists(t, filepath.Join(r.work, "hacked"))
		assert.NoDirExists(t, filepath.Join(r.work, "elsewhere"))
		for line := range strings.SplitSeq(r.log.String(), "\n") {
			assert.False(t, strings.HasPrefix(line, "::error::forged"), "%q", line)
		}
	}
}
