package workflow_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A gitlabJob is what our GitLab file uses of a job.
type gitlabJob struct {
	Extends      string
	Image, Stage string
	Timeout      string
	Needs        []string
	Variables    map[string]string
	BeforeScript []string `yaml:"before_script"`
	Script       []string
	Cache        struct {
		Key, When string
		Paths     []string
	}
	Rules []struct {
		If           string
		AllowFailure bool `yaml:"allow_failure"`
	}
	Artifacts struct {
		When    string
		Paths   []string
		Reports struct{ JUnit string }
	}
}

// readGitLab reads examples/gitlab/gate.yml strictly, with inputs filled in.
func readGitLab(t *testing.T, inputs map[string]string) map[string]gitlabJob {
	t.Helper()
	text := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "examples", "gitlab", "gate.yml")))(t)
	head, body, ok := strings.Cut(string(text), "\n---\n")
	require.True(t, ok, "inputs stand in a document of their own")
	var spec struct {
		Spec struct {
			Inputs map[string]struct {
				Description string
				Default     *string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(head), &spec))
	body = regexp.MustCompile(`\$\[\[ inputs\.([a-z]+) \]\]`).ReplaceAllStringFunc(body, func(m string) string {
		name := strings.TrimSuffix(strings.TrimPrefix(m, "$[[ inputs."), " ]]")
		input, ok := spec.Spec.Inputs[name]
		require.True(t, ok, "%s is no input", name)
		value, given := inputs[name]
		if !given {
			require.NotNil(t, input.Default, "%s has no default", name)
			value = *input.Default
		}
		return "'" + value + "'"
	})
	in := yaml.NewDecoder(bytes.NewReader([]byte(body)))
	in.KnownFields(true)
	jobs := map[string]gitlabJob{}
	require.NoError(t, in.Decode(&jobs))
	return jobs
}

// TestGitLab runs the jobs of a project's first and second pipeline, with a curl
// that stands in for GitLab's artifacts.
func TestGitLab(t *testing.T) {
	t.Parallel()
	h := newHub(t, nil)
	jobs := readGitLab(t, map[string]string{"model": "heuristic", "flags": "-categories=irrelevance,simple_python"})
	h.program("go", "#!/bin/sh\n")
	h.program("curl", "#!/bin/bash\n"+
		"while [ $# -gt 0 ]; do case \"$1\" in --output) out=\"$2\" ;; esac; shift; done\n"+
		"if [ -e \"$HUB/main.tar.gz\" ]; then cp \"$HUB/main.tar.gz\" \"$out\"; printf 200; else cat \"$HUB/status\"; fi\n")
	h.install()
	h.write("status", "404")

	pipeline := func(gate string) (work string, code int, log string) {
		work = t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(work, "gate.yaml"), []byte(gate), 0o644))
		for _, name := range []string{"bfcl-measure", "bfcl-gate"} {
			j := jobs[name]
			assert.Equal(t, ".bfcl", j.Extends)
			env := []string{"CI=true", "GITLAB_CI=true"}
			for name, value := range j.Variables {
				env = append(env, name+"="+value)
			}
			var out string
			out, code = h.bash(work, strings.Join(append(jobs[".bfcl"].BeforeScript, j.Script...), "\n"), env...)
			if log += out; code != 0 {
				return work, code, log
			}
			for _, kept := range append(j.Artifacts.Paths, j.Artifacts.Reports.JUnit) {
				if kept != "" {
					assert.NoError(t, testkit.Err(os.Stat(filepath.Join(work, kept))), "the artifact of %s", name)
				}
			}
		}
		return work, code, log
	}
	gate := team()["gate.yaml"]
	work, code, log := pipeline(gate)
	require.Equal(t, 0, code, log)
	assert.Contains(t, log, "no baseline yet")
	data := testkit.Must(os.ReadFile(filepath.Join(work, "bfcl-run.tar.gz")))(t)
	h.write("main.tar.gz", string(data))
	_, code, log = pipeline(gate)
	assert.Equal(t, 0, code, log)
	assert.Contains(t, log, "regression overall")
	_, code, _ = pipeline("partial: true\nfloors: {irrelevance: 100}\n")
	assert.Equal(t, 1, code, "a closed gate")
	require.NoError(t, os.Remove(filepath.Join(h.dir, "main.tar.gz")))
	h.write("status", "500")
	_, code, log = pipeline(gate)
	assert.Equal(t, 2, code)
	assert.Contains(t, log, "cannot be downloaded: HTTP 500")
	assert.True(t, jobs["bfcl-gate"].Rules[0].AllowFailure, "main's pipeline succeeds, so that it holds the baseline")
}

