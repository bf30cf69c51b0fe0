package workflow_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A provider is a model's server. It counts how often each question was answered
// since the last measurement began.
type provider struct {
	*httptest.Server
	mu       sync.Mutex
	state    string // "down", "worse", or ""
	answered map[string]int
	// after is how many answers are given before cancel is called; 0 for never.
	after  int
	cancel func()
	// wait comes before each answer from then on: the run ends before it is complete.
	wait time.Duration
}

func newProvider(t *testing.T) *provider {
	p := &provider{answered: map[string]int{}}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case r.Header.Get("Authorization") != "Bearer secret":
		http.Error(w, `{"error": {"message": "no key"}}`, http.StatusUnauthorized)
		return
	case !strings.HasSuffix(r.URL.Path, "/chat/completions"):
		http.NotFound(w, r)
		return
	case p.state == "down":
		http.Error(w, `{"error": {"message": "out of order"}}`, http.StatusForbidden)
		return
	}
	time.Sleep(p.wait)
	if p.after > 0 {
		if p.after--; p.after == 0 {
			p.cancel()
			p.wait = 300 * time.Millisecond
		}
	}
	p.answered[string(body)]++
	message := `{"role": "assistant", "content": "None of them fits."}`
	if p.state == "worse" {
		message = `{"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "anything", "arguments": "{}"}}]}`
	}
	_, _ = fmt.Fprintf(w, `{"model": "m", "choices": [{"message": %s, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}`, message)
}

// measured returns how many questions were answered since the last call, and
// fails if one was answered twice.
func (p *provider) measured(t *testing.T) int {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for question, n := range p.answered {
		assert.Equal(t, 1, n, "paid twice: %.200s", question)
	}
	n := len(p.answered)
	p.answered = map[string]int{}
	return n
}

// A course is a repository over some months.
type course struct {
	*testing.T
	*hub
	*provider
	runs int
}

// settings are the team's model.env.
func (c *course) settings(model, categories string) {
	c.repository["model.env"] = fmt.Sprintf("MODEL=openai:%s\nFLAGS=-base-url=%s/v1 -no-check -concurrency=1 -categories=%s\n", model, c.URL, categories)
}

// An outcome is what a user sees of a job.
type outcome struct {
	*runner
	code int
}

// decision is what the action's output would say of the outcome.
func (o outcome) text() string { return o.log.String() }

// said is the job's summary.
func (o outcome) said() string {
	data := testkit.Must(os.ReadFile(o.summary))(o.t)
	return string(data)
}

// run starts a workflow run for an event, unless its triggers leave it out.
func (c *course) run(event map[string]string) outcome {
	c.Helper()
	c.runs++
	event["run_id"] = fmt.Sprint(1000 + c.runs)
	return c.attempt(event)
}

func (c *course) attempt(event map[string]string) outcome {
	c.Helper()
	r := newRunner(c.T, c.hub, event)
	r.secrets = map[string]string{"OPENAI_API_KEY": "secret"}
	once := sync.Once{}
	c.mu.Lock()
	c.cancel, c.wait = func() { once.Do(func() { close(r.cancel) }) }, 0
	c.mu.Unlock()
	c.clock = c.clock.Add(time.Hour)
	return outcome{r, r.job("gate.yml", "gate")}
}

// again is "Re-run jobs" of a workflow run.
func (c *course) again(o outcome) outcome {
	c.Helper()
	o.event["run_attempt"] += "1"
	return c.attempt(o.event)
}

func (c *course) pull(number int, more ...string) map[string]string {
	branch := fmt.Sprint("branch-", number)
	return on("pull_request", branch, append([]string{"ref", fmt.Sprintf("refs/pull/%d/merge", number), "event.number", fmt.Sprint(number)}, more...)...)
}

func (c *course) push() map[string]string { return on("push", "main") }

// comment is the only comment of a pull request; "" if there is none.
func (c *course) comment(number int) string {
	found := testkit.Must(filepath.Glob(filepath.Join(c.dir, "comments", fmt.Sprintf("%d.*", number))))(c)
	require.LessOrEqual(c, len(found), 1, "a pull request has one comment")
	if len(found) == 0 {
		return ""
	}
	data := testkit.Must(os.ReadFile(found[0]))(c)
	return string(data)
}

