package tally_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/origin"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// blamed returns the suspects of a run's groups of failures, by kind.
func blamed(t *testing.T, r *tally.Run) map[cause.Kind]string {
	t.Helper()
	failures, err := r.Failures(tally.Grouping{By: cause.ByKind})
	require.NoError(t, err)
	out := map[cause.Kind]string{}
	for _, g := range failures.Groups {
		if g.Suspect != nil {
			assert.NotEmpty(t, g.Suspect.Evidence)
			assert.Equal(t, len(g.Suspect.Who) > 1, g.Suspect.Ask != "", "two suspects, and what decides")
			out[g.Kind] = strings.Join(g.Suspect.Who, " or ")
		}
	}
	return out
}

// caused is a run in which the answers of the parallel category are of some
// causes; n of each.
func caused(model string, n int, causes ...cause.Cause) *tally.Run {
	var letters strings.Builder
	for _, c := range causes {
		letters.WriteString(strings.Repeat(map[bool]string{true: "p", false: "f"}[c.Kind == ""], n))
	}
	r := attempted(1, map[string]string{"parallel": letters.String()})
	r.Model = model
	for i := range r.Parts[0].Results {
		result := &r.Parts[0].Results[i]
		result.Cause = causes[i/n]
	}
	return r
}

// TestSuspectOneCall: that no answer has more than one call is a suspicion only
// if many should, none has, and there is no other explanation.
func TestSuspectOneCall(t *testing.T) {
	one := cause.Cause{Kind: cause.WrongCount, Got: cause.OneCall}
	few := cause.Cause{Kind: cause.WrongCount, Got: "too few calls"}
	both := map[cause.Kind]string{cause.WrongCount: "server or model"}
	for name, c := range map[string]struct {
		run  *tally.Run
		want map[cause.Kind]string
	}{
		"all of them":              {caused("m", 30, one), both},
		"others have no call":      {caused("m", 30, one, cause.Cause{Kind: cause.NoCall}), both},
		"too few to tell":          {caused("m", 19, one), map[cause.Kind]string{}},
		"just enough":              {caused("m", 20, one), both},
		"others were cut off":      {caused("m", 20, one, cause.Cause{Kind: cause.CutOff}, cause.Cause{Kind: cause.Malformed}), both},
		"others have other counts": {caused("m", 20, one, few), map[cause.Kind]string{}},
		"one answer has several":   {caused("m", 30, one, cause.Cause{}), map[cause.Kind]string{}},
		"a wrong one has several":  {caused("m", 30, one, cause.Cause{Kind: cause.WrongValue}), map[cause.Kind]string{}},
		"two of three":             {caused("m", 30, few), map[cause.Kind]string{}},
	} {
		assert.Equal(t, c.want, blamed(t, c.run), name)
	}
	failures, err := caused("openai/gpt-oss-120b", 30, one).Failures(tally.Grouping{By: cause.ByKind})
	require.NoError(t, err)
	assert.Equal(t, "suspect server or model: 30 of 30 answers that need several calls hold exactly one, and none holds more; gpt-oss's own chat template writes one call a turn; "+
		"`bfcl doctor` asks for several calls, and -read=dialect shows what the model writes", failures.Groups[0].Suspect.String())
	failures, err = caused("qwen3-8b", 30, one, cause.Cause{Kind: cause.NoCall}).Failures(tally.Grouping{By: cause.ByKind, Kinds: []cause.Kind{cause.WrongCount}})
	require.NoError(t, err)
	assert.Contains(t, failures.Groups[0].Suspect.Evidence, "30 of 60 answers")
	assert.NotContains(t, failures.Groups[0].Suspect.Evidence, "template")

	r := caused("m", 20, one)
	several := attempted(1, map[string]string{"multiple": "pf", "parallel_multiple": "pe"})
	several.Parts[1].Results[0].Varied = several.Parts[1].Results[0].Case
	r.Parts = append(several.Parts, r.Parts...)
	assert.Equal(t, "server or model", blamed(t, r)[cause.WrongCount], "what needs one call, variants and errors tell nothing")
}

// TestSuspects: each of the other rules, where it holds and where it does not.
func TestSuspects(t *testing.T) {
	cutOff := cause.Cause{Kind: cause.CutOff}
	for name, c := range map[string]struct {
		cause  cause.Cause
		change func(i int, r *eval.Result)
		want   string
	}{
		"calls in the text":    {cause.Cause{Kind: cause.NoCall}, func(_ int, r *eval.Result) { inText(r) }, tally.Server},
		"no calls at all":      {cause.Cause{Kind: cause.NoCall}, func(int, *eval.Result) {}, ""},
		"unread by the server": {cause.Cause{Kind: cause.NoCall}, func(_ int, r *eval.Result) { r.Malformed = true }, "server or model"},
		"one of many unread":   {cause.Cause{Kind: cause.NoCall}, func(i int, r *eval.Result) { r.Malformed = i == 0 }, ""},
		"cut at the slot": {cutOff, func(i int, r *eval.Result) {
			r.CutOff, r.InputTokens, r.OutputTokens = true, 1000+i, 3096-i
		}, tally.Server},
		"half in the text": {cause.Cause{Kind: cause.NoCall}, func(i int, r *eval.Result) { maybe(i < 3, inText, r) }, tally.Server},
		"less in the text": {cause.Cause{Kind: cause.NoCall}, func(i int, r *eval.Result) { maybe(i < 2, inText, r) }, ""},
		"half unread":      {cause.Cause{Kind: cause.Malformed}, func(i int, r *eval.Result) { r.Malformed = i < 3 }, "server or model"},
		"less unread":      {cause.Cause{Kind: cause.Malformed}, func(i int, r *eval.Result) { r.Malformed = i < 2 }, ""},
		"half at the slot": {cutOff, func(i int, r *eval.Result) {
			r.CutOff, r.InputTokens, r.OutputTokens = i < 3, 1000, 1000
		}, ""},
		"most at the slot": {cutOff, func(i int, r *eval.Result) {
			r.CutOff, r.InputTokens, r.OutputTokens = i < 4, 1000, 1000
		}, tally.Server},
		"cut without counts":  {cutOff, func(_ int, r *eval.Result) { r.CutOff = true }, ""},
		"cut after one token": {cutOff, func(_ int, r *eval.Result) { r.CutOff, r.InputTokens = true, 1 }, tally.Server},
		"cut at a limit": {cutOff, func(i int, r *eval.Result) {
			r.CutOff, r.InputTokens, r.OutputTokens = true, 1000+i, 4096
		}, ""},
	} {
		r := caused("m", 6, c.cause)
		r.Mode, r.UnderscoreToDot = eval.FC, true
		r.Parameters = map[string]string{"adapter": "openai"}
		for i := range r.Parts[0].Results {
			c.change(i, &r.Parts[0].Results[i])
		}
		assert.Equal(t, c.want, blamed(t, r)[c.cause.Kind], name)
	}
}

