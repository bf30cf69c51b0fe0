package run_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func some(names ...string) (parts []suite.Part) {
	for k, name := range names {
		part := suite.Part{Category: categories.Find(name)}
		for i := range 100 * (k + 1) {
			part.Cases = append(part.Cases, &eval.Case{ID: name + "_" + strconv.Itoa(i)})
		}
		parts = append(parts, part)
	}
	return parts
}

func count(ids []string, name string) (n int) {
	for _, id := range ids {
		if strings.HasPrefix(id, name+"_") {
			n++
		}
	}
	return n
}

// TestSampleChoose: samples with the same seed are nested, each category has a
// case, and the rest is allotted by weight and variance, or by size.
func TestSampleChoose(t *testing.T) {
	parts := some("simple_java", "multiple", "memory_kv")
	take := func(spec string, seed uint64) []string {
		s := testkit.Must(suite.Parse(spec))(t)
		return testkit.Must(s.Choose(parts, seed))(t)
	}
	large, small := take("200", 1), take("50", 1)
	assert.Len(t, small, 50)
	for _, id := range small {
		assert.Contains(t, large, id)
	}
	assert.Equal(t, small, take("50", 1), "the seed decides")
	assert.NotEqual(t, small, take("50", 2))
	assert.Greater(t, count(small, "memory_kv"), 30, "memory weighs most")
	assert.Positive(t, count(small, "simple_java"))
	bySize := take("60,by=size", 1)
	assert.Equal(t, []int{10, 20, 30}, []int{count(bySize, "simple_java"), count(bySize, "multiple"), count(bySize, "memory_kv")})
	assert.Len(t, take("3", 7), 3)
	for spec, want := range map[string]string{
		"600": "not smaller than the 600 cases there are", "2": "has fewer cases than the 3 categories that count",
	} {
		s := testkit.Must(suite.Parse(spec))(t)
		assert.ErrorContains(t, testkit.Err(s.Choose(parts, 1)), want)
	}
}

func TestSampleParse(t *testing.T) {
	for text, want := range map[string]string{"": "", "500": "500,by=precision", "500,by=precision": "500,by=precision", "7,by=size": "7,by=size"} {
		s, err := suite.Parse(text)
		assert.NoError(t, err)
		assert.Equal(t, want, s.String())
	}
	for _, bad := range []string{"7,by=size,multiple:1", "7,by=precision,multiple:0.5", "0", "-1", "x", "10%", "500,by=", "500,by=cost", "500,precision", ","} {
		assert.ErrorContains(t, testkit.Err(suite.Parse(bad)), "such as 500", bad)
	}
}

// TestSampleOrderIsEven: no id tends to be drawn before the others.
func TestSampleOrderIsEven(t *testing.T) {
	stratum := suite.Stratum{Scale: 1}
	for i := range 1000 {
		stratum.Cases = append(stratum.Cases, i)
	}
	low := 0
	for seed := range uint64(50) {
		for _, i := range suite.Order([]suite.Stratum{stratum}, seed, strconv.Itoa)[:100] {
			if i < 500 {
				low++
			}
		}
	}
	assert.InDelta(t, 2500, low, 150)
}

func FuzzSampleParse(f *testing.F) {
	f.Add("500,by=size")
	f.Add("5,by=precision,multiple:0.5,x:1e-9")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := suite.Parse(text)
		if err != nil || text == "" {
			return
		}
		again, err := suite.Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q reads as %v, and that as %v: %v", text, s, again, err)
		}
	})
}

// TestSampleStable: a seed and ids always give the same order, because resumed
// and compared runs must ask the same cases.
func TestSampleStable(t *testing.T) {
	id := func(i int) string { return "case_" + strconv.Itoa(i%9) } // two share an id
	strata := []suite.Stratum{{Scale: 2, Cases: []int{0, 1, 2, 3, 4, 9}}, {Scale: 1, Cases: []int{5, 6, 7, 8}}}
	assert.Equal(t, []int{3, 6, 0, 9, 5, 2, 4, 8, 1, 7}, suite.Order(strata, 7, id))
}