// baseline is the workflow run that the newest baseline is of.
func (c *course) baseline() string {
	newest := artifact{}
	for _, a := range c.artifacts().Artifacts {
		if a.Name == "bfcl-baseline" && !a.Expired && a.Created >= newest.Created {
			newest = a
		}
	}
	return newest.Run.ID
}

// age makes the newest baseline one of another release.
func (c *course) age() {
	path := filepath.Join(c.dir, "artifacts", c.baseline(), "bfcl-baseline", "run.json")
	data := testkit.Must(os.ReadFile(path))(c)
	var run map[string]any
	require.NoError(c, json.Unmarshal(data, &run))
	run["version"] = "v9.9.8"
	data = testkit.Must(json.Marshal(run))(c)
	require.NoError(c, os.WriteFile(path, data, 0o644))
}

// cases is how many cases the course's category has.
const cases = 20

// TestCourse is a repository over some months. Every event is in it that has left
// a repository without a decision, or made it pay twice.
func TestCourse(t *testing.T) {
	t.Parallel()
	testkit.Extra(t, "runs the action some thirty times")
	c := &course{T: t, hub: newHub(t, map[string]string{
		"gate.yaml": "partial: true\nmin_cases: 10\nfloors: {irrelevance: 10}\nregressions: {overall: {detect: 5}}\n",
	}), provider: newProvider(t)}
	c.settings("m", "irrelevance")
	for i, event := range []struct {
		name string
		does func(*testing.T)
	}{
		{"first push", c.firstPush}, {"pull request", c.compared},
		{"outage, and run again", c.outage}, {"worse model, and run again", c.worse}, {"data changed", c.dataChanged},
		{"data changed, merged", c.dataMerged}, {"cancelled, and run again", c.cancelledJob}, {"next push cancels", c.nextPush},
		{"two pull requests at once", c.two}, {"merge queue", c.queue}, {"schedule", c.schedule}, {"release upgraded", c.upgraded},
		{"model renamed", c.renamed}, {"baseline damaged", c.damaged}, {"main timed out", c.timedOut},
		{"wrong gate file", c.wrongFile}, {"permission missing", c.permission}, {"measured anew", c.anew},
		{"official data", c.officialData},
	} {
		ok := t.Run(fmt.Sprintf("%02d %s", i+1, event.name), func(t *testing.T) {
			c.T, c.hub.t = t, t
			event.does(t)
		})
		require.True(t, ok)
	}
}

func (c *course) firstPush(t *testing.T) {
	o := c.run(c.push())
	assert.Equal(t, 0, o.code, o.text())
	assert.Equal(t, cases, c.measured(t))
	assert.Equal(t, o.event["run_id"], c.baseline())
	o = c.again(o)
	assert.Equal(t, 0, o.code, o.text())
	assert.Contains(t, o.text(), "no baseline yet", "its own artifact is none")
	assert.Zero(t, c.measured(t))
}

func (c *course) compared(t *testing.T) {
	o := c.run(c.pull(2))
	assert.Equal(t, 0, o.code, o.text())
	assert.Equal(t, cases, c.measured(t))
	assert.Contains(t, c.comment(2), "Against the baseline")
	o = c.again(o)
	assert.Equal(t, 0, o.code, o.text())
	assert.Zero(t, c.measured(t), "the same run again asks nothing")
}

// outage, worse and dataChanged are three outcomes that nobody may mistake for each
// other.
func (c *course) outage(t *testing.T) {
	c.state = "down"
	o := c.run(c.pull(4))
	assert.Equal(t, 2, o.code, o.text())
	assert.Contains(t, c.comment(4), "undecided")
	c.state = ""
	o = c.again(o)
	assert.Equal(t, 0, o.code, o.text())
	assert.Equal(t, cases, c.measured(t))
}

func (c *course) worse(t *testing.T) {
	c.state = "worse"
	o := c.run(c.pull(5))
	assert.Equal(t, 1, o.code, o.text())
	assert.Contains(t, c.comment(5), "DO NOT MERGE")
	o = c.again(o)
	c.state = ""
	assert.Equal(t, 1, o.code, "the same answers, the same decision: %s", o.text())
	assert.Equal(t, cases, c.measured(t))
}

