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

// TestCeiling: prompts that all end at one length are said before the numbers. A
// conversation's prompts, later trials and errors tell nothing of a server's context.
func TestCeiling(t *testing.T) {
	for name, c := range map[string]struct {
		category, letters string
		tokens            []int
		trial             int
		want              string
	}{
		"cut":                {"multiple", "pppfff", []int{4096, 700, 4096, 4096, 4096, 4096}, 0, "The prompts of 5 answers have exactly 4096 tokens"},
		"longer ones exist":  {"multiple", "pppfff", []int{4096, 4096, 4096, 4096, 4096, 4097}, 0, ""},
		"too few":            {"multiple", "pppfff", []int{4096, 4096, 4096, 4096, 700, 800}, 0, ""},
		"just enough":        {"multiple", "pppfff", []int{1, 512, 512, 512, 512, 512}, 0, "The prompts of 5 answers have exactly 512 tokens"},
		"just too short":     {"multiple", "pppfff", []int{511, 511, 511, 511, 511, 511}, 0, ""},
		"no counts":          {"multiple", "pppfff", []int{0, 0, 0, 0, 0, 0}, 0, ""},
		"a conversation":     {"multi_turn_base", "ppppp", []int{600, 600, 600, 600, 600}, 0, ""},
		"later trials":       {"multiple", "ppppp", []int{600, 600, 600, 600, 600}, 1, ""},
		"errors":             {"multiple", "eeeee", []int{600, 600, 600, 600, 600}, 0, ""},
		"behind one of them": {"multiple", "epppppp", []int{900, 600, 600, 600, 600, 600}, 0, "The prompts of 5 answers have exactly 600 tokens"},
	} {
		// One answer comes before them: the benchmark's order is not theirs.
		r := attempted(1, map[string]string{"parallel": "p"})
		r.Parts = append(r.Parts, attempted(1, map[string]string{c.category: c.letters}).Parts...)
		for i, n := range c.tokens {
			r.Parts[1].Results[i].InputTokens, r.Parts[1].Results[i].Trial = n, c.trial
		}
		s, err := r.Answered(false)
		require.NoError(t, err)
		said := strings.Join(s.Warnings, "\n")
		assert.Contains(t, said, c.want, name)
		assert.Equal(t, c.want != "", strings.Contains(said, "tokens, and none has more"), name)
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
