package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// afar are examples that need a network or a server without end: their flags are
// tried only.
var afar = []string{"bfcl fetch v", "bfcl view", "example.com", "npx ", "claude mcp"}

// TestExamples runs the examples of all helps, and what the comments of the
// proposed gate file name, in a folder that has what they name.
func TestExamples(t *testing.T) {
	t.Parallel()
	testkit.Extra(t, "runs every example")
	data := testkit.Shared(t, "bfcl")
	server := modelThatErrs(t)
	s := &scene{dir: t.TempDir()}
	for _, run := range []string{
		"-run-dir=results/heuristic", "-run-dir=results/old", "-run-dir=results/new", "-run-dir=results/mine", "-run-dir=results/theirs -categories=simple_python",
		"-run-dir=results/my-model -trials=2 -categories=multi_turn_miss_func", "-run-dir=shard-0 -shard=0/2", "-run-dir=shard-1 -shard=1/2", "-run-dir=shards/0 -shard=0/2", "-run-dir=shards/1 -shard=1/2",
		"-run-dir=v4 -dataset=v4 -categories=multi_turn_base -data=" + data,
	} {
		out, code := s.do(t, append([]string{"run", "-q", "-model=heuristic"}, strings.Fields(run)...)...)
		require.Zero(t, code, out)
	}
	place := func(from, to string) {
		t.Helper()
		from, to = filepath.Join(s.dir, from), filepath.Join(s.dir, to)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		if info, err := os.Stat(from); err == nil && info.IsDir() {
			require.NoError(t, os.CopyFS(to, os.DirFS(from)))
			return
		}
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, text, 0o600))
	}
	place("v4/result", "result/my-model")
	place("results/old/result", "upstream/result/m")
	place("results/old/junit.xml", "baseline.xml")
	place("results/old/junit.xml", "main.xml")
	for file, text := range map[string]string{
		"my-models.yaml": strings.ReplaceAll("models: {mine: AT, gpt-4.1-mini: AT, gpt-4.1: AT}", "AT", "{adapter: openai, id: m, base_url: "+server.URL+"/v1, prices: {input: 1, output: 1}}"),
		"tools.json":     `[{"name": "f", "description": "Finds.", "parameters": {"type": "object", "properties": {"x": {"type": "string", "description": "A text."}}, "required": ["x"]}}]`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, file), []byte(text), 0o600))
	}
	require.NoError(t, os.Symlink(data, filepath.Join(s.dir, "bfcl-data")))
	s.env = []string{"BFCL_DATA=" + data, "BFCL_MODELS=" + filepath.Join(s.dir, "my-models.yaml"), "HOME=" + s.dir}
	root, n := (&app{}).command(), 0
	commands := append(root.Commands(), root)
	slices.SortStableFunc(commands, func(a, b *cobra.Command) int { // init's run takes another's place
		late := []string{"init", "validate"}
		return slices.Index(late, a.Name()) - slices.Index(late, b.Name())
	})
	for _, cmd := range commands {
		for line := range strings.Lines(cmd.Example) {
			line = strings.NewReplacer("http://localhost:8000", server.URL, "-dataset=v4 -max-cost", "-categories=simple_python -max-cost").Replace(strings.TrimSpace(line))
			if slices.ContainsFunc(afar, func(s string) bool { return strings.Contains(line, s) }) {
				continue // TestTextsNameCommands reads it
			}
			s.try(t, cmd.Name()+" --help", line)
			n++
		}
	}
	gate, code := s.do(t, "gate", "--init")
	require.Zero(t, code)
	for _, line := range proposed(strings.ReplaceAll(gate, "RUN", "results/new")) {
		s.try(t, "gate.yaml", strings.Replace(line, "--baseline results/new", "--baseline results/old", 1))
		n++
	}
	t.Logf("%d commands:\n%s", n, strings.Join(s.log, "\n"))
	assert.Greater(t, n, 35)
}

// TestMistakes makes usual mistakes and runs what the errors propose.
func TestMistakes(t *testing.T) {
	t.Parallel()
	testkit.Extra(t, "runs every proposed command")
	server := modelThatErrs(t)
	s := &scene{dir: t.TempDir()}
	out, code := s.do(t, "run", "-q", "-model=heuristic", "-categories=simple_python", "-run-dir=results/m")
	require.Zero(t, code, out)
	require.NoError(t, os.CopyFS(filepath.Join(s.dir, "result/m"), os.DirFS(filepath.Join(s.dir, "results/m/result"))))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "empty.yaml"), []byte("# no rules\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "tools.json"), []byte("[]"), 0o600))
	n := 0
	for _, line := range []string{
		"bfcl run", "bfcl run -modle=heuristic", "bfcl run -model=heuristic -categories=simpel", "bfcl run -model=heuristic -dataset=v4 -data=.", "bfcl run -model=heuristic -dataset=./nowhere",
		"bfcl run -model=heuristic -count=3", "bfcl run -model=heuristic -run-dir=results/x -gate=empty.yaml -baseline=none", "bfcl run -model=heuristic -gate=gone.yaml",
		"bfcl run -resume -run-dir=results/none", "bfcl run -model=openai:m -base-url=" + server.URL + "/v1 -categories=simple_python -run-dir=results/part",
		"bfcl score results/part", "bfcl score results/none", "bfcl score result", "bfcl score result/m", "bfcl gate", "bfcl gate results/m", "bfcl gate --config empty.yaml results/m",
		"bfcl gate --config gone.yaml results/m", "bfcl failures result/m", "bfcl compare results/m", "bfcl report", "bfcl trace results/m nothing_0", "bfcl judge --id nothing_0 --run results/m",
		"bfcl generate --model m --test-category simple", "bfcl results", "bfcl scores", "bfcl test-categories", "bfcl plan", "bfcl errata no_such_case", "bfcl errata --dataset starter",
		"bfcl fetch", "bfcl fetch v9", "bfcl fetch --check", "bfcl init --format x", "bfcl validate ./nowhere", "bfcl models no-such-model", "bfcl mcp-connect", "bfcl doctor", "bfcl doctor -model=heuristic", "bfcl doctor -model=openai:m -base-url=" + server.URL + "/v1",
		"bfcl evaluate", "bfcl evaluate --result-dir results/none", "bfcl evaluate --result-dir result --dataset v4 --data .",
	} {
		out, code := s.shell(t, line)
		assert.NotContains(t, out, "panic")
		for _, next := range proposed(out) {
			if slices.Contains([]string{"bfcl score", "bfcl doctor"}, next) { // with what the sentence says
				continue
			}
			n++
			s.try(t, line, next)
		}
		s.log = append(s.log, fmt.Sprintf("  %s exit %d", line, code))
	}
	t.Logf("%d commands:\n%s", n, strings.Join(s.log, "\n"))
	assert.Greater(t, n, 20)
}