// TestJenkinsfile: its scripts are bash.
func TestJenkinsfile(t *testing.T) {
	t.Parallel()
	text := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "examples", "jenkins", "Jenkinsfile")))(t)
	parts := strings.Split(string(text), "'''")
	require.Equal(t, 1, len(parts)%2, "a script stays open")
	for i := 1; i < len(parts); i += 2 {
		out, code := bash(t, t.TempDir(), parts[i], "-n")
		assert.Equal(t, 0, code, out)
		assert.True(t, strings.HasPrefix(parts[i], "#!/bin/bash\n"), "sh knows no arrays")
	}
	assert.Equal(t, strings.Count(string(text), "{"), strings.Count(string(text), "}"))
	assert.Contains(t, string(text), "skipMarkingBuildUnstable: true")
}

// TestJenkinsContinues: a build asks what the one before it, with the same settings,
// did not get an answer to; after a complete one it measures anew.
func TestJenkinsContinues(t *testing.T) {
	t.Parallel()
	h, p, work := newHub(t, nil), newProvider(t), t.TempDir()
	h.install()
	h.program("go", "#!/bin/sh\n")
	text := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "examples", "jenkins", "Jenkinsfile")))(t)
	for i, build := range []struct {
		flags, state  string
		code, answers int
	}{{"", "", 2, 5}, {"", "", 0, cases - 5}, {"", "", 0, cases}, {"-seed=2", "down", 2, 0}, {"", "", 0, cases}} {
		p.state = build.state
		if i == 0 {
			p.after, p.cancel = 5, func() { p.state = "down" }
		}
		out, code := h.bash(work, strings.Split(string(text), "'''")[1], "MODEL=openai:m", "FLAGS=-base-url="+p.URL+"/v1 -no-check -concurrency=1 -categories=irrelevance "+build.flags)
		assert.Equal(t, build.code, code, "build %d: %s", i+1, out)
		assert.Equal(t, build.answers, p.measured(t), "build %d", i+1)
		p.wait = 0
	}
}

// kubernetes returns what the pods of examples/kubernetes run: a shard, and what
// scores them. That Kubernetes knows every field is tools/manifest's to check.
func kubernetes(t *testing.T) (measure, score string) {
	t.Helper()
	commands := map[string]string{}
	for _, name := range []string{"shared-volume.yaml", "merge.yaml"} {
		text := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "examples", "kubernetes", name)))(t)
		for in := yaml.NewDecoder(bytes.NewReader(text)); ; {
			var m struct {
				Kind     string
				Metadata struct{ Name string }
				Data     map[string]string
				Spec     struct {
					Completions int
					Policy      struct {
						Rules []struct {
							Action string
							Exit   struct{ Values []int } `yaml:"onExitCodes"`
						}
					} `yaml:"podFailurePolicy"`
					Template struct {
						Spec struct{ Containers []struct{ Args []string } }
					}
				}
			}
			if err := in.Decode(&m); err != nil {
				require.ErrorIs(t, err, io.EOF)
				break
			}
			switch {
			case m.Kind == "ConfigMap":
				assert.Equal(t, map[string]string{"BFCL_SHARDS": "8"}, m.Data)
			case m.Kind == "Job":
				args := strings.Join(m.Spec.Template.Spec.Containers[0].Args, " ")
				commands[m.Metadata.Name] = "bfcl " + strings.NewReplacer("$(BFCL_JOB)", "bfcl", "$(JOB_COMPLETION_INDEX)", "$JOB_COMPLETION_INDEX", "/results/", "./").Replace(args)
			}
			if m.Metadata.Name == "bfcl" && m.Kind == "Job" {
				assert.Equal(t, 8, m.Spec.Completions)
				require.Equal(t, "FailJob", m.Spec.Policy.Rules[0].Action, "wrong configuration ends the job at once")
				assert.Equal(t, []int{3}, m.Spec.Policy.Rules[0].Exit.Values)
			}
		}
	}
	return commands["bfcl"], commands["bfcl-merge"]
}

