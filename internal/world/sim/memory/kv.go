package memory

import (
	_ "embed"

	"fmt"

	"github.com/gobfcl/bfcl/internal/kit/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed memory_kv.json
var kvDoc string

// KV is upstream's MemoryAPI_kv.
var KV = &sim.Class{
	Name: KVClass, DocFile: "memory_kv.json", Doc: kvDoc, Stateless: true,
	Methods: kvMethods(),
	New: func(scenario *pyval.Dict, _ *sim.World) (sim.Instance, error) {
		m := &kv{core: &pyval.Dict{}, archival: &pyval.Dict{}}
		before, err := snapshotOf(scenario)
		if err != nil || before == nil {
			return m, err
		}
		if m.core, err = texts(before, coreSize.prefix); err != nil {
			return nil, err
		}
		m.archival, err = texts(before, archivalSize.prefix)
		return m, err
	},
}

// A kv holds texts under keys, in the order in which the keys came.
type kv struct{ core, archival *pyval.Dict }

// A kvStore is what differs between the core and the archive.
type kvStore struct {
	size
	of                   func(*kv) *pyval.Dict
	full, added, cleared string
}

var (
	kvCore = kvStore{
		coreSize, func(m *kv) *pyval.Dict { return m.core },
		"Core memory is full. Please clear some entries.", "Key-value pair added.", "Short term memory cleared.",
	}
	kvArchival = kvStore{
		archivalSize, func(m *kv) *pyval.Dict { return m.archival },
		"Long term memory is full. Please clear some entries.", "Key added.", "Long term memory cleared.",
	}
)

func kvMethods() []sim.Method {
	all := append(kvArchival.methods(), kvCore.methods()...)
	return append(all, sim.Method{Name: kvCore.named("retrieve_all"), Call: sim.On(func(m *kv, _ []pyval.Value) (pyval.Value, error) {
		return m.core, nil
	})})
}

func (s kvStore) methods() []sim.Method {
	pair := sim.Required("key", "value")
	return []sim.Method{
		{Name: s.named("add"), Params: pair, Call: s.on(s.add)},
		{Name: s.named("clear"), Call: s.on(s.clear)},
		{Name: s.named("key_search"), Params: []sim.Param{{Name: "query"}, {Name: "k", Default: pyval.MakeInt(5)}}, Call: s.on(keySearch)},
		{Name: s.named("list_keys"), Call: s.on(listKeys)},
		{Name: s.named("remove"), Params: sim.Required("key"), Call: s.on(remove)},
		{Name: s.named("replace"), Params: pair, Call: s.on(s.replace)},
		{Name: s.named("retrieve"), Params: sim.Required("key"), Call: s.on(retrieve)},
	}
}

// on makes a method of a function on the store's entries.
func (s kvStore) on(f func(entries *pyval.Dict, args []pyval.Value) (pyval.Value, error)) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
	return sim.On(func(m *kv, args []pyval.Value) (pyval.Value, error) { return f(s.of(m), args) })
}

const (
	keyMissing = "Key not found."
	keyWrong   = "Key must be in snake_case format and cannot contain spaces."
	keyTaken   = "Key name must be unique."
)

// snakeCase is upstream's pattern; Python's $ matches before a last newline.
var snakeCase = pattern.Of(`^[a-z]+(_[a-z0-9]+)*\n?$`)

func (s kvStore) add(entries *pyval.Dict, args []pyval.Value) (pyval.Value, error) {
	key, value, err := twoTexts(args)
	if err != nil {
		return nil, err
	}
	_, taken := entries.GetStr(key)
	switch {
	case entries.Len() >= s.entries:
		return sim.Fail(s.full), nil
	case s.tooLong(value):
		return s.refuseLong(), nil
	case !snakeCase().MatchString(key):
		return sim.Fail(keyWrong), nil
	case taken:
		return sim.Fail(keyTaken), nil
	}
	entries.SetStr(key, pyval.Str(value))
	return status(s.added), nil
}

func (s kvStore) replace(entries *pyval.Dict, args []pyval.Value) (pyval.Value, error) {
	key, value, err := twoTexts(args)
	if err != nil {
		return nil, err
	}
	if _, ok := entries.GetStr(key); !ok {
		return sim.Fail(keyMissing), nil
	}
	if s.tooLong(value) {
		return s.refuseLong(), nil
	}
	entries.SetStr(key, pyval.Str(value))
	return status("Key replaced."), nil
}

func (s kvStore) clear(entries *pyval.Dict, _ []pyval.Value) (pyval.Value, error) {
	*entries = pyval.Dict{}
	return status(s.cleared), nil
}

func (s kvStore) tooLong(text string) bool { return codePoints(text) > s.length }

func (s kvStore) refuseLong() pyval.Value {
	return sim.Fail(fmt.Sprintf("Entry is too long. Please shorten the entry to less than %d characters.", s.length))
}

func remove(entries *pyval.Dict, args []pyval.Value) (pyval.Value, error) {
	_, ok, err := sim.Find(entries, args[0])
	if err != nil || !ok {
		return sim.Fail(keyMissing), err
	}
	entries.Delete(args[0])
	return status("Key removed."), nil
}

func retrieve(entries *pyval.Dict, args []pyval.Value) (pyval.Value, error) {
	v, ok, err := sim.Find(entries, args[0])
	if err != nil || !ok {
		return sim.Fail(keyMissing), err
	}
	return sim.Answer("value", v), nil
}

func listKeys(entries *pyval.Dict, _ []pyval.Value) (pyval.Value, error) {
	return sim.Answer("keys", pyval.NewList(entries.Keys()...)), nil
}

func keySearch(entries *pyval.Dict, args []pyval.Value) (pyval.Value, error) {
	index, err := newIndex(entries.Keys())
	if err != nil {
		return nil, err
	}
	query, err := sim.MustText(args[0], "replace")
	if err != nil {
		return nil, err
	}
	best, err := sim.First(index.rank(query), args[1])
	if err != nil {
		return nil, err
	}
	ranked := &pyval.List{Items: make([]pyval.Value, len(best))}
	for i, hit := range best {
		ranked.Items[i] = pyval.NewTuple(pyval.Float(hit.score), hit.key)
	}
	return sim.Answer("ranked_results", ranked), nil
}

func status(text string) pyval.Value { return sim.Answer("status", pyval.Str(text)) }

// twoTexts are two arguments as Python's str() shows them.
func twoTexts(args []pyval.Value) (a, b string, err error) {
	if a, err = sim.Text(args[0]); err == nil {
		b, err = sim.Text(args[1])
	}
	return a, b, err
}

func codePoints(text string) int {
	n, _ := pyval.Length(pyval.Str(text)) // a str has a length
	return n
}

// Backend returns the name in prompts.
func (*kv) Backend() string { return "memory_kv" }

// State implements sim.Instance.
func (m *kv) State() *pyval.Dict { return m.Snapshot() }

// Snapshot implements Memory.
func (m *kv) Snapshot() *pyval.Dict {
	return sim.Record([]string{coreSize.prefix, archivalSize.prefix}, m.core, m.archival)
}

// Context implements Memory.
func (m *kv) Context() (string, error) {
	if m.core.Len() == 0 {
		return "", nil
	}
	return pyval.JSONIndent(m.core, indent)
}
