package doctor

import (
	"context"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// treat tries the ways of asking that may help, on all questions, and keeps the
// one with the most right answers. What gains nothing is not named.
func (e *examination) treat(ctx context.Context) {
	if e.Worst() != Fault {
		return
	}
	was := 0
	for i := range e.plain {
		was += one(e.plain[i].right())
	}
	for _, flags := range e.cures(ctx) {
		w, err := e.open(flags...)
		if err != nil {
			continue
		}
		e.note("with " + flags[0])
		right := 0
		for _, a := range w.known(ctx, e.list) {
			right += one(a.right())
			if len(w.memory) == 3 && right == 0 {
				break // it does not answer in this way either
			}
		}
		if right > was && (e.Cure == nil || right > e.Cure.Right) {
			e.Cure = &Cure{flags, right}
		}
	}
}

// cures returns the flags that may help. Calls are read here by the dialect that
// reads most of the answers whose calls stay in the text.
func (e *examination) cures(ctx context.Context) (out [][]string) {
	if e.Reads && e.usual.settings.Mode != eval.Prompt {
		out = append(out, e.reading(ctx))
	}
	if e.usual.settings.Mode != eval.Prompt {
		out = append(out, []string{"-mode=prompt"})
	}
	return out
}

// reading returns the flags that let calls be read here, with -dialect only if
// the model's name does not lead to it.
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
	fits := func(at int, calls []pyval.Value) bool { return dialect.Meant(tools[at], calls) }
	if best, ok := dialect.Best(dialect.Candidates(texts, dialect.V4(decode.Python), fits), own); ok && len(texts) > 1 {
		own = best.Dialect.Name
	}
	if f, ok := dialect.FamilyOf(e.ModelID); ok && f.Dialect.Name == own {
		return []string{"-read=dialect"}
	}
	return slices.Clone([]string{"-read=dialect", "-dialect=" + own})
}
