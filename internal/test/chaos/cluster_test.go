package chaos_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/chaos"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A manifest is what the simulated cluster heeds of a Job. That Kubernetes knows
// every field is tools/manifest's to check.
type manifest struct {
	Kind string
	Data map[string]string
	Spec struct {
		Completions          int
		BackoffLimitPerIndex int `yaml:"backoffLimitPerIndex"`
		PodFailurePolicy     struct {
			Rules []struct {
				Action      string
				OnExitCodes struct{ Values []int } `yaml:"onExitCodes"`
			}
		} `yaml:"podFailurePolicy"`
		Template struct {
			Spec struct {
				Containers []struct{ Args []string }
			}
		}
	}
}

func manifests(t *testing.T, name string) (job manifest, config map[string]string) {
	t.Helper()
	file, err := os.Open(filepath.Join(testkit.ModuleRoot(t), "examples", "kubernetes", name))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	for in := yaml.NewDecoder(file); ; {
		var m manifest
		if in.Decode(&m) != nil {
			break
		}
		switch m.Kind {
		case "Job":
			job = m
		case "ConfigMap":
			config = m.Data
		}
	}
	require.Equal(t, "Job", job.Kind)
	return job, config
}

// A cluster carries out an Indexed Job: a pod an index, started again when it
// fails, up to the limit; what the nodes do to it is no failure of its own.
type cluster struct {
	t      *testing.T
	job    manifest
	config map[string]string
	volume string // what is mounted at /results
	server string
	// command is the path of bfcl.
	command string
	// endsJob are the exit codes that end the whole job.
	endsJob []int

	mu     sync.Mutex
	random *rand.Rand
	kills  int
	pods   int
	failed []string
}

func newCluster(t *testing.T, command, server string, seed uint64) *cluster {
	c := &cluster{t: t, volume: t.TempDir(), server: server, command: command, random: rand.New(rand.NewPCG(seed, 20))}
	c.job, c.config = manifests(t, "shared-volume.yaml")
	for _, rule := range c.job.Spec.PodFailurePolicy.Rules {
		if rule.Action == "FailJob" {
			c.endsJob = append(c.endsJob, rule.OnExitCodes.Values...)
		}
	}
	require.Equal(t, []int{3}, c.endsJob)
	return c
}

// arguments are a container's, with the cluster's names replaced by this
// machine's.
func (c *cluster) arguments(args []string, index string) (out []string) {
	for _, arg := range args {
		arg = strings.NewReplacer("$(JOB_COMPLETION_INDEX)", index, "$(BFCL_JOB)", "bfcl").Replace(arg)
		arg = strings.ReplaceAll(arg, "http://model:8000/v1", c.server)
		out = append(out, strings.ReplaceAll(arg, "/results", c.volume))
	}
	return out
}

// pod runs one until it ends, or a node kills it: then killed is true.
func (c *cluster) pod(index string, more []string, peaceful bool) (code int, killed bool, said string) {
	cmd := exec.Command(c.command, append(c.arguments(c.job.Spec.Template.Spec.Containers[0].Args, index), more...)...)
	cmd.Dir = c.t.TempDir()
	cmd.Env = []string{"PATH=" + cmd.Dir, "HOME=" + cmd.Dir, "TMPDIR=" + cmd.Dir, "JOB_COMPLETION_INDEX=" + index, "OPENAI_API_KEY=k"}
	for name, value := range c.config {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	c.mu.Lock()
	c.pods++
	after, how, strike := time.Duration(c.random.IntN(600))*time.Millisecond, syscall.SIGTERM, !peaceful && c.random.IntN(3) > 0
	if c.random.IntN(2) == 0 {
		how = syscall.SIGKILL
	}
	c.mu.Unlock()
	require.NoError(c.t, cmd.Start())
	done := make(chan struct{})
	var reaper sync.WaitGroup
	if strike {
		reaper.Go(func() {
			select {
			case <-done:
			case <-time.After(after):
				c.mu.Lock()
				c.kills++
				c.mu.Unlock()
				killed = true
				_ = cmd.Process.Signal(how)
			}
		})
	}
	_ = cmd.Wait()
	close(done)
	reaper.Wait()
	return cmd.ProcessState.ExitCode(), killed, out.String()
}

// index runs one index to its completion.
func (c *cluster) index(n int, more []string) {
	failures := 0
	for tries := 0; ; tries++ {
		code, killed, said := c.pod(strconv.Itoa(n), more, tries > 8)
		switch {
		case code == 0:
			return
		case killed:
		case slices.Contains(c.endsJob, code) || failures == c.job.Spec.BackoffLimitPerIndex:
			c.mu.Lock()
			c.failed = append(c.failed, said)
			c.mu.Unlock()
			return
		default:
			failures++
		}
	}
}

func (c *cluster) run(more ...string) {
	var all sync.WaitGroup
	for n := range c.job.Spec.Completions {
		all.Go(func() { c.index(n, more) })
	}
	all.Wait()
}

// TestIndexedJob carries out the manifests on a cluster whose nodes kill pods at
// random: what the merge job scores is what one process gets that nothing befell.
// BFCL_JOB_RUNS is the number of jobs, 1 by default.
func TestIndexedJob(t *testing.T) {
	if testing.Short() {
		t.Skip("eight processes several times over")
	}
	runs, _ := strconv.Atoi(os.Getenv("BFCL_JOB_RUNS"))
	runs = max(runs, 1)
	command, err := testkit.Command(t.TempDir())
	require.NoError(t, err)
	server := httptest.NewServer(chaos.NewServer(1, 0))
	defer server.Close()
	flags := []string{"-categories=simple_python,parallel,irrelevance,memory_kv", "-grace=2s"}

	calm := newCluster(t, command, server.URL, 0)
	calm.config = map[string]string{}
	calm.job.Spec.Template.Spec.Containers[0].Args[len(calm.job.Spec.Template.Spec.Containers[0].Args)-1] = "-run-dir=/results/run/whole"
	code, _, said := calm.pod("0", append(flags, "-shard=0/1"), true)
	require.Equal(t, 0, code, said)
	want := score(t, filepath.Join(calm.volume, "run", "whole"))

	merge, _ := manifests(t, "merge.yaml")
	pods, kills, compared := 0, 0, 0
	for seed := range runs {
		c := newCluster(t, command, server.URL, uint64(seed))
		c.run(flags...)
		require.Empty(t, c.failed)
		out, err := exec.Command(command, c.arguments(merge.Spec.Template.Spec.Containers[0].Args, "")...).CombinedOutput()
		require.NoError(t, err, "the merge job: %s", out)
		assert.FileExists(t, filepath.Join(c.volume, "report.xml"))
		n, differences := chaos.Differences(want, score(t, filepath.Join(c.volume, "bfcl")))
		assert.Empty(t, differences)
		pods, kills, compared = pods+c.pods, kills+c.kills, compared+n
	}
	t.Logf("%d jobs of 8 shards: %d pods, %d of them killed, %d cases compared", runs, pods, kills, compared)
	assert.Positive(t, kills)

	wrong := newCluster(t, command, server.URL, 7)
	wrong.run(append(flags, "-mode=neither")...)
	assert.Len(t, wrong.failed, 8, "wrong configuration ends the job")
	assert.Equal(t, 8, wrong.pods-wrong.kills, "at once")
}

func score(t *testing.T, dir string) *tally.Run {
	t.Helper()
	run, err := tally.Read([]string{dir}, tally.Options{})
	require.NoError(t, err)
	return run
}