func (c *course) dataChanged(t *testing.T) {
	c.settings("m", "irrelevance,live_irrelevance")
	o := c.run(c.pull(6))
	assert.Equal(t, 3, o.code, o.text())
	assert.Zero(t, c.measured(t), "no answer could change that")
	for _, shown := range []string{c.comment(6), o.said()} {
		assert.Contains(t, shown, "a baseline of other cases")
		assert.Contains(t, shown, "the runs have different cases")
	}
}

func (c *course) dataMerged(t *testing.T) {
	o := c.run(c.push())
	assert.Equal(t, 0, o.code, o.text())
	assert.Contains(t, o.text(), "no comparable baseline yet")
	assert.Contains(t, o.said(), "no comparable baseline yet")
	assert.Equal(t, o.event["run_id"], c.baseline())
	assert.Greater(t, c.measured(t), cases)
	o = c.run(c.pull(7))
	assert.Equal(t, 0, o.code, o.text())
	assert.Contains(t, c.comment(7), "Against the baseline")
	c.measured(t)
	c.settings("m", "irrelevance") // and back
	require.Equal(t, 0, c.run(c.push()).code)
	c.measured(t)
}

func (c *course) cancelledJob(t *testing.T) {
	c.after = 8
	o := c.run(c.pull(8))
	assert.Equal(t, 130, o.code, o.text())
	assert.NotContains(t, o.text(), "the step is killed", "it ended by itself")
	assert.Contains(t, o.text(), "of 20 cases have a verdict")
	assert.Contains(t, c.comment(8), "interrupted; when the job is run again, it continues")
	o = c.again(o)
	assert.Equal(t, 0, o.code, o.text())
	assert.Equal(t, cases, c.measured(t))
	assert.Contains(t, c.comment(8), "Gate passed")
}

func (c *course) nextPush(t *testing.T) {
	w := load[workflow](t, filepath.Join(testkit.ModuleRoot(t), ".github", "workflows", "gate.yml"))
	c.after = 5
	o := c.run(c.pull(9))
	group := func(o outcome) string { return o.runner.text(&scope{}, w.Concurrency.Group) }
	assert.Equal(t, "true", o.runner.text(&scope{}, w.Concurrency.Cancel))
	assert.Equal(t, 130, o.code, o.text())
	next := c.run(c.pull(9))
	assert.Equal(t, group(o), group(next), "so that the one cancels the other")
	assert.Equal(t, 0, next.code, next.text())
	assert.Contains(t, next.text(), "continued with the answers of")
	assert.Equal(t, cases, c.measured(t))
}

func (c *course) two(t *testing.T) {
	c.after = 5
	one := c.run(c.pull(10))
	assert.Equal(t, 130, one.code)
	begun := c.measured(t)
	two := c.run(c.pull(11))
	assert.Equal(t, 0, two.code, two.text())
	assert.Equal(t, cases, c.measured(t), "another pull request's answers are not taken")
	one = c.again(one)
	assert.Equal(t, 0, one.code, one.text())
	assert.Equal(t, cases, begun+c.measured(t))
	assert.NotEmpty(t, c.comment(10))
	assert.NotEmpty(t, c.comment(11))
}

func (c *course) queue(t *testing.T) {
	o := c.run(on("merge_group", "gh-readonly-queue/main/pr-7"))
	assert.Equal(t, 0, o.code)
	assert.Contains(t, o.text(), "the job is skipped")
	assert.Zero(t, c.measured(t))
	var triggers map[string]any
	data := testkit.Must(yaml.Marshal(load[workflow](t, filepath.Join(testkit.ModuleRoot(t), ".github", "workflows", "gate.yml")).On))(t)
	require.NoError(t, yaml.Unmarshal(data, &triggers))
	assert.Contains(t, triggers, "merge_group", "a required check must be reported to the queue")
}

