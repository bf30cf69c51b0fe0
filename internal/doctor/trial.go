package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// find returns the question with a name.
func (e *examination) find(name string) *question {
	at := slices.IndexFunc(e.list, func(q *question) bool { return q.name == name })
	return e.list[at]
}

// stream asks some questions for streams, which have to hold what plain answers
// do. It costs nothing where a run asks for none.
func (e *examination) stream(ctx context.Context) {
	if !e.Streams || slices.ContainsFunc(e.Findings, func(f Finding) bool { return f.Layer == why.Sampling }) {
		return // answers that change say nothing about streams
	}
	const most = 10
	var list []*question
	for _, q := range e.list {
		if wanted := len(q.want.Calls) != 1 || q.want.Calls[0].Args.Len() == 0 || len(list) < most-2; wanted && len(list) < most && q.name != aLongAnswer && e.steady(q) {
			list = append(list, q)
		}
	}
	e.note("streams")
	w, err := e.open("-stream")
	if err != nil {
		return
	}
	n, lost := 0, map[string]int{}
	f := Finding{Question: "streams", State: Fault, Layer: why.Stream, Remedy: "do not ask with -stream"}
	for _, a := range w.known(ctx, list) {
		switch {
		case a.err != nil:
			lost["no answer as a stream: "+say.Plain(a.err.Error(), 300)]++
		case !a.right():
			lost[a.found[0].Kind]++
			f.Want, f.Got = a.found[0].Want, a.found[0].Got
		default:
			continue
		}
		n++
	}
	if n == 0 {
		return
	}
	f.Said = fmt.Sprintf("%d of %d answers are wrong as streams: %s", n, len(list), say.Frequent(lost)[0])
	e.report(f)
}

// limit asks for a call that does not fit in a few tokens, and looks at how the
// prompts were counted.
func (e *examination) limit(ctx context.Context) {
	const most, much = 16, 64
	e.note("the limit of tokens")
	w, err := e.open(fmt.Sprintf("-max-tokens=%d", most))
	if err != nil {
		return
	}
	f := Finding{Question: "the limit of tokens", State: Fault, Layer: why.Limit}
	q := e.find(aLongArgument)
	switch a := w.ask(ctx, q); {
	case a.err != nil || !e.steady(q):
	case a.got.Tokens > much || a.right() && a.got.Tokens == 0: // a token may hold much
		f.Said = fmt.Sprintf("-max-tokens=%d is not heeded: the answer has %d tokens", most, a.got.Tokens)
		f.Remedy = "max_tokens_field in models.yaml sets the field that carries it"
		e.report(f)
	case !a.got.CutOff && len(a.got.Calls) == 0 && strings.TrimSpace(a.got.Text+a.got.Reasoning) == "" && a.got.Tokens > 0:
		f.Layer, f.Said = why.Parser, "a call that the limit cuts is swallowed: no call, no text, no error, and nothing says that it was cut; such an answer counts as one without a call"
		f.State = Note
		e.report(f)
	}
	for _, p := range e.plain {
		if p.err == nil && !p.resp.Malformed && p.resp.InputTokens <= 0 {
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
	if !e.steady(e.find(aSystem)) {
		return // what is lost is reported already
	}
	e.note("a long prompt")
	size := longChars
	if e.Server.Context > 0 {
		size = min(size, e.Server.Context*usualChars/2)
	}
	f := Finding{Question: "a long prompt", State: Fault, Layer: why.Limit,
		Remedy: "give the model a longer context (Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx in the Modelfile)"}
	a := e.usual.ask(ctx, e.behind(size))
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
		if again := e.usual.ask(ctx, e.behind(size/part)); again.err != nil || again.right() {
			f.State, f.Said = Doubt, fmt.Sprintf("a code word before %d characters is not found, and one before %d is: the server cuts prompts, or the model loses it", size, size/part)
		}
	default:
		return
	}
	e.report(f)
}

// behind returns the question for the code word in a system message, behind a
// text of about so many characters.
func (e *examination) behind(size int) *question {
	const line = "The harbour of Bergen was quiet that morning, and the ferries left on time. "
	q := *e.find(aSystem)
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
	over, longest, cases := 0, 0, map[string]int{}
	e.short = map[string]float64{}
	for _, p := range e.Prompts {
		need := p.Chars / usualChars
		longest = max(longest, need)
		if cases[p.Category]++; need > e.Server.Context {
			over++
			e.short[p.Category]++
		}
	}
	f.Said = fmt.Sprintf("the context of %d tokens holds the first prompts of all %s; the longest has about %d", e.Server.Context, say.Cases(len(e.Prompts)), longest)
	for category := range e.short {
		e.short[category] /= float64(cases[category])
	}
	if over > 0 {
		f.State, f.Layer = Fault, why.Limit
		f.Said = fmt.Sprintf("the context of %d tokens is too short for the first prompts of %s, of %s; the longest has about %d", e.Server.Context, say.Cases(over), strings.Join(slices.Sorted(maps.Keys(e.short)), ", "), longest)
		need := longest + longest/4
		f.Remedy = fmt.Sprintf("serve the model with a context of %d tokens or more", need)
		if e.Server.Kind == server.LlamaCpp && e.Server.Slots > 1 {
			f.Remedy = fmt.Sprintf("start the server with -c %d: its %d slots share the context, and each needs %d tokens", need*e.Server.Slots, e.Server.Slots, need)
		}
	}
	e.report(f)
}

// treat tries the ways of asking that may help, on all questions, and keeps the
// one with the most right answers. What gains nothing is not named.
func (e *examination) treat(ctx context.Context) {
	if e.Worst() != Fault {
		return
	}
	deciding := slices.DeleteFunc(slices.Clone(e.list), func(q *question) bool { return q.need == needsNothing })
	was := 0
	for _, q := range deciding {
		was += one(e.steady(q))
	}
	var cures [][]string
	if e.usual.settings.Mode != eval.Prompt {
		if cures = append(cures, []string{"-mode=prompt"}); e.Reads {
			cures = slices.Insert(cures, 0, e.reading(ctx))
		}
	}
	for _, flags := range cures {
		w, err := e.open(flags...)
		if err != nil {
			continue
		}
		e.note("with " + flags[0])
		right := 0
		for _, a := range w.known(ctx, deciding) {
			right += one(a.right())
			if len(w.memory) == 3 && right == 0 {
				break // it does not answer in this way either
			}
		}
		if right > was && (e.Cure == nil || right > e.Cure.Right) {
			e.Cure = &Cure{flags, right, len(deciding)}
		}
	}
}

// reading returns the flags that let calls be read here: by the dialect that reads
// most of the answers whose calls stay in the text, which is named only if the
// model's name does not lead to it.
func (e *examination) reading(ctx context.Context) []string {
	raw := e.rawly()
	if raw == nil {
		return []string{"-read=dialect"}
	}
	var texts []pyval.Value
	var tools [][]*pyval.Dict
	for _, a := range raw.known(ctx, e.list[:short]) {
		if a.err == nil && len(a.want.Calls) > 0 {
			if text, ok := a.resp.Result.(pyval.Str); ok {
				texts, tools = append(texts, text), append(tools, a.question.tools)
			}
		}
	}
	own := e.dialect()
	if best, ok := dialect.Best(dialect.Candidates(texts, tools, dialect.V4(decode.Python)), own); ok && len(texts) > 1 {
		own = best.Dialect.Name
	}
	if f, ok := dialect.FamilyOf(e.ModelID); ok && f.Dialect.Name == own {
		return []string{"-read=dialect"}
	}
	return []string{"-read=dialect", "-dialect=" + own}
}
