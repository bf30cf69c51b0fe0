package record_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
)

// settled is a run with every setting that is compared.
func settled() *record.Run {
	return &record.Run{
		Model: "m", Dataset: "v4", Digest: "d", Trials: 1, Shard: "0/2", Wording: "w", Mode: eval.FC, Version: "1.0",
		Parameters: map[string]string{"base_url": "http://a/v1", "temperature": "0.001"},
	}
}

// TestDifferences: each setting that can change an answer keeps two runs from
// being one, and is named with both values.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		change func(*record.Run)
		want   string
	}{
		{func(r *record.Run) { r.Model = "n" }, `model ("m" against "n")`},
		{func(r *record.Run) { r.Dataset = "v1" }, `dataset ("v4" against "v1")`},
		{func(r *record.Run) { r.Digest = "e" }, `digest ("d" against "e")`},
		{func(r *record.Run) { r.Wording = "x" }, `wording ("w" against "x")`},
		{func(r *record.Run) { r.Mode = eval.Prompt }, `mode ("fc" against "prompt")`},
		{func(r *record.Run) { r.UnderscoreToDot = true }, `underscore_to_dot ("false" against "true")`},
		{func(r *record.Run) { r.Dialect = "hermes" }, `dialect (not set against "hermes")`},
		{func(r *record.Run) { r.Parameters["temperature"] = "1" }, `temperature ("0.001" against "1")`},
		{func(r *record.Run) { r.Parameters["base_url"] = "http://b/v1" }, `base_url ("http://a/v1" against "http://b/v1")`},
		{func(r *record.Run) { r.Parameters["max_tokens"] = "64" }, `max_tokens (not set against "64")`},
		{func(r *record.Run) { r.Parameters["reasoning_effort"] = "low" }, `reasoning_effort (not set against "low")`},
		{func(r *record.Run) { delete(r.Parameters, "temperature") }, `temperature ("0.001" against not set)`},
		{func(r *record.Run) { r.Shard = "0/4" }, `shards ("2" against "4")`},
	} {
		other := settled()
		c.change(other)
		differ := record.Differences(settled(), other)
		require.Len(t, differ, 1, c.want)
		assert.Equal(t, c.want, differ[0].String())
		_, err := record.Resumable(settled(), other)
		require.ErrorContains(t, err, differ[0].B)
		require.ErrorContains(t, err, "choose another -run-dir, or the same ")
		_, keeps := record.Mergeable(settled(), other)
		require.NotNil(t, keeps, c.want)
		assert.Equal(t, differ[0], *keeps)
	}
}

// TestDifferencesThatPass: what does not keep runs apart, and what is said of it.
func TestDifferencesThatPass(t *testing.T) {
	more := settled()
	more.Trials, more.Categories, more.Concurrency = 3, []string{"rest"}, 7
	note, err := record.Resumable(settled(), more)
	require.NoError(t, err)
	assert.Empty(t, note)

	newer := settled()
	newer.Version, newer.Shard = "1.1", "1/2"
	note, keeps := record.Mergeable(settled(), newer)
	assert.Nil(t, keeps)
	assert.Equal(t, "bfcl 1.0 made one part of the run, bfcl 1.1 the other", note)
	for _, versions := range [][2]string{{"", "1.1"}, {"1.0", ""}, {"", ""}, {"1.0", "1.0"}} {
		have, want := settled(), settled()
		have.Version, want.Version = versions[0], versions[1]
		note, err := record.Resumable(have, want)
		require.NoError(t, err)
		assert.Empty(t, note, versions)
	}
	_, err = record.Resumable(settled(), newer)
	require.EqualError(t, err, `the run folder was made with shard "0/2", not "1/2": choose another -run-dir, or the same shard`)

	sheet := &record.Run{Model: "m", Dataset: "v4", Digest: "d", Trials: 1, Shard: "1/2"}
	_, keeps = record.Mergeable(settled(), sheet)
	assert.Nil(t, keeps, "JUnit knows no more")
}

func TestBesidesModel(t *testing.T) {
	other := settled()
	other.Model, other.Dataset, other.Shard, other.Parameters["id"] = "n", "/elsewhere/v4", "", "n"
	assert.Empty(t, record.BesidesModel(settled(), other))
	other.Parameters["temperature"], other.Version = "1", "1.1"
	assert.Equal(t, `temperature ("0.001" against "1"), version ("1.0" against "1.1")`, record.BesidesModel(settled(), other))
}

// TestResumeWithALaterService: what only later categories need is a setting of
// all answers, and the refusal says what to do.
func TestResumeWithALaterService(t *testing.T) {
	for _, name := range []string{"embedder", "search"} {
		later := &record.Run{Model: "m", Mode: "fc", Parameters: map[string]string{name: "local"}}
		_, err := record.Resumable(&record.Run{Model: "m", Mode: "fc"}, later)
		assert.ErrorContains(t, err, "begun without categories that need the "+name)
		_, err = record.Resumable(later, later)
		assert.NoError(t, err)
	}
}
