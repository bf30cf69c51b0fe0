// Package workflow tests what CI systems run: our action, the workflows and files
// that users copy, and their scripts, on a runner of its own that stands in for
// GitHub's, with its artifacts, caches, comments and failures.
package workflow_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A step is one of a job or of an action.
type step struct {
	ID, Name, If, Uses, Run, Shell string
	With, Env                      map[string]string
}

// A job is one of a workflow.
type job struct {
	Needs       any
	If          string
	Steps       []step
	Permissions any
	Strategy    struct{ Matrix map[string][]string }
	Outputs     map[string]string
	Timeout     int `yaml:"timeout-minutes"`
}

// A workflow is a file of .github/workflows.
type workflow struct {
	Name        string
	On          any
	Permissions any
	Jobs        map[string]job
}

// An action is an action.yml.
type action struct {
	Inputs map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

func load[T any](t testing.TB, path string) T {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var v T
	require.NoError(t, yaml.Unmarshal(data, &v), path)
	return v
}

// A runner runs one job: it knows what happened, holds the steps' results, and
// keeps what they leave behind in its hub.
type runner struct {
	t    testing.TB
	hub  *hub
	work string // the workspace
	temp string
	// event is what github.* says.
	event map[string]string
	// secrets are empty for a fork.
	secrets map[string]string
	vars    map[string]string
	needs   map[string]string
	log     strings.Builder
	path    string
	files   map[string]string // GITHUB_OUTPUT and its like
}

// newRunner is a fresh machine with an empty workspace.
func newRunner(t testing.TB, h *hub, event map[string]string) *runner {
	t.Helper()
	temp := t.TempDir()
	r := &runner{t: t, hub: h, work: filepath.Join(temp, "work"), temp: filepath.Join(temp, "temp"), event: event, files: map[string]string{}}
	for _, dir := range []string{r.work, r.temp} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	r.path = h.tools + ":" + os.Getenv("PATH")
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_ENV"} {
		r.files[name] = filepath.Join(temp, strings.ToLower(name))
		require.NoError(t, os.WriteFile(r.files[name], nil, 0o644))
	}
	return r
}

// A scope is what names mean for the steps of a job or an action.
type scope struct {
	inputs  map[string]string
	matrix  map[string]string
	env     map[string]string
	folder  string // of the action
	outputs map[string]string
	failed  bool
}

func (r *runner) lookup(s *scope) func(string) string {
	return func(name string) string {
		group, key, _ := strings.Cut(name, ".")
		switch group {
		case "inputs":
			return s.inputs[key]
		case "matrix":
			return s.matrix[key]
		case "steps":
			return s.outputs[name]
		case "needs":
			return r.needs[name]
		case "secrets":
			return r.secrets[key]
		case "vars":
			return r.vars[key]
		case "runner":
			return map[string]string{"os": "Linux", "temp": r.temp}[key]
		case "github":
			return r.event[key]
		}
		require.Fail(r.t, "unknown name in an expression", name)
		return ""
	}
}

func (r *runner) call(s *scope) func(string, []string) string {
	return func(name string, args []string) string {
		switch name {
		case "always":
			return "true"
		case "success":
			return fmt.Sprint(!s.failed)
		case "failure":
			return fmt.Sprint(s.failed)
		case "hashFiles":
			for _, pattern := range args {
				if found, _ := filepath.Glob(filepath.Join(r.work, pattern)); len(found) > 0 {
					return "hash"
				}
			}
			return ""
		}
		require.Fail(r.t, "unknown function in an expression", name)
		return ""
	}
}

var interpolation = regexp.MustCompile(`(?s)\$\{\{(.*?)\}\}`)

// text replaces the expressions in a value.
func (r *runner) text(s *scope, value string) string {
	return interpolation.ReplaceAllStringFunc(value, func(m string) string {
		return r.value(s, interpolation.FindStringSubmatch(m)[1])
	})
}

func (r *runner) value(s *scope, text string) string {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "${{"), "}}")
	v, err := evaluate(strings.TrimSpace(text), r.lookup(s), r.call(s))
	require.NoError(r.t, err, text)
	return v
}

func (r *runner) texts(s *scope, values map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out[name] = r.text(s, values[name])
	}
	return out
}

// steps runs steps in order as GitHub does: after a failure only those whose
// condition says so. It returns the exit code of the first that failed.
func (r *runner) steps(s *scope, all []step) (code int) {
	for _, one := range all {
		condition := one.If
		if condition == "" {
			condition = "success()"
		} else if !strings.Contains(condition, "always()") && !strings.Contains(condition, "failure()") {
			condition = "success() && (" + strings.TrimSuffix(strings.TrimPrefix(condition, "${{"), "}}") + ")"
		}
		if !isTrue(r.value(s, condition)) {
			continue
		}
		got := r.step(s, one)
		if got != 0 && code == 0 {
			code, s.failed = got, true
		}
	}
	return code
}

func (r *runner) step(s *scope, one step) int {
	fmt.Fprintf(&r.log, "### %s%s\n", one.Name, one.Uses)
	if one.Uses != "" {
		return r.use(s, one)
	}
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", one.Run)
	cmd.Dir = r.work
	cmd.Env = r.environment(s, one)
	out, err := cmd.CombinedOutput()
	r.log.Write(out)
	r.harvest(s, one.ID)
	if cmd.ProcessState == nil { // it did not start
		require.NoError(r.t, err)
	}
	code := cmd.ProcessState.ExitCode()
	if code != 0 {
		fmt.Fprintf(&r.log, "exit code %d\n", code)
	}
	return code
}

