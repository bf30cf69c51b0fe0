package number_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenGateway: of the recorded runs of models, only those are named whose
// answers hold their servers' errors: the false-alarm rate of the rule. No server is
// blamed but those whose answers show their fault. Of right
// answers where nothing may be called, those hold a call that was not read which
// do so when looked at, and none of other models.
func TestGoldenGateway(t *testing.T) {
	t.Parallel()
	holding := map[string]int{"gemini-1.5-pro-preview-0514": 20} // "Internal error occurred."
	overlooked := map[string]int{
		"NousResearch_Hermes-2-Pro-Mistral-7B": 24, "claude-3-haiku-20240307": 21, "gemini-1.5-pro-preview-0514": 7, "google_gemma-7b-it": 78,
		"gorilla-openfunctions-v2": 1, "gpt-4o-2024-05-13": 15, "gpt-4o-2024-08-06-FC": 1, "meetkai_functionary-small-v3.1-FC": 8, "mistral-small-2402": 31,
		"Qwen_Qwen3-8B-FC": 1, "Team-ACE_ToolACE-2-8B": 1, "meta-llama_Llama-3.1-8B-Instruct-FC": 100, "recorded/v4/gpt-oss-120b/result/openai_gpt-oss-120b": 1,
	}
	// Tokens at names and joined arguments are a server's; and one recording holds
	// its server's errors.
	guilty := map[string]int{"v4/gpt-oss-120b": 5, "v4/servers_conversations/v0.10.2": 25, "v1/gemini-1.5-pro-preview-0514": 6}
	runs, answers, signs := 0, 0, 0
	for _, top := range []string{"v1", "v4"} {
		folders := testkit.Must(record.FindAll(testkit.Shared(t, "recorded", top)))(t)
		for _, f := range folders {
			all, err := tally.ReadAll([]string{f.Dir}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true})
			require.NoError(t, err, f.Dir)
			for _, r := range all {
				b := r.Blame()
				blamed := 0
				for name, n := range guilty {
					if strings.Contains(filepath.ToSlash(f.Dir), "/"+name+"/") {
						blamed += n
					}
				}
				assert.Equal(t, blamed, b.Parts[say.Server].Cases, "%s: %s: %+v", f.Dir, b, b.Signs)
				r.Parameters = map[string]string{"adapter": "openai"} // as if it had been asked here
				g, n := tally.GatewayOf(r), 0
				for _, result := range r.All() {
					if result.Gateway != "" {
						n++
					}
				}
				runs, answers, signs = runs+1, answers+r.Len(), signs+n
				hold := score.Overlooked{}
				if o := r.Overlooked(); o != nil {
					hold = *o
				}
				assert.Equal(t, overlooked[r.Model]+overlooked[f.Dir[strings.LastIndex(f.Dir, "recorded/"):]], hold.Answers, "%s: %+v", f.Dir, hold)
				t.Logf("%s: %d of %d right answers where nothing may be called hold a call: %v", r.Model, hold.Answers, hold.Of, hold.Categories)
				t.Logf("%s: %d signs in %d answers: %v", f.Dir, n, r.Len(), g)
				if g == nil {
					continue
				}
				assert.GreaterOrEqual(t, g.Answers, 1)
				assert.Contains(t, holding, filepath.Base(filepath.Dir(f.Dir)), "%s", g)
			}
		}
	}
	t.Logf("%d runs, %d answers, %d with a sign", runs, answers, signs)
}
