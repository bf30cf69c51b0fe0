package websearch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// Upstream waits forever if a search engine says 429; here a search gives up
// after some tries, about twenty minutes.
const (
	firstBackoff = 2 * time.Second
	mostBackoff  = 120 * time.Second
	mostWaits    = 12
)

const noResults = "Failed to retrieve the search results from server. Please try again later."

// search is upstream's search_engine_query.
func (b bound) search(a *sim.Object, args []pyval.Value) pyval.Value {
	if b.web == nil {
		return pyval.Must[pyval.Value](nil, errNoWeb)
	}
	query := Query{Keywords: args[0], Region: args[2]}
	backoff := firstBackoff
	for range mostWaits + 1 {
		reply, raised := b.ask(a.Context(), query)
		switch {
		case raised != nil && !strings.Contains(raised.Msg, "429"):
			return sim.Fail(raised.Msg)
		case raised == nil && !refused(reply):
			return results(reply, args[1], a.True("show_snippet"))
		}
		if err := b.wait(a.Context(), backoff+jitter(backoff)); err != nil {
			pyval.Check(sim.OutageOf(eval.InfraKind(err), err))
		}
		backoff = min(2*backoff, mostBackoff)
	}
	return pyval.Must[pyval.Value](nil, sim.OutageOf("search_quota", fmt.Errorf("the search engine still says 429 (too many requests) after %d waits: its quota may be used up; continue later with -resume", mostWaits)))
}

// ask asks the search engine once. raised is what upstream's client raises.
func (b bound) ask(ctx context.Context, query Query) (reply *pyval.Dict, raised *sim.Exception) {
	body, err := b.web.Search(ctx, query)
	if err != nil {
		return nil, exception(err)
	}
	text := strings.TrimPrefix(string(body), "\ufeff")
	v, err := pyval.ParseJSON(strings.ToValidUTF8(text, "\ufffd"))
	if err != nil {
		return nil, sim.Raise("ValueError", pyval.JSONException(text, err).Msg)
	}
	if reply, err = pyval.Try(func() *pyval.Dict { return asDict(v) }); err != nil {
		return nil, sim.AsException(err)
	}
	return reply, nil
}

// exception separates what a model sees from infrastructure errors, which it
// raises.
func exception(err error) *sim.Exception {
	e, ok := errors.AsType[*sim.Exception](err)
	if !ok {
		pyval.Check(sim.OutageOf(eval.InfraKind(err), err))
	}
	return e
}

// refused reports whether a reply says 429.
func refused(reply *pyval.Dict) bool {
	v, ok := reply.GetStr("error")
	return ok && strings.Contains(pyval.Text(v), "429")
}

// asDict is Python's dict(v), which SerpAPI's client makes of a reply.
func asDict(v pyval.Value) *pyval.Dict {
	if d, ok := v.(*pyval.Dict); ok {
		return d
	}
	d := &pyval.Dict{}
	for i, item := range sim.Items(v) {
		pair, err := pyval.Iterate(item)
		switch {
		case err != nil:
			panic(pyval.Raise("TypeError", "cannot convert dictionary update sequence element #%d to a sequence", i))
		case len(pair) != 2:
			panic(pyval.Raise("ValueError", "dictionary update sequence element #%d has length %d; 2 is required", i, len(pair)))
		}
		sim.Put(d, pair[0], pair[1])
	}
	return d
}

// results are Python's first results as the model sees them.
func results(reply *pyval.Dict, most pyval.Value, snippets bool) pyval.Value {
	organic, ok := reply.GetStr("organic_results")
	if !ok {
		return sim.Fail(noResults)
	}
	switch organic.(type) {
	case *pyval.List, *pyval.Tuple, pyval.Str:
	case *pyval.Dict:
		panic(sim.Raise("TypeError", "unhashable type: 'slice'"))
	default:
		panic(sim.Raise("TypeError", "'"+pyval.TypeName(organic)+"' object is not subscriptable"))
	}
	out := pyval.NewList()
	for _, found := range sim.First(sim.Items(organic), most) {
		shown := sim.Answer("title", sim.At(found, "title"), "href", sim.At(found, "link"))
		if snippets {
			shown.SetStr("body", sim.At(found, "snippet"))
		}
		out.Items = append(out.Items, shown)
	}
	return out
}
