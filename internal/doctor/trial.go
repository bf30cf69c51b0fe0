package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// find returns the question with a name.
func find(name string) *question {
	at := slices.IndexFunc(questions(), func(q *question) bool { return q.name == name })
	return questions()[at]
}

// stream asks all questions for streams, which have to hold what plain answers
// do.
func (e *examination) stream(ctx context.Context) {
	if !e.Streams || e.unsteady {
		return
	}
	e.note("streams")
	w, err := e.open("-stream")
	if err != nil {
		return
	}
	got := w.known(ctx, e.list)
	n, lost := 0, map[string]int{}
	f := Finding{Question: "streams", State: Fault, Layer: why.Stream, Categories: calls, Remedy: "do not ask with -stream"}
	for i := range got {
		was, is := &e.plain[i], &got[i]
		if was.err != nil || !was.right() && is.err == nil {
			continue
		}
		switch {
		case is.err != nil:
			if n++; f.Said == "" {
				f.Said = "no answer as a stream: " + say.Plain(is.err.Error(), 300)
			}
		case !is.right():
			n++
			lost[is.found[0].Kind]++
			f.Want, f.Got = is.found[0].Want, is.found[0].Got
		}
	}
	if n == 0 {
		return
	}
	if kinds := say.Frequent(lost); len(kinds) > 0 {
		f.Said = kinds[0]
	}
	f.Said = fmt.Sprintf("%d of %d answers are others as streams: %s", n, len(got), f.Said)
	e.report(f)
}

// limit asks for a short answer, and looks at how long the long one was.
func (e *examination) limit(ctx context.Context) {
	const most, much = 16, 64
	e.note("the limit of tokens")
	w, err := e.open(fmt.Sprintf("-max-tokens=%d", most))
	if err != nil {
		return
	}
	f := Finding{Question: "the limit of tokens", State: Fault, Layer: why.Limit}
	a := w.ask(ctx, find(aLongAnswer))
	if a.err == nil && (a.got.Tokens > much || a.right()) {
		f.Said = fmt.Sprintf("-max-tokens=%d is not heeded: the answer has %d tokens", most, a.got.Tokens)
		f.Remedy = "max_tokens_field in models.yaml sets the field that carries it"
		e.report(f)
	}
	for i := range e.plain {
		if p := &e.plain[i]; p.err == nil && p.resp.InputTokens <= 0 {
			e.report(Finding{Question: "tokens", State: Fault, Layer: why.Gateway,
				Said:   "the server does not count tokens: neither costs nor prompts that are cut can be seen",
				Remedy: "chars_per_token in models.yaml estimates them for -max-cost"})
			return
		}
	}
}

const (
	// longChars is the longest prompt that is tried.
	longChars = 120_000
	// usualChars estimates the tokens of a prompt.
	usualChars = 4
)

// long asks a question behind a long text, with a code word before it, and
// compares what the server counts with what the prompt must have.
func (e *examination) long(ctx context.Context) {
	if e.unsteady || !e.rightly(aSystem) {
		return // what is lost is reported already
	}
	e.note("a long prompt")
	size := longChars
	if e.Server.Context > 0 {
		size = min(size, e.Server.Context*usualChars/2)
	}
	f := Finding{Question: "a long prompt", State: Fault, Layer: why.Limit, Categories: talks,
		Remedy: "give the model a longer context (Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx in the Modelfile)"}
	a := e.usual.ask(ctx, behind(size))
	switch {
	case a.err != nil && eval.InfraKind(a.err) == "context_full":
		f.Said = say.Plain(a.err.Error(), 300)
	case a.err != nil:
		f.State, f.Said, f.Remedy = Unknown, "no answer: "+say.Plain(a.err.Error(), 300), ""
	case a.resp.InputTokens > 0 && a.resp.InputTokens < size/eval.MostPerToken:
		f.Said = fmt.Sprintf("of a prompt of %d characters the server counts %d tokens: it cuts prompts without saying so", size, a.resp.InputTokens)
	case !a.right():
		const part = 4 // in so few tokens models lose nothing
		f.Said = fmt.Sprintf("a code word before %d characters is not found: the server cuts prompts", size/part)
		if again := e.usual.ask(ctx, behind(size/part)); again.err != nil || again.right() {
			f.State, f.Said = Doubt, fmt.Sprintf("a code word before %d characters is not found, and one before %d is: the server cuts prompts, or the model loses it", size, size/part)
		}
	default:
		return
	}
	e.report(f)
}

// behind returns the question for the code word in a system message, behind a
// text of about so many characters.
func behind(size int) *question {
	const line = "The harbour of Bergen was quiet that morning, and the ferries left on time. "
	q := *find(aSystem)
	q.turn = slices.Clone(q.turn)
	last := &q.turn[len(q.turn)-1]
	last.Content = strings.Repeat(line, size/len(line)) + last.Content
	return &q
}

// context says which of the dataset's first prompts do not fit in the server's
// context.
func (e *examination) context(context.Context) {
	if e.Server.Context == 0 || len(e.Prompts) == 0 {
		return
	}
	f := Finding{Question: "the context", State: Fine}
	over, longest := 0, 0
	for _, p := range e.Prompts {
		need := p.Chars / usualChars
		if longest = max(longest, need); need <= e.Server.Context {
			continue
		}
		if over++; !slices.Contains(f.Categories, p.Category) {
			f.Categories = append(f.Categories, p.Category)
		}
	}
	f.Said = fmt.Sprintf("the context of %d tokens holds the first prompts of all %s; the longest has about %d", e.Server.Context, say.Cases(len(e.Prompts)), longest)
	if over > 0 {
		f.State, f.Layer = Fault, why.Limit
		f.Said = fmt.Sprintf("the context of %d tokens is too short for the first prompts of %s; the longest has about %d", e.Server.Context, say.Cases(over), longest)
		f.Remedy = fmt.Sprintf("serve the model with a context of %d tokens or more", longest+longest/4)
	}
	e.report(f)
}
