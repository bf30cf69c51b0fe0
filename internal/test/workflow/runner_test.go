// Package workflow tests what CI systems run: our action, the workflows and files
// that users copy, and their scripts, on a runner of its own that stands in for
// GitHub's, with its artifacts, caches, comments and failures.
package workflow_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/child"
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
	Concurrency struct {
		Group  string
		Cancel string `yaml:"cancel-in-progress"`
	}
	Jobs map[string]job
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
	data := testkit.Must(os.ReadFile(path))(t)
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
	// rights are the job's permissions; a fork's may write nothing.
	rights map[string]string
	// cancel tells the runner to end the job; cancelled is set from then on.
	cancel    chan struct{}
	cancelled bool
	scope     *scope // of the running step
	summary   string
	log       strings.Builder
	path      string
	files     map[string]string // GITHUB_OUTPUT and its like
}

// newRunner is a fresh machine with an empty workspace.
func newRunner(t testing.TB, h *hub, event map[string]string) *runner {
	t.Helper()
	temp := t.TempDir()
	r := &runner{t: t, hub: h, work: filepath.Join(temp, "work"), temp: filepath.Join(temp, "temp"), event: event, files: map[string]string{}, cancel: make(chan struct{})}
	for _, dir := range []string{r.work, r.temp} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	r.path = h.tools + ":" + os.Getenv("PATH")
	r.summary = filepath.Join(temp, "github_step_summary")
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
			return fmt.Sprint(!s.failed && !r.cancelled)
		case "failure":
			return fmt.Sprint(s.failed && !r.cancelled)
		case "cancelled":
			return fmt.Sprint(r.cancelled)
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
		if !r.wanted(s, one.If) {
			continue
		}
		got := r.step(s, one)
		if got != 0 && code == 0 {
			code, s.failed = got, true
		}
	}
	return code
}

var status = regexp.MustCompile(`\b(success|failure|always|cancelled)\(\)`)

// wanted reports whether a step's condition holds now: one that does not ask for
// the job's status holds only while it is good.
func (r *runner) wanted(s *scope, condition string) bool {
	if !status.MatchString(condition) {
		condition = strings.TrimSuffix("success() && ("+strings.TrimSuffix(strings.TrimPrefix(condition, "${{"), "}}")+")", " && ()")
	}
	return isTrue(r.value(s, condition))
}

// wait waits for a step's process. If the job is cancelled, the process itself, not
// what it has started, is sent an interrupt and then a SIGTERM, and at last all of
// it is killed, as GitHub's runner does.
func (r *runner) wait(s *scope, one step, cmd *exec.Cmd) error {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	cancel := r.cancel
	if r.cancelled {
		cancel = nil
	}
	select {
	case err := <-ended:
		return err
	case <-cancel:
	}
	r.cancelled = true
	if r.wanted(s, one.If) {
		return <-ended
	}
	for _, next := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGINT, 7500 * time.Millisecond}, {syscall.SIGTERM, 2500 * time.Millisecond}} {
		_ = cmd.Process.Signal(next.signal)
		select {
		case err := <-ended:
			return err
		case <-time.After(next.wait):
		}
	}
	r.log.WriteString("the step is killed\n")
	child.Kill(cmd)
	return <-ended
}

func (r *runner) step(s *scope, one step) int {
	r.scope = s
	fmt.Fprintf(&r.log, "### %s%s\n", one.Name, one.Uses)
	if one.Uses != "" {
		return r.use(s, one)
	}
	script := filepath.Join(r.temp, "step.sh")
	require.NoError(r.t, os.WriteFile(script, []byte(one.Run), 0o644))
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir = r.work
	cmd.Env = r.environment(s, one)
	child.Own(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Start()
	if err == nil {
		err = r.wait(s, one, cmd)
	}
	r.log.Write(out.Bytes())
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
		"GITHUB_RUN_ID=" + r.event["run_id"], "GITHUB_SHA=" + r.event["sha"], "GITHUB_JOB=" + r.event["job"],
		"RETRY_WAIT=0", "HUB=" + r.hub.dir, "RIGHTS=" + r.allowed(),
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

// allowed lists the job's permissions; to write includes to read.
func (r *runner) allowed() string {
	var all []string
	for right, level := range r.rights {
		if all = append(all, right+":read"); level == "write" {
			all = append(all, right+":write")
		}
	}
	return strings.Join(all, ",")
}

// harvest takes in what a step wrote to GITHUB_OUTPUT and GITHUB_PATH.
func (r *runner) harvest(s *scope, id string) {
	read := func(name string) []string {
		data := testkit.Must(os.ReadFile(r.files[name]))(r.t)
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
	if err := simulated(r, one.ID, with); err != nil {
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
	r.rights = rights(r.t, j.Permissions)
	if r.event["fork"] != "" {
		r.secrets = nil
		for right := range r.rights {
			r.rights[right] = "read"
		}
	}
	return r.steps(s, j.Steps)
}

// place is a path of the workspace or, with ~, of the home folder.
func (r *runner) place(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(r.temp, rest)
	}
	return filepath.Join(r.work, path)
}

// scripts lets every checkout on this machine hold scripts of ours, as a user's
// repository does that copied them.
func (r *runner) scripts(names ...string) {
	check := r.hub.actions()["actions/checkout"]
	r.hub.others["actions/checkout"] = func(r *runner, id string, with map[string]string) error {
		if err := check(r, id, with); err != nil {
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
			r.vars, r.secrets = vars, map[string]string{"OPENAI_API_KEY": "secret"}
			s := &scope{outputs: map[string]string{}, matrix: map[string]string{key: value}}
			if got := r.steps(s, w.Jobs[name].Steps); got != 0 {
				code = got
			}
			log += r.log.String()
		}
	}
	return log, code
}
