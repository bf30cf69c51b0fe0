package web

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// A searx is a SearXNG server of the user's.
type searx struct {
	engine
	address *url.URL
}

func searxAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("-search=%s needs the address of a SearXNG server, such as %shttp://localhost:8080", SearXNG, SearXNG)
	}
	return u, nil
}

func newSearx(address string) (*searx, error) {
	u, err := searxAddress(address)
	if err != nil {
		return nil, err
	}
	if u.Path = strings.TrimSuffix(u.Path, "/"); !strings.HasSuffix(u.Path, "/search") {
		u.Path += "/search"
	}
	secret, _ := u.User.Password()
	return &searx{newEngine("SearXNG", secret, "SearXNG must allow the format json: see search.formats in its settings"), u}, nil
}

// Search asks the server and gives its reply in SerpAPI's form.
func (s *searx) Search(ctx context.Context, q websearch.Query) ([]byte, error) {
	params := s.address.Query()
	params.Set("format", "json")
	params.Set("q", pyval.Text(orNone(q.Keywords)))
	if language := languageOf(q.Region); language != "" {
		params.Set("language", language)
	}
	address := *s.address
	address.RawQuery = params.Encode()
	body, err := s.get(ctx, address.String())
	if err != nil {
		return nil, err
	}
	return asSerp(body), nil
}

func orNone(v pyval.Value) pyval.Value {
	if v == nil {
		return pyval.None
	}
	return v
}

// languageOf turns DuckDuckGo's region us-en into the language en-US.
func languageOf(region pyval.Value) string {
	text, ok := region.(pyval.Str)
	country, language, found := strings.Cut(string(text), "-")
	if !ok || !found || country == "wt" || len(country) != 2 || len(language) != 2 {
		return ""
	}
	return language + "-" + strings.ToUpper(country)
}

// asSerp keeps the parts of a reply that the tool shows. Anything but a list of
// results stays as it is: the tool says what is wrong with it.
func asSerp(body []byte) []byte {
	v, err := pyval.ParseJSON(strings.ToValidUTF8(string(body), "\ufffd"))
	reply, ok := v.(*pyval.Dict)
	if err != nil || !ok {
		return body
	}
	results, _ := reply.GetStr("results")
	list, ok := results.(*pyval.List)
	if !ok {
		return body
	}
	organic := pyval.NewList()
	for _, item := range list.Items {
		found, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		row := pyval.NewDict(3)
		for _, field := range [][2]string{{"title", "title"}, {"url", "link"}, {"content", "snippet"}} {
			text, _ := found.GetStr(field[0])
			if text == nil || text == pyval.None {
				text = pyval.Str("")
			}
			row.SetStr(field[1], text)
		}
		organic.Items = append(organic.Items, row)
	}
	out := pyval.Object("organic_results", organic)
	text, err := pyval.JSON(out, 0)
	if err != nil {
		return body
	}
	return []byte(text)
}
