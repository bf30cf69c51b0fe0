package suite

import (
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
)

// MaxShards is the largest number of shards.
const MaxShards = 100_000

// A Shard is part Index, counted from 0, of a run in Count parts. The zero
// Shard is the whole run.
type Shard struct{ Index, Count int }

// Whole reports whether the shard is the whole run.
func (s Shard) Whole() bool { return s.Count <= 1 }

// String returns "index/count", as ParseShard reads it; "" for a whole run.
func (s Shard) String() string {
	if s.Whole() {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// ParseShard reads "index/count", counted from 0; "" is the whole run.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	index, count, ok := strings.Cut(text, "/")
	if !ok {
		return Shard{}, fmt.Errorf("a shard must be index/count, such as 0/8 for the first of eight, not %q", text)
	}
	return parse(index, count, 0)
}

// parse reads an index that is counted from first.
func parse(index, count string, first int) (Shard, error) {
	i, wrongIndex := strconv.Atoi(strings.TrimSpace(index))
	n, wrongCount := strconv.Atoi(strings.TrimSpace(count))
	switch {
	case wrongIndex != nil || wrongCount != nil:
		return Shard{}, fmt.Errorf("a shard must be index/count, two whole numbers, not %q", index+"/"+count)
	case n < 1 || n > MaxShards:
		return Shard{}, fmt.Errorf("the number of shards must be 1 to %d, not %d", MaxShards, n)
	case i < first || i >= n+first:
		return Shard{}, fmt.Errorf("with %d shards the index must be %d to %d, not %d", n, first, n+first-1, i)
	case n == 1:
		return Shard{}, nil
	}
	return Shard{Index: i - first, Count: n}, nil
}

// Has reports whether a case is in the shard.
func (s Shard) Has(c *eval.Case) bool {
	if s.Whole() {
		return true
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(ShardKey(c)))
	// FNV-1a is uneven in its lowest bits for keys that differ only in their last
	// characters: the finalizer of MurmurHash3 spreads them.
	h := hash.Sum64()
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return int((h^h>>33)%uint64(s.Count)) == s.Index
}

// ShardKey returns what is the same for cases that must stay together: the
// questions of a memory scenario, which need the same conversations before them.
// Every other case has a key of its own.
func ShardKey(c *eval.Case) string {
	if c.Scene != nil && c.Scene.Scenario != "" {
		return c.Category + "/" + c.Scene.Scenario
	}
	return c.Category + "/" + c.ID
}

// Share returns this shard's part of a budget for the whole run, at least 1 if
// there is a budget.
func (s Shard) Share(budget int) int {
	if s.Whole() || budget <= 0 {
		return budget
	}
	return max(1, budget/s.Count)
}

// Divide keeps the cases of a shard. Categories without any stay, so that all
// shards list the same categories.
func (s *Selection) Divide(part Shard) {
	if s.Shard = part; part.Whole() {
		return
	}
	for i := range s.Parts {
		s.Parts[i].Cases = slices.DeleteFunc(slices.Clone(s.Parts[i].Cases), func(c *eval.Case) bool { return !part.Has(c) })
	}
}

// Divide sets the shard that the environment asks for, if the user names none.
// It says so in a note, because those who set the variables may not know that
// they count.
func Divide(o Options) (divided Options, note string, err error) {
	part, origin, err := ShardOf(o.Shard, os.Getenv)
	if err != nil || part.Whole() {
		return o, "", option.MarkMisuse(err) // "0/1" stays, so that it overrides the environment in child processes too
	}
	o.Shard = part.String()
	if path := os.Getenv("TEST_SHARD_STATUS_FILE"); path != "" { // or Bazel expects every shard to run everything
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			return o, "", option.Misuse("shard: %w", err)
		}
	}
	note = fmt.Sprintf("this is shard %s of the run", o.Shard)
	if origin != "" {
		note += fmt.Sprintf(", set by %s (-shard=0/1 runs everything)", origin)
	}
	return o, note, nil
}

// shardEngines are systems that start the same program several times and say in
// environment variables which one each is, counted from first. They are tried in
// this order. Kubernetes does not pass on an indexed job's completions, so its
// manifest must; and a Slurm array that is submitted again for some of its tasks
// counts only those.
var shardEngines = []struct {
	name, index, count string
	first              int
}{
	{"Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0},
	{"Kubernetes", "JOB_COMPLETION_INDEX", "BFCL_SHARDS", 0},
	{"Slurm", "SLURM_ARRAY_TASK_ID", "BFCL_SHARDS", 0},
	{"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0},
	{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
	{"CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},
	{"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0},
}

// ShardOf returns the shard that a flag's value asks for or, if the flag is "", the
// one that the environment asks for; origin then names the variables. Variables
// that say only that there are several shards, or which one this is, are an error:
// each shard would ask everything.
func ShardOf(flag string, getenv func(string) string) (s Shard, origin string, err error) {
	if flag != "" {
		if s, err = ParseShard(flag); err != nil {
			err = fmt.Errorf("-shard: %w", err)
		}
		return s, "", err
	}
	for _, e := range shardEngines {
		index, count := getenv(e.index), getenv(e.count)
		switch {
		case index == "" && (count == "" || count == "1"):
		case index == "" || count == "":
			has, lacks := e.index, e.count
			if index == "" {
				has, lacks = lacks, has
			}
			if err == nil { // the first; one below may say both
				err = fmt.Errorf("%s's $%s is set, but $%s is not, so this may be one of several that would all ask everything: set it or give -shard; -shard=0/1 runs everything", e.name, has, lacks)
			}
		default:
			if s, err := parse(index, count, e.first); err != nil {
				return s, "", fmt.Errorf("%s's $%s and $%s: %w; -shard=0/1 runs everything", e.name, e.index, e.count, err)
			} else if !s.Whole() {
				return s, fmt.Sprintf("%s's $%s and $%s", e.name, e.index, e.count), nil
			}
		}
	}
	return Shard{}, "", err
}

// pipelines are the variables that hold what all shards of a run share, by
// system. Kubernetes has none: its manifests set BFCL_JOB.
var pipelines = []struct{ system, variable string }{
	{"", "BFCL_JOB"},
	{"github", "GITHUB_RUN_ID"},
	{"gitlab", "CI_PIPELINE_ID"},
	{"circleci", "CIRCLE_WORKFLOW_ID"},
	{"buildkite", "BUILDKITE_BUILD_ID"},
	{"slurm", "SLURM_ARRAY_JOB_ID"},
	{"nomad", "NOMAD_JOB_ID"},
}

// JobOf returns what the environment says that the shards of a run share; "" if
// it says nothing.
func JobOf(getenv func(string) string) string {
	for _, p := range pipelines {
		if id := getenv(p.variable); id != "" {
			return strings.TrimPrefix(p.system+"-"+id, "-")
		}
	}
	return ""
}
