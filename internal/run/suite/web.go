package suite

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
	"github.com/gobfcl/bfcl/internal/world/web"
	"github.com/gobfcl/bfcl/internal/world/web/offline"
)

// The parameters in run.json that say what was searched.
const (
	searchParameter = "search"
	hostsParameter  = "allow_host"
)

// searches tells categories whose tools search the web.
func searches(cat *eval.Category) bool { return cat.Source == "web_search" }

// webOptions are what the flags say of the web. A dataset with a web of its
// own is searched where no flag says what.
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
	if out.Search == "" && own {
		out.Search = web.Offline
	}
	out.Offline = func() (websearch.Web, error) {
		if err != nil {
			return nil, err
		}
		return offline.Load(pages)
	}
	return out
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// openWeb opens what models search; nil where no selected category does.
func (s *Suite) openWeb(o Options) (websearch.Web, error) {
	if !slices.ContainsFunc(s.Categories(), searches) {
		return nil, web.Check(webOptions(o, s.dataset))
	}
	w, closer, err := web.Open(webOptions(o, s.dataset))
	s.searches = closer
	return w, err
}

// searched adds to a run's parameters what was searched.
func (s *Suite) searched(parameters map[string]string, o Options) map[string]string {
	if !slices.ContainsFunc(s.Categories(), searches) {
		return parameters
	}
	out := map[string]string{searchParameter: web.Described(webOptions(o, s.dataset).Search)}
	if o.AllowHosts != "" {
		out[hostsParameter] = o.AllowHosts
	}
	maps.Copy(out, parameters)
	return out
}

// objection refuses the categories that cannot be asked as the flags are.
func (s *Suite) objection(o Options) func(*eval.Category) error {
	keyless := s.keyless(o)
	return func(cat *eval.Category) error {
		if searches(cat) {
			return s.webless(o, cat)
		}
		return keyless(cat)
	}
}

// webless refuses web categories where there is nothing to search. Who needs
// no web to answer is not refused: the oracle, and recorded answers.
func (s *Suite) webless(o Options, cat *eval.Category) error {
	if eval.AnswersWhole(s.adapter) {
		return nil
	}
	err := nothingToSearch(o, s.dataset, cat)
	if err == nil {
		return nil
	}
	if s.skipped == nil {
		s.skipped = map[string][]string{}
	}
	s.skipped[cat.Name] = []string{"-search"}
	s.note(fmt.Sprintf("category %q is skipped: -search is not given", cat.Name))
	return err
}

func nothingToSearch(o Options, d *fixtures.Dataset, cat *eval.Category) error {
	if webOptions(o, d).Search != "" || o.Model == "oracle" || strings.HasPrefix(o.Model, "replay:") {
		return nil
	}
	return fmt.Errorf("category %q searches the web: say which with -search=%s, -search=%s<address> or -search=%s<file>", cat.Name, web.SerpAPI, web.SearXNG, web.Replay)
}

// checkWeb finds what the flags of the web would let Open refuse.
func checkWeb(o Options, s *Selection) error {
	cats := s.Categories()
	others := func(c *eval.Category) bool { return !searches(c) }
	if err := web.Check(webOptions(o, s.Dataset)); err != nil || len(cats) == 0 || slices.ContainsFunc(cats, others) {
		return err
	}
	return nothingToSearch(o, s.Dataset, cats[0])
}

// note adds a remark for the user, once.
func (s *Suite) note(text string) {
	if !slices.Contains(s.Notes, text) {
		s.Notes = append(s.Notes, text)
	}
}