func (c *course) schedule(t *testing.T) {
	c.pass(80)
	o := c.run(on("schedule", "main"))
	assert.Equal(t, 0, o.code, o.text())
	assert.Zero(t, c.measured(t))
	assert.Equal(t, o.event["run_id"], c.baseline(), "renewed")
	c.pass(80)
	assert.NotEmpty(t, c.baseline(), "it has lived on")
}

func (c *course) upgraded(t *testing.T) {
	c.age()
	o := c.run(on("schedule", "main"))
	assert.Equal(t, 0, o.code, o.text())
	assert.Equal(t, cases, c.measured(t), "another release may have other cases")
	assert.Equal(t, o.event["run_id"], c.baseline())
}

func (c *course) renamed(t *testing.T) {
	c.settings("m-2026", "irrelevance")
	o := c.run(c.pull(12))
	assert.Equal(t, 0, o.code, o.text())
	assert.Equal(t, cases, c.measured(t))
	assert.Contains(t, c.comment(12), "m-2026")
	require.Equal(t, 0, c.run(c.push()).code)
	c.measured(t)
}

func (c *course) damaged(t *testing.T) {
	folder := filepath.Join(c.dir, "artifacts", c.baseline(), "bfcl-baseline")
	for _, does := range []func() error{
		func() error { return os.WriteFile(filepath.Join(folder, "run.json"), []byte("{"), 0o644) },
		func() error { return os.Remove(filepath.Join(folder, "run.json")) },
	} {
		folder = filepath.Join(c.dir, "artifacts", c.baseline(), "bfcl-baseline")
		require.NoError(t, does())
		o := c.run(c.pull(13))
		assert.Equal(t, 2, o.code, o.text())
		assert.NotEmpty(t, o.said())
		assert.Zero(t, c.measured(t))
		o = c.run(c.push())
		assert.Equal(t, 0, o.code, o.text())
		assert.Contains(t, o.text(), "no comparable baseline yet")
		assert.Equal(t, cases, c.measured(t))
		assert.Equal(t, o.event["run_id"], c.baseline())
	}
}

func (c *course) timedOut(t *testing.T) {
	before := c.baseline()
	c.after = 12
	o := c.run(c.push())
	assert.Equal(t, 130, o.code, o.text())
	assert.Equal(t, before, c.baseline(), "a part of a run is no baseline")
	o = c.run(c.push())
	assert.Equal(t, 0, o.code, o.text())
	assert.Equal(t, cases, c.measured(t))
	assert.Equal(t, o.event["run_id"], c.baseline())
}

func (c *course) wrongFile(t *testing.T) {
	right := c.repository["gate.yaml"]
	c.repository["gate.yaml"] = "flors: {irrelevance: 10}\n"
	before := c.baseline()
	for _, event := range []map[string]string{c.pull(15), c.push()} {
		o := c.run(event)
		assert.Equal(t, 3, o.code, o.text())
		assert.Contains(t, o.said(), "flors")
	}
	assert.Zero(t, c.measured(t))
	assert.Equal(t, before, c.baseline())
	assert.Contains(t, c.comment(15), "wrong configuration")
	c.repository["gate.yaml"] = right
	o := c.run(c.pull(15))
	assert.Equal(t, 0, o.code, o.text())
	assert.Contains(t, c.comment(15), "Gate passed")
	c.measured(t)
}

func (c *course) permission(t *testing.T) {
	r := newRunner(t, c.hub, c.pull(16, "run_id", "2000"))
	r.secrets, r.rights = map[string]string{"OPENAI_API_KEY": "secret"}, map[string]string{"contents": "read"}
	assert.Equal(t, 2, r.steps(&scope{outputs: map[string]string{}}, []step{{Uses: "actions/checkout@x"}, {Uses: "gobfcl/bfcl@v1"}}))
	assert.Contains(t, r.log.String(), "the job needs the permission actions: read")
	assert.Zero(t, c.measured(t))
}

func (c *course) anew(t *testing.T) {
	o := c.run(on("workflow_dispatch", "main"))
	assert.Equal(t, 0, o.code, o.text())
	assert.Equal(t, cases, c.measured(t), "a complete run is not continued by another")
	assert.Equal(t, o.event["run_id"], c.baseline())
	assert.False(t, bytes.Contains([]byte(o.text()), []byte("secret")), "the key is nowhere")
}
