package transport

import "strings"

// A rule is what a status says about a request, or a word in the code of an
// error that came without a status.
type rule struct {
	from, to int // statuses; 0 for words alone
	words    []string
	kind     string
	retry    bool // another attempt may succeed
	load     outcome
	down     bool // the whole endpoint may be meant
	fatal    fatality
	hint     string
}

// A fatality says whether an error ends the run.
type fatality uint8

const (
	passing fatality = iota
	atFirst          // if the endpoint has answered nothing yet
	always
)

// rules are all that is known of statuses and codes; the first that fits counts.
// What servers say in words is in phrases, and comes before.
var rules = []rule{
	{429, 429, []string{"rate_limit", "overloaded"}, RateLimited, true, overloaded, false, passing, ""},
	{402, 402, []string{"quota", "billing"}, Quota, false, neutral, false, always, "the account has no credit or quota left"},
	{401, 401, []string{"authentication", "api_key"}, Unauthorized, false, neutral, false, always, ""},
	{403, 403, []string{"permission"}, Unauthorized, false, neutral, true, atFirst, ""}, // also how providers refuse a single request
	{404, 404, []string{"not_found"}, ModelNotFound, false, neutral, true, atFirst, "check the model's name and the base URL"},
	{0, 0, []string{"timeout"}, Timeout, false, neutral, false, passing, ""},
	{408, 409, nil, ServerError, true, neutral, false, passing, ""},
	{421, 421, nil, ServerError, true, neutral, false, passing, ""},
	{423, 423, nil, ServerError, true, neutral, false, passing, ""},
	{425, 425, nil, ServerError, true, neutral, false, passing, ""},
	{499, 499, nil, ServerError, true, neutral, false, passing, ""},
	{501, 501, nil, ServerError, false, neutral, false, passing, ""},
	{505, 505, nil, ServerError, false, neutral, false, passing, ""},
	{503, 503, nil, ServerError, true, overloaded, true, passing, ""},
	{529, 529, nil, ServerError, true, overloaded, true, passing, ""},
	{500, 999, nil, ServerError, true, neutral, true, passing, ""},
	{300, 399, nil, BadRequest, false, neutral, false, atFirst, "the endpoint redirects: give the address it redirects to as the base URL"},
	{100, 499, []string{"invalid", "badrequest", "bad_request", "context_length"}, BadRequest, false, neutral, false, passing, ""},
}

// ruleOf returns the rule of a status or, without one, of a code.
func ruleOf(status int, code string) rule {
	code = strings.ToLower(code)
	for _, r := range rules {
		if status != 0 && r.from <= status && status <= r.to {
			return r
		}
		for _, word := range r.words {
			if status == 0 && strings.Contains(code, word) {
				return r
			}
		}
	}
	return rule{kind: ServerError}
}

// KindOf returns the kind of an error by its status or, if that is 0, by the
// provider's code.
func KindOf(status int, code string) string { return ruleOf(status, code).kind }

// judge sets the kind and the consequences of a fault by its status.
func (c *call) judge(f *fault, said complaint) {
	e, status := f.err, f.err.Status
	switch {
	case outOfCredit(status, said):
		status = 402
	case strings.Contains(said.code, "API_KEY_INVALID"):
		status = 401
	}
	r := ruleOf(status, "")
	e.Kind, e.Hint, f.retry, f.load, f.down = r.kind, r.hint, r.retry, r.load, r.down
	e.Fatal = r.fatal == always || r.fatal == atFirst && !c.t.breaker.hasAnswered()
	switch e.Kind {
	case ModelNotFound:
		e.Hint += " (" + c.endpoint() + ")"
	case Unauthorized:
		e.Hint = c.keyHint()
	}
}

func outOfCredit(status int, said complaint) bool {
	return status == 402 || strings.Contains(said.code, "insufficient_quota") ||
		strings.Contains(said.code, "billing_hard_limit_reached") ||
		status == 400 && strings.Contains(said.text, "credit balance is too low")
}
