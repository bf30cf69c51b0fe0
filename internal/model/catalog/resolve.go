package catalog

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/say"
)

// List returns the entries, sorted by name.
func (c *Catalog) List() []Entry {
	c = c.known()
	list := make([]Entry, 0, len(c.entries))
	for _, name := range sorted(c.entries) {
		list = append(list, c.entries[name].clone())
	}
	return list
}

// Resolve returns the model that -model names: by its name or an alias in the
// catalogue, or as adapter:id, with what the catalogue knows of that id, if
// anything. The entry keeps the id as written. Local adapters ask no server:
// what follows their colon is not a model's id and may be missing.
func (c *Catalog) Resolve(model string, local []string) (Entry, error) {
	adapter, id, direct := strings.Cut(model, ":")
	if c.entries == nil && slices.Contains(local, adapter) { // no embedded model has the name of one
		return Entry{Name: model, Adapter: adapter, ID: id}, nil
	}
	c = c.known()
	if e, ok := c.named(model); ok {
		return e.clone(), nil
	}
	switch {
	case slices.Contains(local, adapter):
		return Entry{Name: model, Adapter: adapter, ID: id}, nil
	case !direct || !adapterName().MatchString(adapter):
		names := slices.Compact(slices.Sorted(slices.Values(append(sorted(c.entries), sorted(c.aliases)...))))
		return Entry{}, fmt.Errorf("unknown model %s%s; a model that is not in models.yaml is written adapter:id, as in openai:%s",
			plainfile.Printable(model), say.Propose(say.Nearest(model, slices.Concat(names, local))), plainfile.Printable(model))
	case id == "":
		return Entry{}, fmt.Errorf("model %s has no id after the colon", plainfile.Printable(model))
	}
	e, ok := c.matching(adapter, id)
	if !ok {
		return Entry{Name: model, Adapter: adapter, ID: id}, nil
	}
	e = e.clone()
	e.Name, e.Adapter, e.ID = model, adapter, id
	return e, nil
}

func (c *Catalog) named(model string) (Entry, bool) {
	if e, ok := c.entries[model]; ok {
		return e, true
	}
	if e, ok := c.entries[c.aliases[model]]; ok {
		return e, true
	}
	e, ok := c.entries[c.ids[model]]
	return e, ok
}

// matching returns the entry for an adapter's id. Of several with that id,
// those with the same adapter come first, then those at the adapter's default
// address; if several servers remain, there is no match. The two protocols of
// OpenAI reach the same models. An entry for a server on this machine never
// matches, since any server may be there.
func (c *Catalog) matching(adapter, id string) (Entry, bool) {
	var best Entry
	rank, tied := 0, false
	for _, name := range sorted(c.entries) {
		e := c.entries[name]
		if e.ID != id && !slices.Contains(e.Aliases, id) || isLocal(hostOf(e.BaseURL)) {
			continue
		}
		switch r := affinity(e, adapter); {
		case r > rank:
			best, rank, tied = e, r, false
		case r == rank && r > 0:
			tied = tied || e.host() != best.host()
			if best.worth() < e.worth() {
				best = e
			}
		}
	}
	return best, rank > 0 && !tied
}

// worth orders the entries of one model at one server. The leaderboard has some
// models in both modes: an id that does not say the mode means function
// calling. Then an entry with a price is better than one without.
func (e Entry) worth() int {
	worth := 0
	if e.Mode != eval.Prompt {
		worth += 2
	}
	if e.Prices.Known() {
		worth++
	}
	return worth
}

// affinity returns how well an entry fits an adapter; 0 means not at all.
func affinity(e Entry, adapter string) int {
	near := 0
	switch {
	case e.Adapter == adapter:
		near = 3
	case (e.Adapter == "openai" || e.Adapter == "responses") && (adapter == "openai" || adapter == "responses"): // reach the same models
		near = 1
	default:
		return 0
	}
	if e.BaseURL == "" {
		near++
	}
	return near
}

// At returns the entry with its model at another address. Unless only the path
// changes, it drops what belongs to the previous server: prices, limits, and
// the key and headers, which must not reach another host. An entry of the
// user's own that named no server keeps everything.
func (e Entry) At(baseURL string) Entry {
	was, named := e.host(), e.BaseURL != ""
	e.BaseURL = baseURL
	if e.host() == was {
		return e
	}
	if named {
		e.Key, e.KeyCommand, e.Headers = "", "", nil
		e.Concurrency, e.RPM, e.TPM = 0, 0, 0
		e.Wire.MaxTokensField, e.Wire.Stream = "", nil
	}
	if named || strings.HasPrefix(e.Origin, embeddedName) {
		e.Prices = Prices{}
	}
	return e
}

// host returns the host that the entry's requests go to, "" if it is not known.
func (e Entry) host() string {
	if e.BaseURL != "" {
		return hostOf(e.BaseURL)
	}
	for _, p := range providers {
		if slices.Contains(p.adapters, e.Adapter) && len(p.hosts) > 0 {
			return p.hosts[0]
		}
	}
	return ""
}

// hostOf returns an address's host with its port. ${VAR} stays as it is: two
// addresses with different variables are different.
func hostOf(base string) string {
	if base == "" {
		return ""
	}
	if u, err := url.Parse(base); err == nil && u.Host != "" {
		return strings.ToLower(u.Host)
	}
	return base
}
