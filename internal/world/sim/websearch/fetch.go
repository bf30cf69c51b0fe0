package websearch

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/page"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// fetch is upstream's fetch_url_content.
func (b bound) fetch(a *api, args []pyval.Value) (pyval.Value, error) {
	url, ok := args[0].(pyval.Str)
	if !ok {
		return nil, sim.Raise("AttributeError", "'"+pyval.TypeName(args[0])+"' object has no attribute 'startswith'")
	}
	address := string(url)
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		return nil, sim.Raise("ValueError", "Invalid URL: "+address)
	}
	if b.web == nil {
		return nil, errNoWeb
	}
	p, err := b.web.Fetch(a.world.Context(), address)
	if err == nil {
		err = statusError(p)
	}
	content := ""
	if err == nil {
		content, err = read(p, args[1])
	}
	if err == nil {
		return sim.Answer("content", pyval.Str(content)), nil
	}
	raised, err := exception(err)
	if err != nil {
		return nil, err
	}
	return sim.Fail("An error occurred while fetching " + address + ": " + raised.Msg), nil
}

// statusError is requests' raise_for_status.
func statusError(p *Page) error {
	whose := "Client"
	switch p.Status / 100 {
	case 4:
	case 5:
		whose = "Server"
	default:
		return nil
	}
	return sim.Raise("HTTPError", fmt.Sprintf("%d %s Error: %s for url: %s", p.Status, whose, p.Reason, p.URL))
}

func read(p *Page, mode pyval.Value) (string, error) {
	text := page.Decode(p.Body, p.ContentType)
	switch mode {
	case pyval.Str("raw"):
		return text, nil
	case pyval.Str("markdown"):
		return page.Markdown(text), nil
	case pyval.Str("truncate"):
		return page.Text(text), nil
	}
	shown, err := sim.Text(mode)
	if err != nil {
		return "", err
	}
	return "", sim.Raise("ValueError", "Unsupported mode: "+shown)
}
