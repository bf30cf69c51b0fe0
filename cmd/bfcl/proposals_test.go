package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A scene is a folder in which a user stands, with a run that commands read.
type scene struct {
	dir string
	log []string // what was proposed, where, and what came of it
	env []string // besides the process's
}

// do runs the command and returns its output and exit code.
func (s *scene) do(t *testing.T, args ...string) (string, int) {
	t.Helper()
	return s.run(t, exec.CommandContext(t.Context(), "bfcl", args...))
}

func (s *scene) run(t *testing.T, cmd *exec.Cmd) (string, int) {
	t.Helper()
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = s.dir, &out, &out, append(os.Environ(), s.env...)
	_ = cmd.Run()
	require.NotNil(t, cmd.ProcessState, "%s did not start", cmd)
	return out.String(), cmd.ProcessState.ExitCode()
}

var (
	aLine  = regexp.MustCompile(`(?m)^(?:[a-z]+)?\s*(bfcl (?:run|score|failures|compare|report|trace|judge|gate|doctor|errata|view|models|init|validate|fetch) .*)$`)
	aSpan  = regexp.MustCompile("`(bfcl [a-z]+(?: [^`]+)?)`")
	inPage = regexp.MustCompile(`<code>(bfcl [^<]+)</code>`)
)

// proposed returns the commands that an output proposes, each once. Words in
// capitals, dots, or "the same flags" are for the reader to fill in.
func proposed(output string) (out []string) {
	kinds := []*regexp.Regexp{aLine, aSpan}
	if strings.HasPrefix(output, "<!doctype") {
		kinds = []*regexp.Regexp{inPage}
	}
	for _, found := range kinds {
		for _, m := range found.FindAllStringSubmatch(output, -1) {
			line := strings.NewReplacer("&#39;", "'", "&#34;", `"`, "&amp;", "&", "&lt;", "<", "&gt;", ">", "&#43;", "+").Replace(strings.TrimRight(m[1], " ."))
			if !regexp.MustCompile(`\b[A-Z]{2,}\b|…|\.\.\.`).MatchString(strings.ReplaceAll(line, "_API_KEY", "")) && !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// TestProposals runs every command that the outputs about a run propose, for runs
// of every origin. A proposed command is accepted, and changes nothing but what it
// says: no reading command changes a file, and only a resumed run writes.
func TestProposals(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: runs the suite and every proposed command")
	}
	server := modelThatErrs(t)
	openai := []string{"-model=openai:m", "-base-url=" + server.URL + "/v1"}
	run := func(t *testing.T, s *scene, dir string, flags ...string) {
		t.Helper()
		_, code := s.do(t, slices.Concat([]string{"run", "-q", "-run-dir=" + dir}, flags)...)
		require.NotEqual(t, exitMisuse, code)
	}
	for _, row := range []struct {
		name string
		make func(t *testing.T, s *scene) (run string, reading []string)
	}{
		{"a run", func(t *testing.T, s *scene) (string, []string) {
			run(t, s, "results/m", "-model=heuristic", "-categories=simple_python,multi_turn_base")
			return "results/m", nil
		}},
		{"an unfinished run of a server", func(t *testing.T, s *scene) (string, []string) {
			run(t, s, "results/m", append(openai, "-categories=simple_python")...)
			return "results/m", nil
		}},
		{"a part", func(t *testing.T, s *scene) (string, []string) {
			run(t, s, "part", "-model=heuristic", "-ids=simple_python_1,simple_python_2,parallel_3")
			return "part", nil
		}},
		{"a sample", func(t *testing.T, s *scene) (string, []string) {
			run(t, s, "sampled", "-model=heuristic", "-sample=30")
			return "sampled", nil
		}},
		{"a name with blanks", func(t *testing.T, s *scene) (string, []string) {
			run(t, s, "it's mine, $(id)", "-model=heuristic", "-categories=simple_python")
			return "it's mine, $(id)", nil
		}},
		{"a JUnit file alone", func(t *testing.T, s *scene) (string, []string) {
			run(t, s, "results/m", "-model=heuristic", "-categories=simple_python")
			require.NoError(t, os.Rename(filepath.Join(s.dir, "results/m/junit.xml"), filepath.Join(s.dir, "alone.xml")))
			return "alone.xml", nil
		}},
		{"upstream's folder", func(t *testing.T, s *scene) (string, []string) {
			run(t, s, "mine", "-model=heuristic", "-categories=simple_python,multi_turn_base")
			require.NoError(t, os.CopyFS(filepath.Join(s.dir, "result/m"), os.DirFS(filepath.Join(s.dir, "mine/result"))))
			require.NoError(t, os.RemoveAll(filepath.Join(s.dir, "mine")))
			return "result", []string{"--dataset", "starter"}
		}},
		{"shards", func(t *testing.T, s *scene) (string, []string) {
			for i := range 2 {
				run(t, s, fmt.Sprintf("shards/%d", i), "-model=heuristic", "-categories=simple_python,multi_turn_base", fmt.Sprintf("-shard=%d/2", i))
			}
			return "shards", nil
		}},
		{"one shard", func(t *testing.T, s *scene) (string, []string) {
			out, code := s.do(t, "run", "-q", "-run-dir=s", "-model=heuristic", "-categories=simple_python", "-shard=0/2")
			require.Zero(t, code)
			assert.Contains(t, out, "`bfcl score` with the folders of all shards")
			for _, verb := range []string{"failures", "report", "score s"} { // which want all shards
				assert.NotContains(t, out, "bfcl "+verb)
			}
			return "s", nil
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := &scene{dir: t.TempDir()}
			name, reading := row.make(t, s)
			before := tree(t, s.dir)
			reads := func(words ...string) string {
				out, code := s.do(t, append(words, reading...)...)
				require.NotEqual(t, exitMisuse, code, "%q: %s", words, out)
				return out
			}
			page := filepath.Join(t.TempDir(), "page.html")
			outputs := map[string]string{"failures": reads("failures", name), "markdown": reads("report", "--markdown", name)}
			if len(reading) == 0 { // bfcl evaluate scores upstream's folders
				outputs["score"] = reads("score", name)
			}
			reads("report", name, "-o", page)
			text, err := os.ReadFile(page)
			if err == nil { // a single shard has no page
				outputs["page"] = string(text)
			}
			assert.Equal(t, before, tree(t, s.dir), "reading changes nothing")
			n := 0
			for from, output := range outputs {
				for _, line := range proposed(output) {
					n++
					s.try(t, from, line)
				}
			}
			t.Logf("%d commands:\n%s", n, strings.Join(s.log, "\n"))
			if row.name != "one shard" { // it is read with the others only
				assert.Positive(t, n)
			}
		})
	}
}

// writes matches commands that write files.
var writes = regexp.MustCompile(`^bfcl (run|report|init|evaluate)\b|--junit|--comment|>`)

// shell runs a line in bash.
func (s *scene) shell(t *testing.T, line string) (string, int) {
	t.Helper()
	return s.run(t, exec.CommandContext(t.Context(), "bash", "-c", line))
}

// try runs a proposed command as a shell would.
func (s *scene) try(t *testing.T, from, line string) {
	t.Helper()
	before := tree(t, s.dir)
	words := line
	if strings.HasPrefix(line, "bfcl view") || strings.HasPrefix(line, "bfcl fetch") { // a server without end; the network
		words += " --help"
	}
	out, code := s.shell(t, words)
	s.log = append(s.log, fmt.Sprintf("  %-9s %-90s exit %d", from, line, code))
	assert.NotEqual(t, exitMisuse, code, "%s proposes %s, which is refused:\n%s", from, line, out)
	assert.NotContains(t, out, "unknown flag")
	if !writes.MatchString(line) {
		assert.Equal(t, before, tree(t, s.dir), "%s proposes %s, which changes files", from, line)
	}
}

// modelThatErrs starts a server that answers each second question, and fails the
// others for good.
func modelThatErrs(t *testing.T) *testkit.Chat {
	return testkit.ServeChat(t, func(q *testkit.Question) string {
		if q.N%2 == 0 {
			return `400 {"error": {"message": "this question is not for me"}}`
		}
		return testkit.Reply("No.", "stop")
	})
}

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
		text := testkit.Must(os.ReadFile(from))(t)
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
