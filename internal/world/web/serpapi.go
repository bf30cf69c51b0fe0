package web

import (
	"context"
	"net/url"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

const (
	serpKey     = "SERPAPI_API_KEY"
	serpAddress = "https://serpapi.com/search"
)

// A serp is SerpAPI's DuckDuckGo, upstream's search engine.
type serp struct {
	engine
	address, key string
}

func newSerp(key string) *serp {
	return &serp{newEngine("SerpAPI", key, "check "+serpKey), serpAddress, key}
}

// Search asks as upstream's client does.
func (s *serp) Search(ctx context.Context, q websearch.Query) ([]byte, error) {
	return s.get(ctx, s.address+"?"+serpParams(q, s.key).Encode())
}

// serpParams are the parameters of upstream's request, as requests sends them:
// without those that are None, a list once for each element.
func serpParams(q websearch.Query, key string) url.Values {
	params := url.Values{"engine": {"duckduckgo"}, "output": {"json"}, "source": {"python"}}
	setParam(params, "q", q.Keywords)
	setParam(params, "kl", q.Region)
	if key != "" {
		params.Set("api_key", key)
	}
	return params
}

func setParam(params url.Values, name string, v pyval.Value) {
	var items []pyval.Value
	switch v := v.(type) {
	case nil, pyval.NoneType:
		return
	case *pyval.List:
		items = v.Items
	case *pyval.Tuple:
		items = v.Items
	default:
		items = []pyval.Value{v}
	}
	for _, item := range items {
		if item != pyval.None {
			params.Add(name, pyval.Text(item))
		}
	}
}
