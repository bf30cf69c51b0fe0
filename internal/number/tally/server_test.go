package tally_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestAgain: asking again is advised where it can help.
func TestAgain(t *testing.T) {
	for kinds, want := range map[string]string{
		"timeout":                             "ask again with -resume, in the folder of the run or of each shard",
		"malformed_call":                      "ask in a new run folder with -read=dialect or -mode=prompt",
		"context_full":                        "give the server a longer context, because the same would happen again, and then ask again",
		"server_setup timeout":                "start the server with its tool parser, because the same",
		"malformed_call server_setup":         "start the server with its tool parser",
		"malformed_call timeout":              "ask in a new run folder with -read=dialect or -mode=prompt, because the same would happen again, and then ask again",
		"context_full malformed_call":         "give the server a longer context, ask in a new run folder with -read=dialect or -mode=prompt, because the same",
		"context_full malformed_call timeout": "give the server a longer context, ask in a new run folder",
		"not_recorded":                        "record the answers, or leave their cases out with -ids",
		"not_recorded malformed_call":         "ask in a new run folder with -read=dialect or -mode=prompt, record the answers, or leave their cases out with -ids",
		"not_recorded timeout":                "record the answers, or leave their cases out with -ids, because the same would happen again, and then ask again",
		"timeout context_full":                "give the server a longer context, because the same would happen again, and then ask again",
	} {
		r := attempted(1, map[string]string{"multiple": "pppe" + strings.Repeat("e", strings.Count(kinds, " "))})
		for i, kind := range strings.Fields(kinds) {
			r.Parts[0].Results[3+i].ErrorType = "infrastructure:" + kind
		}
		_, err := r.Score(false)
		assert.ErrorContains(t, err, want, kinds)
		r.Parts[0].Results[0].Status, r.Parts[0].Results[1].Status = eval.Fail, eval.Fail
		r.Parts[0].Results[0].ErrorType, r.Parts[0].Results[1].ErrorType = "value_error", "value_error"
		assert.Contains(t, r.Again(), want, "a wrong answer, most often of all, changes nothing")
	}
}

// TestCeiling: prompts that all end at one length are said before the numbers.
func TestCeiling(t *testing.T) {
	for _, c := range []struct {
		name   string
		tokens []int
		want   string
	}{
		{"cut", []int{4096, 700, 4096, 4096, 4096, 4096}, "The prompts of 5 answers have exactly 4096 tokens"},
		{"longer ones exist", []int{4096, 4096, 4096, 4096, 4096, 4097}, ""},
		{"too few", []int{4096, 4096, 4096, 4096, 700, 800}, ""},
		{"just enough", []int{1, 512, 512, 512, 512, 512}, "The prompts of 5 answers have exactly 512 tokens"},
		{"just too short", []int{511, 511, 511, 511, 511, 511}, ""},
		{"short prompts", []int{9, 9, 9, 9, 9, 9}, ""},
		{"no counts", []int{0, 0, 0, 0, 0, 0}, ""},
	} {
		r := attempted(1, map[string]string{"multiple": "pppfff"})
		for i, n := range c.tokens {
			r.Parts[0].Results[i].InputTokens = n
		}
		s, err := r.Score(false)
		require.NoError(t, err)
		if c.want == "" {
			for _, text := range s.Warnings {
				assert.NotContains(t, text, "tokens, and none has more", c.name)
			}
			continue
		}
		assert.Contains(t, s.Warnings[0], c.want, c.name)
	}
}

// TestCeilingOf: a conversation's prompts, later trials and errors tell nothing
// of a server's context.
func TestCeilingOf(t *testing.T) {
	for name, c := range map[string]struct {
		category string
		letter   string
		change   func(r *eval.Result)
		want     bool
	}{
		"single turns":   {"multiple", "p", func(*eval.Result) {}, true},
		"a conversation": {"multi_turn_base", "p", func(*eval.Result) {}, false},
		"later trials":   {"multiple", "p", func(r *eval.Result) { r.Trial = 1 }, false},
		"errors":         {"multiple", "e", func(*eval.Result) {}, false},
	} {
		r := attempted(1, map[string]string{c.category: strings.Repeat(c.letter, 5)})
		for i := range r.Parts[0].Results {
			r.Parts[0].Results[i].InputTokens = 600
			c.change(&r.Parts[0].Results[i])
		}
		// Single turns come first in the benchmark's order, and one answer is no ceiling.
		r.Parts = append(attempted(1, map[string]string{"parallel": "p"}).Parts, r.Parts...)
		s, err := r.Answered(false)
		require.NoError(t, err)
		assert.Equal(t, c.want, strings.Contains(strings.Join(s.Warnings, "\n"), "exactly 600 tokens"), name)
		if c.category == "multi_turn_base" {
			r.Parts = append(r.Parts, attempted(1, map[string]string{"multiple": "ppppp"}).Parts...)
			for i := range 5 {
				r.Parts[2].Results[i].InputTokens = 700
			}
			s, err = r.Answered(false)
			require.NoError(t, err)
			assert.Contains(t, strings.Join(s.Warnings, "\n"), "5 answers have exactly 700 tokens", "what comes behind a conversation counts")
		}
	}
}