// FuzzSelect reads lists of categories and files of ids: what is selected is
// there, each case once.
func FuzzSelect(f *testing.F) {
	f.Add("all", "simple_python_0\n# no case\n\nirrelevance_1,irrelevance_2")
	f.Add("live,parallel", "live_simple_0")
	f.Add("python,", "simple_python_0 simple_python_0")
	dataset, err := fixtures.Open(fixtures.Starter, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, names, ids string) {
		path := filepath.Join(t.TempDir(), "ids")
		if err := os.WriteFile(path, []byte(ids), 0o644); err != nil {
			t.Fatal(err)
		}
		list, err := suite.ReadIDs("@" + path)
		if err != nil {
			return
		}
		s, err := suite.Select(dataset, names, list)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, part := range s.Parts {
			for _, c := range part.Cases {
				if seen[c.ID] {
					t.Fatalf("%s is selected twice", c.ID)
				}
				seen[c.ID] = true
			}
		}
		if len(seen) == 0 || len(seen) != s.Cases() {
			t.Fatalf("%d cases of %d", len(seen), s.Cases())
		}
	})
}

// parsed returns the options that a command line sets, or why they are refused.
func parsed(args ...string) (o option.Options, err error) {
	set := flag.NewFlagSet("t", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	o.Register(set)
	if err = set.Parse(args); err == nil {
		err = o.Check()
	}
	return o, err
}

// TestOptionSenselessNumbers: NaN, infinities, negative numbers and empty texts are
// refused by every flag for which they mean nothing.
func TestOptionSenselessNumbers(t *testing.T) {
	for _, arg := range []string{
		"-max-cost=NaN", "-max-cost=+Inf", "-max-cost=-1", "-max-cost=0", "-max-cost=", "-max-cost=ten",
		"-temperature=NaN", "-temperature=inf", "-temperature=-0.1",
		"-max-tokens=NaN", "-max-tokens=Inf", "-max-tokens=0", "-max-tokens=-5", "-max-tokens=1.5", "-max-tokens=1e30",
		"-rpm=-1", "-tpm=-1", "-concurrency=-1", "-trials=0", "-trials=-1",
		"-request-timeout=-1s", "-server-wait=-1s", "-grace=-5s", "-ids=", "-categories=",
	} {
		assert.Error(t, testkit.Err(parsed(arg)), arg)
	}
	o := testkit.Must(parsed("-max-cost=2.5", "-temperature=0", "-max-tokens=4096", "-rpm=1", "-grace=0s", "-ids=a,b"))(t)
	assert.InDelta(t, 2.5, o.MaxCost, 0)
	assert.Equal(t, "all", o.Categories)
	assert.Equal(t, "a,b", o.IDs)
}

func TestShardParse(t *testing.T) {
	for text, want := range map[string]suite.Shard{
		"": {}, "0/1": {}, "0/8": {Index: 0, Count: 8}, "7/8": {Index: 7, Count: 8},
	} {
		got, err := suite.ParseShard(text)
		require.NoErrorf(t, err, "%q", text)
		assert.Equalf(t, want, got, "%q", text)
	}
	for text, want := range map[string]string{
		"3":        "a shard must be index/count",
		"a/b":      "two whole numbers",
		"8/8":      "the index must be 0 to 7, not 8",
		"-1/8":     "the index must be 0 to 7, not -1",
		"0/0":      "1 to 100000, not 0",
		"0/100001": "1 to 100000, not 100001",
		"1/2/3":    "two whole numbers",
	} {
		assert.ErrorContainsf(t, testkit.Err(suite.ParseShard(text)), want, "%q", text)
	}
}

func TestShardOf(t *testing.T) {
	for _, row := range []struct {
		flag   string
		env    map[string]string
		want   string
		origin string
	}{
		{"", nil, "", ""},
		{"2/4", map[string]string{"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"}, "2/4", ""},
		{"0/1", map[string]string{"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"}, "", ""},
		{"", map[string]string{"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"}, "0/3", "GitLab's $CI_NODE_INDEX and $CI_NODE_TOTAL"},
		{"", map[string]string{"CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "1"}, "", ""},
		{"", map[string]string{"CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "2"}, "1/2", "CircleCI's $CIRCLE_NODE_INDEX and $CIRCLE_NODE_TOTAL"},
		{"", map[string]string{"BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "5"}, "0/5", "Buildkite's $BUILDKITE_PARALLEL_JOB and $BUILDKITE_PARALLEL_JOB_COUNT"},
		{"", map[string]string{"TEST_SHARD_INDEX": "4", "TEST_TOTAL_SHARDS": "5"}, "4/5", "Bazel's $TEST_SHARD_INDEX and $TEST_TOTAL_SHARDS"},
		{"0/1", map[string]string{"JOB_COMPLETION_INDEX": "4"}, "", ""},
		{"", map[string]string{"CI_NODE_TOTAL": "1"}, "", ""},
		{"", map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "8"}, "3/8", "Slurm's $SLURM_ARRAY_TASK_ID and $SLURM_ARRAY_TASK_COUNT"},
		{"", map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "1", "BFCL_SHARDS": "8"}, "3/8", "Slurm's $SLURM_ARRAY_TASK_ID and $BFCL_SHARDS"},
		{"", map[string]string{"JOB_COMPLETION_INDEX": "4", "BFCL_SHARDS": "6"}, "4/6", "Kubernetes's $JOB_COMPLETION_INDEX and $BFCL_SHARDS"},
	} {
		got, origin, err := suite.ShardOf(row.flag, func(name string) string { return row.env[name] })
		require.NoError(t, err)
		assert.Equalf(t, row.want, got.String(), "%q %v", row.flag, row.env)
		assert.Equalf(t, row.origin, origin, "%q %v", row.flag, row.env)
	}
	for _, row := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "3"}, "GitLab's $CI_NODE_INDEX and $CI_NODE_TOTAL: with 3 shards the index must be 1 to 3, not 0"},
		{map[string]string{"CI_NODE_TOTAL": "3"}, "GitLab's $CI_NODE_TOTAL is set, but $CI_NODE_INDEX is not"},
		{map[string]string{"JOB_COMPLETION_INDEX": "0"}, "Kubernetes's $JOB_COMPLETION_INDEX is set, but $BFCL_SHARDS is not"},
		{map[string]string{"BFCL_SHARDS": "8"}, "$BFCL_SHARDS is set, but $JOB_COMPLETION_INDEX is not"},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "8", "SLURM_ARRAY_TASK_COUNT": "8"}, "the index must be 0 to 7, not 8"},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "1"}, "Slurm's"},
		{map[string]string{"TEST_TOTAL_SHARDS": "2"}, "Bazel's"},
	} {
		_, _, err := suite.ShardOf("", func(name string) string { return row.env[name] })
		require.ErrorContains(t, err, row.want, "%v", row.env)
	}
	_, _, err := suite.ShardOf("9/3", os.Getenv)
	require.ErrorContains(t, err, "-shard: ")
}

