package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// The parameters in run.json that say what was searched.
const (
	searchParameter = "search"
	hostsParameter  = "allow_host"
)

// noSearch is the value of -search that leaves out the web categories.
const noSearch = "none"

// searches reports whether the category's models search the web.
func searches(cat *eval.Category) bool { return cat.Web }

// webOptions returns the options for the web from the flags. A dataset's own
// web is searched if -search is not set.
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

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// openWeb opens the web that models search; nil if no selected category needs
// it.
func (p *Plan) openWeb(open *closers) (websearch.Web, error) {
	if !slices.ContainsFunc(p.Categories(), searches) {
		return nil, nil
	}
	w, closer, err := web.Open(webOptions(p.options, p.Dataset))
	open.add(closer)
	return w, err
}

// searched adds to a run's parameters what was searched.
func (p *Plan) searched(parameters map[string]string) {
	if !slices.ContainsFunc(p.settled, searches) {
		return
	}
	parameters[searchParameter] = web.Described(webOptions(p.options, p.Dataset).Search)
	if p.options.AllowHosts != "" {
		parameters[hostsParameter] = p.options.AllowHosts
	}
}

// Webless reports whether categories were left out because -search is not set.
// The run is incomplete then, unlike with -search=none.
func (p *Plan) Webless() bool {
	for _, missing := range p.Run.Skipped {
		if slices.Contains(missing, "-search") {
			return p.options.Search != noSearch
		}
	}
	return false
}

// nothingToSearch returns an error for a web category if there is nothing to
// search.
func nothingToSearch(o Options, d *fixtures.Dataset, cat *eval.Category) error {
	if webOptions(o, d).Search != "" {
		return nil
	}
	return fmt.Errorf("category %q searches the web: choose one with -search=%s, -search=%s<address> or -search=%s<file>; -search=none leaves it out", cat.Name, web.SerpAPI, web.SearXNG, web.Replay)
}
