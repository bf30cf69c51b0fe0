package suite

import (
	"fmt"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// estimateParameter is the parameter in run.json that says that token counts
// are estimates.
const estimateParameter = "tokens_estimated"

// estimated adds to a run's parameters how tokens are estimated if replies do
// not state them.
func (p *Plan) estimated(parameters map[string]string) {
	if chars := p.charsPerToken(); chars > 0 {
		parameters[estimateParameter] = fmt.Sprintf("%g characters a token, where the reply states none", chars)
	}
}

// charsPerToken returns the catalogue's value; 0 if it has none.
func (p *Plan) charsPerToken() float64 {
	if chars := p.access.Entry.Prices.CharsPerToken; chars != nil {
		return *chars
	}
	return 0
}

// estimate estimates the tokens of a request and its response from their
// characters.
func (p *Plan) estimate(req *eval.Request, resp *eval.Response) (input, output int) {
	n := 0
	for _, m := range req.Messages {
		n += utf8.RuneCountInString(m.Content)
		for _, call := range m.Calls {
			n += utf8.RuneCountInString(call.Name) + utf8.RuneCountInString(call.Arguments)
		}
	}
	for _, tool := range req.Tools {
		n += utf8.RuneCountInString(pyval.Repr(tool))
	}
	return p.tokens(n), p.tokens(utf8.RuneCountInString(resp.Reasoning) + utf8.RuneCountInString(pyval.Text(resp.Result)))
}

func (p *Plan) tokens(chars int) int { return 1 + int(float64(chars)/p.charsPerToken()) }