// TestShort: prompts that seem to have been cut are said before the numbers, and
// not counted among the ways in which answers end.
func TestShort(t *testing.T) {
	r := attempted(1, map[string]string{"multiple": "pppf"})
	r.Parts[0].Results[1].Finish = eval.ShortPrompt + "hardly longer than the step before"
	s, err := r.Score(false)
	require.NoError(t, err)
	assert.Contains(t, s.Warnings[0], "The prompts of 1 of 4 answers have fewer tokens than they must have (multiple_1: hardly longer than the step before)")
	assert.Empty(t, s.Finishes)
	r = attempted(1, map[string]string{"multiple": "pe"})
	r.Parts[0].Results[0].Finish, r.Parts[0].Results[0].Malformed = eval.ShortPrompt+"first", true
	r.Parts[0].Results[1].Finish, r.Parts[0].Results[1].Malformed = eval.ShortPrompt+"an error", true
	s, err = r.Answered(false)
	require.NoError(t, err)
	assert.Contains(t, s.Warnings[0], "an error for 1 of 1 answers")
	assert.Contains(t, s.Warnings[1], "The prompts of 1 of 1 answers have fewer tokens than they must have (multiple_0: first)")
}

// TestGoldenShort: no recorded answer's prompt is too short, in single turns or
// from step to step.
func TestGoldenShort(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{
		"servers/v0.10.2", "servers/2025-11-12-main", "servers/2025-11-12-harmony-fixes-2", "gpt-oss-120b/result/openai_gpt-oss-120b",
		"open/result/Qwen_Qwen3-8B-FC", "open/result/Team-ACE_ToolACE-2-8B", "open/result/meta-llama_Llama-3.1-8B-Instruct-FC",
	} {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			runs, err := tally.ReadAll([]string{testkit.Shared(t, "recorded", "v4", filepath.FromSlash(folder))}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true, Answers: true})
			require.NoError(t, err)
			prompts, most := 0, 0.0
			for cat, r := range runs[0].All() {
				req := eval.Pose(r.Case, 0, eval.SettingsFor(eval.FC))
				before := 0
				for turn, steps := range promptTokens(r) {
					for step, n := range steps {
						prompts++
						assert.Empty(t, (&eval.Request{Turn: turn, Step: step, Before: before}).Short(n), r.Case.ID)
						if before = n; turn+step > 0 || n == 0 {
							continue
						}
						assert.Empty(t, req.Short(n), r.Case.ID)
						if !cat.MultiTurn() {
							most = max(most, float64(req.Chars())/float64(n))
						}
					}
				}
			}
			t.Logf("%d prompts, at most %.1f characters a token in a single turn", prompts, most)
			assert.Positive(t, prompts)
		})
	}
}

// promptTokens returns the counts of an answer's prompts, by turn and step.
func promptTokens(r *eval.Result) (turns [][]int) {
	counts := func(v pyval.Value) (out []int) {
		list, ok := v.(*pyval.List)
		if !ok {
			list = pyval.NewList(v)
		}
		for _, item := range list.Items {
			n, _ := strconv.Atoi(pyval.Text(item))
			out = append(out, n)
		}
		return out
	}
	v, _ := r.Entry.GetStr("input_token_count")
	list, ok := v.(*pyval.List)
	if !ok {
		return [][]int{counts(v)}
	}
	for _, turn := range list.Items {
		turns = append(turns, counts(turn))
	}
	return turns
}

// TestBeyond counts the answers in which more calls are marked than upstream reads.
func TestBeyond(t *testing.T) {
	r := attempted(1, map[string]string{"multiple": "pp"})
	r.Dialect = "qwen-fc"
	const said = "In 1 of 2 answers more calls are marked than upstream's reader of the dialect qwen-fc returns"
	score, err := r.Answered(true)
	require.NoError(t, err)
	assert.NotContains(t, strings.Join(score.Warnings, "\n"), "more calls are marked")
	r.Parts[0].Results[1].Beyond = 2
	score, err = r.Answered(true)
	require.NoError(t, err)
	assert.Contains(t, strings.Join(score.Warnings, "\n"), said)
}
