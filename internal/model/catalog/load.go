package catalog

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/plainfile"
)

//go:embed servers.yaml
var servers []byte

//go:embed models.yaml
var embedded []byte

// embeddedName begins the names of the embedded files in messages.
const embeddedName = "(built in) "

// DefaultFile is the file that a user's models are read from by default, and
// FileVariable is the environment variable that names another.
const (
	DefaultFile  = "models.yaml"
	FileVariable = "BFCL_MODELS"
)

// A Catalog holds named models. It does not change once loaded. The zero Catalog is
// the embedded one, which is read when it is first needed.
type Catalog struct {
	entries map[string]Entry
	aliases map[string]string // to the name
	ids     map[string]string // to the name; "" if several have the id
}

// Files returns the files of a user's models: the one the -models flag names,
// or else the one that $BFCL_MODELS names, or else ./models.yaml if it exists.
func Files(flag string, env Environment) []string {
	if flag != "" {
		return []string{flag}
	}
	if path, _ := env(FileVariable); path != "" {
		return []string{path}
	}
	if _, err := os.Stat(DefaultFile); err == nil {
		return []string{DefaultFile}
	}
	return nil
}

// Load reads the embedded catalogue (how the leaderboard's models are asked,
// then what they are) and then the files. Entries of later files override and
// extend those of earlier ones.
func Load(paths ...string) (*Catalog, error) {
	if len(paths) == 0 {
		return &Catalog{}, nil
	}
	known := builtIn()
	c := &Catalog{entries: maps.Clone(known.entries), aliases: maps.Clone(known.aliases), ids: known.ids}
	for _, path := range paths {
		err := plainfile.Check(path)
		var data []byte
		if err == nil {
			data, err = plainfile.ReadFile(path)
		}
		if err != nil {
			return nil, fmt.Errorf("read models: %w", err)
		}
		if err := c.read(path, data); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// builtIn returns the embedded catalogue. It is read once: a run needs it
// several times, and reading it takes as long as starting the command.
var builtIn = sync.OnceValue(func() *Catalog { return ofTexts(servers, embedded) })

// ofTexts returns the catalogue of the embedded files, or of parts of them.
func ofTexts(servers, models []byte) *Catalog {
	c := &Catalog{entries: map[string]Entry{}, aliases: map[string]string{}}
	if err := errors.Join(c.read(embeddedName+"servers.yaml", servers), c.read(embeddedName+DefaultFile, models)); err != nil {
		panic(fmt.Sprintf("catalog: an embedded file is broken: %v", err))
	}
	return c
}

// known returns the catalogue with its entries loaded.
func (c *Catalog) known() *Catalog {
	if c.entries == nil {
		return builtIn()
	}
	return c
}

func (c *Catalog) read(file string, data []byte) error {
	r := plainfile.New(file)
	var models *yaml.Node
	if doc := r.Parse(data); doc != nil {
		r.Known(doc, "the file", []string{"models"}, func(_ string, _, n *yaml.Node) { models = n })
	}
	if models != nil {
		lines := map[string]int{}
		r.Pairs(models, "models", func(name string, k, v *yaml.Node) {
			c.add(r, name, k, v)
			lines[name] = k.Line
		})
		c.index(r, lines)
	}
	return r.Err()
}

// add reads one model on top of what is known of it.
func (c *Catalog) add(r *plainfile.Reader, name string, k, v *yaml.Node) {
	if strings.TrimSpace(name) != name || name == "" || strings.ContainsFunc(name, isControl) {
		r.Fault(k, "models: the name of a model must not be empty, begin or end with a blank, or hold control characters")
		return
	}
	if v = r.Follow(v); v == nil {
		return
	}
	before := r.Faults()
	e := c.base(name, v)
	e.Name, e.Origin = name, r.Place(k)
	object(r, v, plainfile.Printable(name), &e)
	if r.Faults() == before {
		if e.Adapter == "" {
			r.Fault(k, "%s has no adapter", plainfile.Printable(name))
		}
		if e.ID == "" {
			r.Fault(k, "%s has no id", plainfile.Printable(name))
		}
	}
	c.entries[name] = e
}

// base returns the entry that an entry of a file builds on: the one it
// overrides, what remains of that one at another address, or an empty one for
// another model.
func (c *Catalog) base(name string, n *yaml.Node) Entry {
	known, ok := c.entries[name]
	if !ok || n.Kind != yaml.MappingNode {
		return Entry{}
	}
	known = known.clone()
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch key, v := n.Content[i].Value, n.Content[i+1]; {
		case key == "id" && v.Value != known.ID:
			return Entry{}
		case key == "base_url" && v.Kind == yaml.ScalarNode && !plainfile.IsNull(v):
			known = known.At(v.Value)
		}
	}
	return known
}

// index adds the aliases. Two models of a file cannot share an alias. A name
// takes precedence over an alias, and a later file over an earlier one.
func (c *Catalog) index(r *plainfile.Reader, lines map[string]int) {
	taken := map[string]string{}
	for _, name := range sorted(lines) {
		for _, alias := range c.entries[name].Aliases {
			other, twice := taken[alias]
			if _, isName := lines[alias]; isName && alias != name {
				other, twice = alias, true
			}
			if twice && other != name {
				r.FaultLine(lines[name], "%s: the alias %s belongs to %s", plainfile.Printable(name), plainfile.Printable(alias), plainfile.Printable(other))
				continue
			}
			taken[alias], c.aliases[alias] = name, name
		}
	}
	c.ids = map[string]string{} // an id that only one model has is another name of that model
	for name, e := range c.entries {
		if _, twice := c.ids[e.ID]; twice {
			name = ""
		}
		c.ids[e.ID] = name
	}
}

func sorted[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