// TestShardEveryCaseHasOneShard: any number of shards are disjoint, complete
// together, and of similar size.
func TestShardEveryCaseHasOneShard(t *testing.T) {
	var cases []*eval.Case
	for i := range 4000 {
		cases = append(cases, &eval.Case{ID: fmt.Sprintf("simple_python_%d", i), Category: "simple_python"})
	}
	for n := 2; n <= 50; n++ {
		sizes := make([]int, n)
		for _, c := range cases {
			owners := 0
			for i := range n {
				if (suite.Shard{Index: i, Count: n}).Has(c) {
					owners++
					sizes[i]++
				}
			}
			require.Equalf(t, 1, owners, "%s of %d shards", c.ID, n)
		}
		for i, size := range sizes {
			mean := float64(len(cases)) / float64(n)
			assert.InDeltaf(t, mean, float64(size), 0.5*mean, "shard %d/%d", i, n)
		}
	}
}

func TestShardMemoryScenariosStayTogether(t *testing.T) {
	key := func(category, id string) string {
		c := &eval.Case{Category: category, ID: id}
		if parts := strings.Split(id, "-"); category != "live_simple" && len(parts) == 3 {
			c.Scene = &eval.Scene{Scenario: parts[1]}
		}
		return suite.ShardKey(c)
	}
	assert.Equal(t, key("memory_kv", "memory_kv_0-customer-0"), key("memory_kv", "memory_kv_17-customer-17"))
	assert.NotEqual(t, key("memory_kv", "memory_kv_0-customer-0"), key("memory_kv", "memory_kv_0-student-0"))
	assert.NotEqual(t, key("memory_kv", "memory_kv_0-customer-0"), key("memory_vector", "memory_vector_0-customer-0"))
	assert.NotEqual(t, key("live_simple", "live_simple_0-0-0"), key("live_simple", "live_simple_1-0-0"))
	assert.NotEqual(t, key("memory_kv", "odd"), key("memory_kv", "odd-one"))
}

