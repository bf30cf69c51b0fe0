package memory

import (
	_ "embed"
	"strconv"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed memory_kv.json
var kvDoc string

// KV is upstream's MemoryAPI_kv.
var KV = &sim.Class{
	Name: KVClass, DocFile: "memory_kv.json", Doc: kvDoc, Stateless: true,
	Methods: append(append(kvArchival.methods(), kvCore.methods()...), sim.Method{
		Name: kvCore.named("retrieve_all"), Call: sim.On(func(m *kv, _ []pyval.Value) pyval.Value { return m.core }),
	}),
	New: sim.New(func(scenario *pyval.Dict, _ *sim.World) sim.Instance {
		if before := snapshotOf(scenario); before != nil {
			return &kv{core: texts(before, coreSize.prefix), archival: texts(before, archivalSize.prefix)}
		}
		return &kv{core: &pyval.Dict{}, archival: &pyval.Dict{}}
	}),
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

func (s kvStore) methods() []sim.Method {
	on := func(name string, params []sim.Param, f func(entries *pyval.Dict, args []pyval.Value) pyval.Value) sim.Method {
		return sim.Method{Name: s.named(name), Params: params, Call: sim.On(func(m *kv, args []pyval.Value) pyval.Value {
			return f(s.of(m), args)
		})}
	}
	return []sim.Method{
		on("add", sim.Params("key", "value"), func(entries *pyval.Dict, args []pyval.Value) pyval.Value {
			key, value := sim.Text("{}", args[0]), sim.Text("{}", args[1])
			switch {
			case entries.Len() >= s.entries:
				return sim.Fail(s.full)
			case codePoints(value) > s.length:
				return s.refuseLong()
			case !snakeCase().MatchString(key):
				return sim.Fail("Key must be in snake_case format and cannot contain spaces.")
			case entries.Has(key):
				return sim.Fail("Key name must be unique.")
			}
			entries.SetStr(key, pyval.Str(value))
			return sim.Answer("status", s.added)
		}),
		on("clear", sim.Params(), func(entries *pyval.Dict, _ []pyval.Value) pyval.Value {
			*entries = pyval.Dict{}
			return sim.Answer("status", s.cleared)
		}),
		on("key_search", sim.Params("query", "k=5"), func(entries *pyval.Dict, args []pyval.Value) pyval.Value {
			index := newIndex(entries.Keys())
			ranked := &pyval.List{}
			for _, hit := range sim.First(index.rank(sim.MustText(args[0], "replace")), args[1]) {
				ranked.Items = append(ranked.Items, pyval.NewTuple(pyval.Float(hit.score), hit.key))
			}
			return sim.Answer("ranked_results", ranked)
		}),
		on("list_keys", sim.Params(), func(entries *pyval.Dict, _ []pyval.Value) pyval.Value {
			return sim.Answer("keys", pyval.NewList(entries.Keys()...))
		}),
		on("remove", sim.Params("key"), func(entries *pyval.Dict, args []pyval.Value) pyval.Value {
			if _, ok := sim.Find(entries, args[0]); !ok {
				return keyMissing()
			}
			entries.Delete(args[0])
			return sim.Answer("status", "Key removed.")
		}),
		on("replace", sim.Params("key", "value"), func(entries *pyval.Dict, args []pyval.Value) pyval.Value {
			key, value := sim.Text("{}", args[0]), sim.Text("{}", args[1])
			switch {
			case !entries.Has(key):
				return keyMissing()
			case codePoints(value) > s.length:
				return s.refuseLong()
			}
			entries.SetStr(key, pyval.Str(value))
			return sim.Answer("status", "Key replaced.")
		}),
		on("retrieve", sim.Params("key"), func(entries *pyval.Dict, args []pyval.Value) pyval.Value {
			v, ok := sim.Find(entries, args[0])
			if !ok {
				return keyMissing()
			}
			return sim.Answer("value", v)
		}),
	}
}

// snakeCase is upstream's pattern; Python's $ matches before a last newline.
var snakeCase = pattern.Of(`^[a-z]+(_[a-z0-9]+)*\n?$`)

func (s kvStore) refuseLong() pyval.Value {
	return sim.Fail("Entry is too long. Please shorten the entry to less than " + strconv.Itoa(s.length) + " characters.")
}

func keyMissing() pyval.Value { return sim.Fail("Key not found.") }

func codePoints(text string) int { return pyval.Must(pyval.Length(pyval.Str(text))) }

// Backend returns the name in prompts.
func (*kv) Backend() string { return "memory_kv" }

// State implements sim.Instance.
func (m *kv) State() *pyval.Dict { return m.Snapshot() }

// Snapshot implements Memory.
func (m *kv) Snapshot() *pyval.Dict {
	return sim.Answer(coreSize.prefix, m.core, archivalSize.prefix, m.archival)
}

// Context implements Memory.
func (m *kv) Context() (string, error) {
	if m.core.Len() == 0 {
		return "", nil
	}
	return pyval.JSONIndent(m.core, indent)
}