// TestParallel: a job that a system starts several times, told apart by nothing but
// the system's variables, asks each question once, and the parts are one run. With
// only half of the variables nothing is asked.
func TestParallel(t *testing.T) {
	t.Parallel()
	h := newHub(t, nil)
	root := testkit.ModuleRoot(t)
	h.install()
	page := testkit.Must(os.ReadFile(filepath.Join(root, "docs", "ci.md")))(t)
	var gitlab map[string]gitlabJob
	for _, block := range fence.FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(block[1], "parallel: 8") {
			require.NoError(t, yaml.Unmarshal([]byte(block[1]), &gitlab))
		}
	}
	require.Len(t, gitlab, 2, "docs/ci.md has a job that measures and one that scores")
	shard, merge := kubernetes(t)
	for _, system := range []struct {
		name, measure, score string
		from, count          int
		variables            []string // of the index and of the count
		lone                 string   // the variable that is left when the other is lost
	}{
		{"GitLab", strings.Join(gitlab["measure"].Script, "\n"), strings.Join(gitlab["score"].Script, "\n"), 1, 3, []string{"CI_NODE_INDEX", "CI_NODE_TOTAL"}, "CI_NODE_TOTAL"},
		{"Jenkins", `bfcl run -quiet -model="$MODEL" -shard="$SHARD/$SHARDS" -run-dir="run/shard-$SHARD"`, "bfcl score run", 0, 3, []string{"SHARD", "SHARDS"}, "SHARD"},
		{"Slurm", "SLURM_ARRAY_JOB_ID=7 exec bash " + filepath.Join(root, "examples", "slurm", "bfcl.sbatch"), "bfcl score --junit report.xml slurm-7", 0, 8, []string{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"}, ""},
		{"Kubernetes", shard, merge, 0, 8, []string{"JOB_COMPLETION_INDEX", "BFCL_SHARDS"}, "JOB_COMPLETION_INDEX"},
	} {
		t.Run(system.name, func(t *testing.T) {
			t.Parallel()
			p, work := newProvider(t), t.TempDir()
			does := func(script string, env ...string) (string, int) {
				return h.bash(work, script+` $MORE`, append(env, "MODEL=openai:m", "BASE_URL="+p.URL+"/v1")...)
			}
			flags := "MORE=-base-url=" + p.URL + "/v1 -no-check -categories=irrelevance"
			if system.lone != "" {
				out, code := does(system.measure, flags, system.lone+"=2")
				assert.Equal(t, 3, code, out)
			}
			for i := range system.count {
				out, code := does(system.measure, flags, fmt.Sprintf("%s=%d", system.variables[0], i+system.from), fmt.Sprintf("%s=%d", system.variables[1], system.count))
				assert.Equal(t, 0, code, out)
			}
			assert.Equal(t, cases, p.measured(t))
			out, code := does(system.score)
			assert.Equal(t, 0, code, out)
			assert.Contains(t, out, "20 /   20")
		})
	}
}

// TestCheckpoints: the example's loop over a checkpoint, which is a replay of
// recorded runs here, gives a line per score, and none when there is no server.
func TestCheckpoints(t *testing.T) {
	t.Parallel()
	h := newHub(t, nil)
	h.install()
	work := t.TempDir()
	does := func(script string) (string, int) {
		return h.bash(work, script, "LOOP="+filepath.Join(testkit.ModuleRoot(t), "examples", "checkpoints", "loop"))
	}
	out, code := does(`set -e
		for model in heuristic oracle; do bfcl run -quiet -model=$model -categories=irrelevance,simple_python -run-dir=recorded/$model; done
		export EVERY=0 SAMPLE=40 OUT=out
		ln -s recorded/heuristic checkpoint
		TIMES=2 MODEL=replay:checkpoint "$LOOP" -categories=irrelevance,simple_python
		ln -sfn recorded/oracle checkpoint
		TIMES=1 MODEL=replay:checkpoint "$LOOP" -categories=irrelevance,simple_python
		TIMES=1 MODEL=openai:m "$LOOP" -categories=irrelevance,simple_python -base-url=http://127.0.0.1:9/v1 -no-check -server-wait=0s`)
	require.Equal(t, 0, code, out)
	assert.Contains(t, out, "no score, exit code 2")
	data := testkit.Must(os.ReadFile(filepath.Join(work, "out", "history.jsonl")))(t)
	var overall []float64
	digests := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		var one struct {
			Digest   string
			Accuracy map[string]float64
		}
		require.NoError(t, json.Unmarshal([]byte(line), &one))
		overall = append(overall, one.Accuracy["overall_ran"])
		digests[one.Digest] = true
	}
	require.Len(t, overall, 3, "%s", data)
	assert.InDelta(t, overall[0], overall[1], 0, "the same answers, the same score")
	assert.Greater(t, overall[2], overall[1])
	assert.Len(t, digests, 1, "the same cases")
	out, code = does(`MODEL=heuristic TIMES=1 "$LOOP" -no-such-flag`)
	assert.Equal(t, 3, code, out)
}
