package websearch

import (
	"context"
	"errors"
	"fmt"
	"strconv"
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
func (b bound) search(a *api, args []pyval.Value) (pyval.Value, error) {
	if b.web == nil {
		return nil, errNoWeb
	}
	query := Query{Keywords: args[0], Region: args[2]}
	backoff := firstBackoff
	for range mostWaits + 1 {
		reply, raised, err := b.ask(a.world.Context(), query)
		switch {
		case err != nil:
			return nil, err
		case raised != nil && !strings.Contains(raised.Msg, "429"):
			return sim.Fail(raised.Msg), nil
		case raised == nil && !refused(reply):
			return a.results(reply, args[1])
		}
		if err := b.wait(a.world.Context(), backoff+jitter(backoff)); err != nil {
			return nil, sim.OutageOf(eval.InfraKind(err), err)
		}
		backoff = min(2*backoff, mostBackoff)
	}
	return nil, sim.OutageOf("search_quota", fmt.Errorf("the search engine still says 429 (too many requests) after %d waits: its quota may be used up; continue later with -resume", mostWaits))
}

// ask asks the search engine once. raised is what upstream's client raises.
func (b bound) ask(ctx context.Context, query Query) (reply *pyval.Dict, raised *sim.Exception, err error) {
	body, err := b.web.Search(ctx, query)
	if err != nil {
		raised, err = exception(err)
		return nil, raised, err
	}
	text := strings.TrimPrefix(string(body), "\ufeff")
	v, err := pyval.ParseJSON(strings.ToValidUTF8(text, "\ufffd"))
	if err != nil {
		return nil, sim.AsException(sim.Raise("ValueError", pyval.JSONException(text, err).Msg)), nil
	}
	reply, raised = asDict(v)
	return reply, raised, nil
}

// exception separates what a model sees from infrastructure errors.
func exception(err error) (*sim.Exception, error) {
	if e, ok := errors.AsType[*sim.Exception](err); ok {
		return e, nil
	}
	if e, ok := errors.AsType[*pyval.Exception](err); ok {
		return sim.Raise(e.Class, e.Msg), nil
	}
	return nil, sim.OutageOf(eval.InfraKind(err), err)
}

// refused reports whether a reply says 429.
func refused(reply *pyval.Dict) bool {
	v, ok := reply.GetStr("error")
	return ok && strings.Contains(pyval.Text(v), "429")
}

// asDict is Python's dict(v), which SerpAPI's client makes of a reply.
func asDict(v pyval.Value) (*pyval.Dict, *sim.Exception) {
	if d, ok := v.(*pyval.Dict); ok {
		return d, nil
	}
	items, err := pyval.Iterate(v)
	if err != nil {
		return nil, sim.AsException(err)
	}
	d := pyval.NewDict(len(items))
	for i, item := range items {
		at := "dictionary update sequence element #" + strconv.Itoa(i)
		pair, err := pyval.Iterate(item)
		switch {
		case err != nil:
			return nil, sim.Raise("TypeError", "cannot convert "+at+" to a sequence")
		case len(pair) != 2:
			return nil, sim.Raise("ValueError", at+" has length "+strconv.Itoa(len(pair))+"; 2 is required")
		}
		if err := d.Set(pair[0], pair[1]); err != nil {
			return nil, sim.Raise("TypeError", err.Error())
		}
	}
	return d, nil
}

// results are the first results as the model sees them.
func (a *api) results(reply *pyval.Dict, most pyval.Value) (pyval.Value, error) {
	organic, ok := reply.GetStr("organic_results")
	if !ok {
		return sim.Fail(noResults), nil
	}
	first, err := firstOf(organic, most)
	if err != nil {
		return nil, err
	}
	out := pyval.NewList()
	for _, result := range first {
		shown, err := a.result(result)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, shown)
	}
	return out, nil
}

func (a *api) result(found pyval.Value) (pyval.Value, error) {
	out := pyval.NewDict(3)
	for _, field := range []struct{ from, to string }{{"title", "title"}, {"link", "href"}, {"snippet", "body"}} {
		if field.to == "body" && !pyval.Truth(a.snippets) {
			break
		}
		v, err := sim.Entry(found, field.from)
		if err != nil {
			return nil, err
		}
		out.SetStr(field.to, v)
	}
	return out, nil
}

// firstOf is Python's v[:n].
func firstOf(v, n pyval.Value) ([]pyval.Value, error) {
	switch v.(type) {
	case *pyval.List, *pyval.Tuple, pyval.Str:
	case *pyval.Dict:
		return nil, sim.Raise("TypeError", "unhashable type: 'slice'")
	default:
		return nil, sim.Raise("TypeError", "'"+pyval.TypeName(v)+"' object is not subscriptable")
	}
	items, err := pyval.Iterate(v)
	if err != nil {
		return nil, err
	}
	return sim.First(items, n)
}