func TestShardShare(t *testing.T) {
	eight := suite.Shard{Index: 3, Count: 8}
	assert.Equal(t, 0, eight.Share(0))
	assert.Equal(t, 12, eight.Share(100))
	assert.Equal(t, 1, eight.Share(3))
	assert.Equal(t, 100, suite.Shard{}.Share(100))
}

// TestShardAcknowledge: Bazel is told that the program divides its work itself.
func TestShardAcknowledge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status")
	t.Setenv("TEST_SHARD_STATUS_FILE", path)
	for shard, told := range map[string]bool{"0/1": false, "0/2": true} {
		_, note, err := suite.Divide(suite.Options{Shard: shard})
		require.NoError(t, err)
		assert.Equal(t, told, note != "")
		_, err = os.Stat(path)
		assert.Equal(t, told, err == nil)
		_ = os.Remove(path)
	}
}

// TestJob: the first variable that is set names what shards share.
func TestJob(t *testing.T) {
	t.Parallel()
	for want, env := range map[string]map[string]string{
		"":           {},
		"mine":       {"BFCL_JOB": "mine", "GITHUB_RUN_ID": "7"},
		"github-7":   {"GITHUB_RUN_ID": "7"},
		"slurm-4711": {"SLURM_ARRAY_JOB_ID": "4711", "SLURM_JOB_ID": "4712"},
	} {
		assert.Equal(t, want, suite.JobOf(func(name string) string { return env[name] }))
	}
}

// FuzzShardParse checks that each case is in exactly one shard, and that a
// shard's text is parsed back to the same shard.
func FuzzShardParse(f *testing.F) {
	f.Add("3/8", "simple_python_0")
	f.Add("0/1", "memory_kv_3-allotment-3")
	f.Add("7/100", "live_simple_1-2-3")
	f.Fuzz(func(t *testing.T, text, id string) {
		s, err := suite.ParseShard(text)
		if err != nil {
			return
		}
		again, err := suite.ParseShard(s.String())
		if err != nil || again != s && !(again.Whole() && s.Whole()) {
			t.Fatalf("%q reads as %v, and that as %v: %v", text, s, again, err)
		}
		if s.Count > 300 {
			return
		}
		c, in := &eval.Case{ID: id}, 0
		for i := range max(s.Count, 1) {
			s.Index = i
			if s.Has(c) {
				in++
			}
		}
		if in != 1 {
			t.Fatalf("%q is in %d of %d shards", id, in, s.Count)
		}
	})
}
