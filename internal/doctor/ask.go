package doctor

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/why"
)

// A way is one way of asking: the run's own flags and some more.
type way struct {
	visit    Visit
	settings eval.Settings
	flags    []string
	memory   map[*question]*asked // of questions that were asked this way
}

// open opens the model with more flags. It is closed with the examination.
func (e *examination) open(flags ...string) (*way, error) {
	v, s, err := e.Open(flags...)
	if err != nil {
		return nil, err
	}
	w := &way{visit: v, settings: s, flags: flags, memory: map[*question]*asked{}}
	e.opened = append(e.opened, w)
	return w, nil
}

// asked is a question with the answer that came.
type asked struct {
	question *question
	want     why.Answer
	got      why.Answer
	resp     *eval.Response
	// found is how they differ.
	found []why.Difference
	err   error
	// alone says that no other request was asked at the same time.
	alone bool
}

func (a *asked) right() bool { return a.err == nil && len(a.found) == 0 }

// ask puts a question, and compares the answer with the right one.
func (w *way) ask(ctx context.Context, q *question) *asked {
	a := &asked{question: q, want: q.want, alone: true}
	a.want.Calls = w.undotted(slices.Clone(q.want.Calls))
	c := &eval.Case{ID: "simple_python_0", Language: eval.Python, Turns: [][]eval.Message{q.turn}, Tools: q.tools}
	if a.resp, a.err = w.visit.Ask(ctx, c); a.err != nil {
		return a
	}
	a.got = w.read(c, a.resp)
	if a.found = why.Differ(a.want, a.got, why.ToolsOf(q.tools)); a.resp.Malformed {
		a.found = []why.Difference{why.FactOf(why.UnreadCalls, why.Parser, pyval.Str(cmp.Or(a.got.Text, "an error")))}
	}
	return a
}

// read returns the answer in a response: calls in fields as they came, and
// others as the run's settings read them.
func (w *way) read(c *eval.Case, resp *eval.Response) why.Answer {
	got := why.Read(resp.Result)
	if len(got.Calls) == 0 && got.Text != "" && len(c.Tools) > 0 {
		got.Calls = w.inText(c, got.Text)
	}
	if got.Text == "" {
		got.Text = resp.Message.Content
	}
	got.Reasoning = resp.Reasoning
	got.With(resp)
	return got
}

// inText returns the calls that the settings read in a text; where calls are
// left in it on purpose, also those of any dialect.
func (w *way) inText(c *eval.Case, text string) []why.Call {
	if decoded, err := categories.Find("simple_python").Decode(c, pyval.Str(text), w.settings); err == nil && !decode.IsEmpty(decoded) {
		return w.undotted(why.Read(decoded).Calls)
	}
	if len(w.flags) == 0 {
		return nil
	}
	g := dialect.V4(decode.Python)
	best, ok := dialect.Best(dialect.Candidates([]pyval.Value{pyval.Str(text)}, [][]*pyval.Dict{c.Tools}, g), w.settings.Dialect)
	if !ok {
		return nil
	}
	read, err := best.Dialect.Decode(pyval.Str(text), g)
	if err != nil {
		return nil
	}
	return w.undotted(why.Read(read).Calls)
}

// undotted returns calls with names as the model sees them.
func (w *way) undotted(calls []why.Call) []why.Call {
	for i := range calls {
		if w.settings.UnderscoreToDot {
			calls[i].Name = strings.ReplaceAll(calls[i].Name, ".", "_")
		}
	}
	return calls
}

// askAll puts several questions at once.
func (w *way) askAll(ctx context.Context, list []*question) []*asked {
	out := make([]*asked, len(list))
	var running sync.WaitGroup
	for i, q := range list {
		running.Go(func() {
			out[i] = w.ask(ctx, q)
			out[i].alone = false
		})
	}
	running.Wait()
	return out
}

// known returns the answers to questions that were asked this way, and asks the
// others.
func (w *way) known(ctx context.Context, list []*question) (out []*asked) {
	for _, q := range list {
		if _, ok := w.memory[q]; !ok && ctx.Err() == nil {
			w.memory[q] = w.ask(ctx, q)
		}
		out = append(out, w.memory[q])
	}
	return out
}
