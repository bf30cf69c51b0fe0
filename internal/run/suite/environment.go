package suite

import (
	"fmt"
	"os"
	"strings"
)

// An engine is a system that starts the same program several times and says in
// environment variables which one each is.
type shardEngine struct {
	name, index, count string
	// first is the number that the engine counts from.
	first int
}

// engines are tried in this order. Kubernetes does not pass on an indexed job's
// completions, so its manifest must; and a Slurm array that is submitted again
// for some of its tasks counts only those.
var engines = []shardEngine{
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
		s, err = ParseShard(flag)
		if err != nil {
			err = fmt.Errorf("-shard: %w", err)
		}
		return s, "", err
	}
	for _, e := range engines {
		index, count := getenv(e.index), getenv(e.count)
		if index == "" || count == "" {
			continue
		}
		if s, err = parse(index, count, e.first); err != nil {
			return Shard{}, "", fmt.Errorf("%s's $%s and $%s: %w; -shard=0/1 runs everything", e.name, e.index, e.count, err)
		}
		if s.Whole() {
			continue
		}
		return s, fmt.Sprintf("%s's $%s and $%s", e.name, e.index, e.count), nil
	}
	return Shard{}, "", half(getenv)
}

// half returns an error if an engine says that there are several shards, but not
// which one this is, or the other way round.
func half(getenv func(string) string) error {
	for _, e := range engines {
		index, count := getenv(e.index), getenv(e.count)
		if index == "" && (count == "" || count == "1") || index != "" && count != "" {
			continue
		}
		has, lacks := e.index, e.count
		if index == "" {
			has, lacks = lacks, has
		}
		return fmt.Errorf("%s's $%s is set, but $%s is not, so this may be one of several that would all ask everything: set it or give -shard; -shard=0/1 runs everything", e.name, has, lacks)
	}
	return nil
}

// Acknowledge tells Bazel that the program divides its work itself. Otherwise
// Bazel expects every shard to run everything.
func Acknowledge(getenv func(string) string) error {
	path := getenv("TEST_SHARD_STATUS_FILE")
	if path == "" {
		return nil
	}
	return os.WriteFile(path, nil, 0o644)
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