func (r *runner) environment(s *scope, one step) []string {
	env := []string{
		"PATH=" + r.path, "HOME=" + r.temp, "TMPDIR=" + r.temp, "RUNNER_TEMP=" + r.temp, "RUNNER_OS=Linux", "RUNNER_ARCH=X64",
		"GITHUB_ACTIONS=true", "CI=true", "GITHUB_ACTION_PATH=" + s.folder, "GITHUB_REPOSITORY=" + r.event["repository"],
		"GITHUB_EVENT_NAME=" + r.event["event_name"], "GITHUB_REF=" + r.event["ref"], "GITHUB_REF_NAME=" + r.event["ref_name"],
		"GITHUB_RUN_ID=" + r.event["run_id"], "GITHUB_SHA=" + r.event["sha"], "RETRY_WAIT=0", "HUB=" + r.hub.dir, "FORK=" + r.event["fork"],
	}
	for name, file := range r.files {
		env = append(env, name+"="+file)
	}
	for _, values := range []map[string]string{s.env, one.Env} {
		for name, value := range r.texts(s, values) {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// harvest takes in what a step wrote to GITHUB_OUTPUT and GITHUB_PATH.
func (r *runner) harvest(s *scope, id string) {
	read := func(name string) []string {
		data, err := os.ReadFile(r.files[name])
		require.NoError(r.t, err)
		require.NoError(r.t, os.WriteFile(r.files[name], nil, 0o644))
		return strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	}
	for _, line := range read("GITHUB_OUTPUT") {
		if name, value, ok := strings.Cut(line, "="); ok {
			s.outputs["steps."+id+".outputs."+name] = value
		}
	}
	for _, folder := range read("GITHUB_PATH") {
		if folder != "" {
			r.path = folder + ":" + r.path
		}
	}
}

// use runs an action: ours from its steps, the others by what they are known to
// do.
func (r *runner) use(s *scope, one step) int {
	name, _, _ := strings.Cut(one.Uses, "@")
	with := r.texts(s, one.With)
	if name == "gobfcl/bfcl" {
		return r.ours(s, one, with)
	}
	simulated, ok := r.hub.actions()[name]
	require.True(r.t, ok, "no action %s stands in for the real one", name)
	if err := simulated(r, with); err != nil {
		fmt.Fprintf(&r.log, "%s: %v\n", name, err)
		return 1
	}
	return 0
}

func (r *runner) ours(outer *scope, one step, with map[string]string) int {
	a := load[action](r.t, filepath.Join(r.hub.released, "action.yml"))
	inner := &scope{inputs: map[string]string{}, outputs: map[string]string{}, folder: r.hub.released, env: r.texts(outer, one.Env)}
	for name, input := range a.Inputs {
		inner.inputs[name] = r.text(outer, input.Default)
	}
	for name, value := range with {
		require.Contains(r.t, a.Inputs, name, "the action has no such input")
		inner.inputs[name] = value
	}
	code := r.steps(inner, a.Runs.Steps)
	for name, output := range a.Outputs {
		outer.outputs["steps."+one.ID+".outputs."+name] = r.text(inner, output.Value)
	}
	return code
}

// job runs a job of a workflow in this repository; it returns its exit code.
func (r *runner) job(file, name string) int {
	w := load[workflow](r.t, filepath.Join(testkit.ModuleRoot(r.t), ".github", "workflows", file))
	j, ok := w.Jobs[name]
	require.True(r.t, ok)
	s := &scope{outputs: map[string]string{}}
	if j.If != "" && !isTrue(r.value(s, j.If)) {
		r.log.WriteString("the job is skipped\n")
		return 0
	}
	return r.steps(s, j.Steps)
}

// scripts lets every checkout on this machine hold scripts of ours, as a user's
// repository does that copied them.
func (r *runner) scripts(names ...string) {
	check := r.hub.actions()["actions/checkout"]
	r.hub.others["actions/checkout"] = func(r *runner, with map[string]string) error {
		if err := check(r, with); err != nil {
			return err
		}
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(testkit.ModuleRoot(r.t), ".github", "scripts", name))
			if err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Join(r.work, ".github", "scripts"), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(r.work, ".github", "scripts", name), data, 0o755); err != nil {
				return err
			}
		}
		return nil
	}
}

// matrix runs a job once for each value of its matrix, each on a fresh machine.
func matrix(t testing.TB, h *hub, event, vars map[string]string, file, name string) (log string, code int) {
	w := load[workflow](t, filepath.Join(testkit.ModuleRoot(t), ".github", "workflows", file))
	for key, values := range w.Jobs[name].Strategy.Matrix {
		for _, value := range values {
			r := newRunner(t, h, event)
			r.vars = vars
			s := &scope{outputs: map[string]string{}, matrix: map[string]string{key: value}}
			if got := r.steps(s, w.Jobs[name].Steps); got != 0 {
				code = got
			}
			log += r.log.String()
		}
	}
	return log, code
}
