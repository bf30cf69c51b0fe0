package websearch

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// fetch is upstream's fetch_url_content.
func (b bound) fetch(a *sim.Object, args []pyval.Value) pyval.Value {
	address := sim.MustText(args[0], "startswith")
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		panic(sim.Raise("ValueError", "Invalid URL: "+address))
	}
	if b.web == nil {
		return pyval.Must[pyval.Value](nil, errNoWeb)
	}
	p, err := b.web.Fetch(a.Context(), address)
	content := ""
	if err == nil {
		content, err = pyval.Try(func() string { return read(p, args[1]) })
	}
	if err != nil {
		return sim.Fail("An error occurred while fetching " + address + ": " + exception(err).Msg)
	}
	return sim.Answer("content", content)
}

// read raises for a page's status as requests' raise_for_status does.
func read(p *Page, mode pyval.Value) string {
	switch p.Status / 100 {
	case 4:
		panic(pyval.Raise("HTTPError", "%d Client Error: %s for url: %s", p.Status, p.Reason, p.URL))
	case 5:
		panic(pyval.Raise("HTTPError", "%d Server Error: %s for url: %s", p.Status, p.Reason, p.URL))
	}
	text := Decode(p.Body, p.ContentType)
	switch mode {
	case pyval.Str("raw"):
		return text
	case pyval.Str("markdown"):
		return Markdown(text)
	case pyval.Str("truncate"):
		return Text(text)
	}
	panic(sim.Raise("ValueError", sim.Text("Unsupported mode: {}", mode)))
}
