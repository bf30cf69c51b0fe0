package suite

import "fmt"

// estimateParameter is the parameter in run.json that says that token counts
// are estimates.
const estimateParameter = "tokens_estimated"

// estimated adds to a run's parameters how tokens are estimated if replies do
// not state them.
func (p *Plan) estimated(parameters map[string]string) {
	if chars := p.access.Entry.Prices.CharsPerToken; chars != nil && *chars > 0 {
		parameters[estimateParameter] = fmt.Sprintf("%g characters a token, where the reply states none", *chars)
	}
}