func maybe(yes bool, change func(*eval.Result), r *eval.Result) {
	if yes {
		change(r)
	}
}

// TestSuspectsOfFew: one failure by itself says little, two say it.
func TestSuspectsOfFew(t *testing.T) {
	for n, want := range map[int][]string{1: {"", "server or model"}, 2: {tally.Server, "server or model"}} {
		r := caused("m", n, cause.Cause{Kind: cause.CutOff})
		for i := range r.Parts[0].Results {
			r.Parts[0].Results[i].CutOff, r.Parts[0].Results[i].InputTokens = true, 9
		}
		assert.Equal(t, want[0], blamed(t, r)[cause.CutOff], n)
		r = caused("m", n, cause.Cause{Kind: cause.NoCall})
		r.Parts[0].Results[0].Malformed = true
		assert.Equal(t, want[1], blamed(t, r)[cause.NoCall], n)
		failures, err := r.Failures(tally.Grouping{})
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprintf("suspect server or model: the server could not read 1 answer of the %d; -read=dialect shows what the model writes", n), failures.Groups[0].Suspect.String())
	}
}

// TestSuspectBenchmark: a group of which at least half is listed as defective is
// the benchmark's, on the data that the list is of.
func TestSuspectBenchmark(t *testing.T) {
	t.Parallel()
	_, official := origin.Named("v4")
	list, err := errata.For(official)
	require.NoError(t, err)
	var listed []string
	for _, item := range list.Items {
		if item.Defect() && item.Concerns(eval.FC) {
			listed = append(listed, item.ID)
		}
	}
	for name, c := range map[string]struct {
		digest string
		listed int // of the ten
		want   string
	}{
		"all":                {official, 10, "benchmark"},
		"half":               {official, 5, "benchmark"},
		"fewer than half":    {official, 4, ""},
		"none":               {official, 0, ""},
		"of data of another": {"other", 10, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := caused("x", 10, cause.Cause{Kind: cause.WrongValue})
			r.Digest, r.Mode, r.UnderscoreToDot = c.digest, eval.FC, true
			for i := range r.Parts[0].Results {
				id := fmt.Sprintf("parallel_sound_%d", i)
				if i < c.listed {
					id = listed[i]
				}
				r.Parts[0].Results[i].Case = &eval.Case{ID: id}
			}
			assert.Equal(t, c.want, blamed(t, r)[cause.WrongValue])
			r.Parts[0].Results = r.Parts[0].Results[:1]
			assert.Empty(t, blamed(t, r), "a single one")
			r.Parts[0].Results = r.Parts[0].Results[:2]
			assert.Equal(t, c.want != "" || c.digest == official && c.listed > 0, blamed(t, r)[cause.WrongValue] != "", "two")
		})
	}
}

// inText makes an answer one whose call stands in the text.
func inText(r *eval.Result) {
	tool := pyval.NewDict(1)
	tool.SetStr("name", pyval.Str("f"))
	r.Case.Tools = []*pyval.Dict{tool}
	r.ErrorType = "ast_decoder:decoder_failed"
	r.Unread = []pyval.Value{pyval.Str(`<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>`)}
}

// TestGoldenSuspects: three versions of a server behind which no answer has more
// than one call are suspected for that, and for nothing else. No server is
// suspected for the open runs, whose cases may well be listed as defective.
func TestGoldenSuspects(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]map[cause.Kind]string{
		"servers/v0.10.2":                                 {cause.WrongCount: "server or model"},
		"servers/2025-11-12-main":                         {cause.WrongCount: "server or model"},
		"servers/2025-11-12-harmony-fixes-2":              {cause.WrongCount: "server or model"},
		"open/result/Qwen_Qwen3-8B-FC":                    {},
		"open/result/Team-ACE_ToolACE-2-8B":               {},
		"open/result/meta-llama_Llama-3.1-8B-Instruct-FC": {},
	} {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			runs, err := tally.ReadAll([]string{testkit.Shared(t, "recorded", "v4", filepath.FromSlash(folder))}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true})
			require.NoError(t, err)
			require.Len(t, runs, 1)
			suspects := blamed(t, runs[0])
			t.Logf("%s: %d results, suspects %v", folder, runs[0].Len(), suspects)
			maps.DeleteFunc(suspects, func(_ cause.Kind, who string) bool { return who == tally.Benchmark })
			assert.Equal(t, want, suspects)
		})
	}
}
