package why

import (
	"cmp"
	"hash/fnv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The signs that an answer is not the model's but of something before it: a
// gateway, a proxy, or a server that gave up.
const (
	// AnErrorText: the text is what gateways say when they fail.
	AnErrorText = "an error's text"
	// AWebPage: the text is HTML.
	AWebPage = "a web page"
	// NothingForTokens: there is no text and no call although tokens were counted,
	// and no reasoning.
	NothingForTokens = "nothing, for tokens that were counted"
	// SameText: cases that have nothing in common got the same text; see Repeated.
	SameText = "the same text for unrelated cases"
)

var (
	// gatewayText matches the beginnings of what gateways and servers say.
	gatewayText = pattern.Of(`(?i)^\W*(?:(?:an? )?error\b\W*(?:during inference|code)?\W*)?(?:http\W*(?:\d\.\d\W*)?)?(?:status(?: code)?\W*)?(?:[45]\d\d\W+(?:bad|gateway|internal|service|too|request|unauthorized|forbidden|not found|server|error|upstream|timeout)|bad gateway|gateway time-?out|service (?:is )?(?:temporarily )?unavailable|internal (?:server )?error|too many requests|rate limit (?:reached|exceeded)|upstream (?:connect|request|error)|no healthy upstream|connection (?:reset|refused|timed out)|request timed? ?out|(?:the )?(?:server|model|engine) is (?:currently )?(?:overloaded|busy|unavailable))`)
	// webPage matches the beginning of HTML.
	webPage = pattern.Of(`(?i)^\s*<(?:!doctype html|html|head|body)\b`)
)

// longestNotice is the longest text that is taken for a gateway's, in bytes.
const longestNotice = 2000

// Sign sets the sign that a result's answer is not the model's, and the mark of
// its text if it has no call. It needs the answer.
func Sign(r *eval.Result) {
	r.Gateway, r.Said = "", 0
	reasoned, callless := r.Reasoning != "", r.Decoded == nil
	if r.Entry != nil {
		v, _ := r.Entry.GetStr("reasoning_content")
		reasoned = v != nil && pyval.Truth(v)
	}
	if r.Passed() {
		callless = r.Category.Rule == eval.Irrelevance
	}
	switch v := r.Result.(type) {
	case pyval.Str, pyval.NoneType:
		text := textOf(v)
		r.Gateway = signOf(text)
		switch trimmed := strings.TrimSpace(text); {
		case trimmed == "" && r.OutputTokens > 0 && !r.Passed() && !reasoned: // who abstains may say nothing
			r.Gateway = NothingForTokens
		case trimmed != "" && callless && !strings.Contains(trimmed, `"name"`):
			h := fnv.New64a()
			_, _ = h.Write([]byte(trimmed))
			r.Said = h.Sum64()
		}
	case *pyval.List: // a conversation's turns of steps
		for _, turn := range v.Items {
			for _, step := range items(turn) {
				r.Gateway = cmp.Or(r.Gateway, signOf(textOf(step)))
			}
		}
	}
}

func signOf(text string) string {
	switch {
	case webPage().MatchString(text):
		return AWebPage
	case len(text) <= longestNotice && gatewayText().MatchString(text):
		return AnErrorText
	}
	return ""
}

// In which many categories, and how often, a text must be the answer to be taken
// for nobody's. In all recorded runs of models the most are 2 categories.
const (
	manyCategories = 3
	manyAnswers    = 5
)

// Repeated returns the marks of the texts that answer cases of several
// categories; none where they are most answers: a model may decline everything.
func Repeated(results func(yield func(*eval.Category, *eval.Result) bool)) map[uint64]bool {
	answers, where := map[uint64]int{}, map[uint64]map[string]bool{}
	all, same := 0, 0
	for cat, r := range results {
		if all++; r.Said == 0 {
			continue
		}
		answers[r.Said]++
		if where[r.Said] == nil {
			where[r.Said] = map[string]bool{}
		}
		where[r.Said][cat.Name] = true
	}
	out := map[uint64]bool{}
	for said, n := range answers {
		if n >= manyAnswers && len(where[said]) >= manyCategories {
			out[said] = true
			same += n
		}
	}
	if 2*same > all {
		return nil
	}
	return out
}
