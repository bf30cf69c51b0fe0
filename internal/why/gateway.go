package why

import (
	"cmp"
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
)

var (
	// gatewayText matches the beginnings of what gateways and servers say.
	gatewayText = pattern.Of(`(?i)^\W*(?:(?:an? )?error\b\W*(?:during inference|code)?\W*)?(?:http\W*(?:\d\.\d\W*)?)?(?:status(?: code)?\W*)?(?:[45]\d\d\W+(?:bad|gateway|internal|service|too|request|unauthorized|forbidden|not found|server|error|upstream|timeout)|bad gateway|gateway time-?out|service (?:is )?(?:temporarily )?unavailable|internal (?:server )?error|too many requests|rate limit (?:reached|exceeded)|upstream (?:connect|request|error)|no healthy upstream|connection (?:reset|refused|timed out)|request timed? ?out|(?:the )?(?:server|model|engine) is (?:currently )?(?:overloaded|busy|unavailable))`)
	// webPage matches the beginning of HTML.
	webPage = pattern.Of(`(?i)^\s*<(?:!doctype html|html|head|body)\b`)
)

// longestNotice is the longest text that is taken for a gateway's, in bytes.
const longestNotice = 2000

// Sign sets the sign that a result's answer is not the model's. It needs the answer.
func Sign(r *eval.Result) {
	r.Gateway = ""
	switch v := r.Result.(type) {
	case pyval.Str, pyval.NoneType:
		reasoned := r.Reasoning != ""
		if r.Entry != nil {
			v, _ := r.Entry.GetStr("reasoning_content")
			reasoned = v != nil && pyval.Truth(v)
		}
		text := textOf(v)
		r.Gateway = signOf(text)
		if strings.TrimSpace(text) == "" && r.OutputTokens > 0 && !r.Passed() && !reasoned { // who abstains may say nothing
			r.Gateway = NothingForTokens
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
