package suite

import (
	"os"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// noSearch is the value of -search that leaves out the web categories.
const noSearch = "none"

// webOptions returns the options for the web: the dataset's own, if -search is not set.
func webOptions(o Options, d *fixtures.Dataset) web.Options {
	out := web.Options{Search: o.Search, Record: o.SearchRecord, Getenv: os.Getenv}
	if o.AllowHosts != "" {
		out.AllowHosts = strings.Split(o.AllowHosts, ",")
	}
	if file, ok := strings.CutPrefix(out.Search, web.Replay); ok {
		out.Search = web.Replay + absolute(file)
	}
	if out.Record != "" {
		out.Record = absolute(out.Record)
	}
	pages, own, err := d.Web()
	if out.Search == noSearch {
		out.Search, own = "", false
	}
	if out.Search == "" && own {
		out.Search = web.Offline
	}
	out.Offline = func() (websearch.Web, error) {
		if err != nil {
			return nil, err
		}
		return web.LoadPages(pages)
	}
	return out
}
