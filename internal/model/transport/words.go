package transport

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// A meaning is what a server's words say about a request, beyond the status
// that they came with. With none the status decides.
type meaning int

const (
	// tooLong: the prompt, or prompt and answer together, exceed the context.
	tooLong meaning = iota + 1
	// wrong: the request itself, such as a limit on answers that is longer than the
	// context, or a schema that the server cannot use.
	wrong
	// malformed: the model answered, and the server could not read the answer.
	malformed
	// unequipped: the server was started without what every such request needs.
	unequipped
	// loading: the model is not in memory yet.
	loading
)

// A phrase is a server's way to say something.
type phrase struct {
	// words are lower-case words of the message or the code, all of which occur.
	words []string
	means meaning
	hint  string
}

const (
	longer = "serve the model with a longer context (vLLM: --max-model-len, SGLang: --context-length, llama.cpp: -c, which its slots -np divide, Ollama: OLLAMA_CONTEXT_LENGTH)"
	others = "or ask in a way that needs no tool parser: -read=dialect or -mode=prompt"
)

// phrases are what servers say, as measured or as their documentation has it.
// The first one that fits counts.
var phrases = []phrase{
	{[]string{"exceeds the available context size"}, tooLong, "start llama-server with a larger -c, which its slots (-np) divide"},
	{[]string{"exceed_context_size_error"}, tooLong, "start llama-server with a larger -c, which its slots (-np) divide"},
	{[]string{"longer than the model's context length"}, tooLong, "start SGLang with a larger --context-length"},
	{[]string{"longer than the maximum model length"}, tooLong, "start vLLM with a larger --max-model-len"},
	{[]string{"max_tokens", "is too large", "input tokens"}, tooLong, "ask for shorter answers with -max-tokens, or " + longer},
	{[]string{"max_tokens", "is too large"}, wrong, "ask for shorter answers with -max-tokens"},
	{[]string{"maximum context length"}, tooLong, longer + ", or ask for shorter answers with -max-tokens"},
	{[]string{"context_length_exceeded"}, tooLong, longer},
	{[]string{"exceed context limit"}, tooLong, "ask for shorter answers with -max-tokens, or a model with a longer context"},
	{[]string{"prompt is too long"}, tooLong, "ask a model with a longer context"},
	{[]string{"exceeds the maximum number of tokens allowed"}, tooLong, "ask a model with a longer context"},
	{[]string{"input is too long for requested model"}, tooLong, "ask a model with a longer context"},
	{[]string{"input length exceeds", "context length"}, tooLong, "set OLLAMA_CONTEXT_LENGTH, or num_ctx in the model's Modelfile"},

	{[]string{"json schema error at"}, wrong, "llama-server takes JSON Schema's own types and keywords only: change the function's schema, or ask with -mode=prompt"},

	{[]string{"tool_use_failed"}, malformed, ""},
	{[]string{"error parsing tool call"}, malformed, ""},
	{[]string{"output that does not match the expected"}, malformed, ""},
	{[]string{"unexpected empty grammar stack"}, malformed, ""},

	{[]string{"requires --enable-auto-tool-choice"}, unequipped, "start vLLM with --enable-auto-tool-choice and the model's --tool-call-parser, " + others},
	{[]string{"requires --jinja"}, unequipped, "start llama-server with --jinja, " + others},
	{[]string{"does not support tools"}, unequipped, "the model's template on the server has no place for tools: give it one that has, " + others},

	{[]string{"loading model"}, loading, ""},
	{[]string{"model", "is currently loading"}, loading, ""},
}

// find returns the phrase that an error's code and message hold; its meaning is
// unknown if there is none.
func find(code, message string) phrase {
	said := strings.ToLower(code + " " + message)
	lacks := func(word string) bool { return !strings.Contains(said, word) }
	for _, p := range phrases {
		if !slices.ContainsFunc(p.words, lacks) {
			return p
		}
	}
	return phrase{}
}

// Understand sets the kind, the hint and the consequences of an error by the
// server's words, wherever in a reply they stood. It reports whether it knew
// them.
func (e *Error) Understand(code, message string) bool {
	p := find(code, message)
	switch p.means {
	case tooLong:
		e.Kind = ContextFull
	case wrong:
		e.Kind = BadRequest
	case malformed:
		e.Kind = Malformed
		if m := rawCall().FindStringSubmatch(message); m != nil { // the model's text, if the server tells it
			e.Said = m[1]
		}
	case unequipped:
		e.Kind, e.Fatal = Unequipped, true
	case loading:
		e.Kind = Loading
	default:
		return false
	}
	e.Hint = p.hint
	return true
}

// rawCall matches the model's text in Ollama's message.
var rawCall = pattern.Of(`(?s)raw='(.*)', err=`)

// ContextOf returns how long a server says its context is, and how long the
// prompt, in tokens; 0 if it does not say so.
func ContextOf(message string) (limit, prompt int) {
	return numberIn(limitText(), message), numberIn(promptText(), message)
}

// These match the numbers in the refusals of vLLM, SGLang, llama.cpp, OpenAI
// and Anthropic.
var (
	limitText  = pattern.Of(`(?i)context (?:length|size)(?: is)?(?: only| of|:)?(?: is)? ?\(?(\d+)|tokens > (\d+) maximum`)
	promptText = pattern.Of(`(?i)(\d+) (?:(?:tokens )?in the (?:messages|prompt)|input tokens|tokens from the input)|(?:input|request|prompt) \((\d+) tokens|too long: (\d+) tokens`)
)

func numberIn(pattern *regexp.Regexp, text string) int {
	for i, group := range pattern.FindStringSubmatch(text) {
		if n, err := strconv.Atoi(group); i > 0 && err == nil {
			return n
		}
	}
	return 0
}

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
	case strings.Contains(said.code, "insufficient_quota"), strings.Contains(said.code, "billing_hard_limit_reached"),
		status == 400 && strings.Contains(said.text, "credit balance is too low"):
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
		e.Hint = "no key was sent: set " + c.t.keyName()
		if slices.ContainsFunc(slices.Collect(maps.Keys(c.req.Header)), SecretName) {
			e.Hint = "the endpoint refuses the key: check " + c.t.keyName()
		}
	}
}
