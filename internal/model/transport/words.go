package transport

import (
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
		e.Kind, e.Said = Malformed, quoted(message)
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

// quoted returns the model's text in a message, "" if the server does not tell
// it.
func quoted(message string) string {
	if m := rawCall().FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

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
