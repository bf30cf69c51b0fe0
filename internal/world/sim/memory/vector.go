package memory

import (
	_ "embed"

	"context"
	"slices"
	"strconv"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed memory_vector.json
var vectorDoc string

// An Embedder turns texts into vectors, one for each, all of the same dimension
// and of Euclidean length 1. It is safe for concurrent use.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Vector is upstream's MemoryAPI_vector over an embedder.
func Vector(embedder Embedder) *sim.Class {
	return &sim.Class{
		Name: VectorClass, DocFile: "memory_vector.json", Doc: vectorDoc, Stateless: true,
		Methods: append(
			storeMethods(archivalSize, func(m *vector) *vectorStore { return &m.archival }),
			storeMethods(coreSize, func(m *vector) *vectorStore { return &m.core })...),
		New: sim.New(func(scenario *pyval.Dict, world *sim.World) sim.Instance {
			before := snapshotOf(scenario)
			open := func(s size) vectorStore {
				store := vectorStore{size: s, texts: &pyval.Dict{}, embedder: embedder, world: world}
				if before != nil {
					store.load(before)
				}
				return store
			}
			return &vector{open(coreSize), open(archivalSize)}
		}),
	}
}

// A vector holds texts in two stores.
type vector struct{ core, archival vectorStore }

// A vectorStore holds texts under numbers. Vectors are made when they are
// searched: what is stored does not depend on them.
type vectorStore struct {
	size
	texts *pyval.Dict // by number, in the order of upstream's store
	index []int64     // the numbers in the order of upstream's index
	next  int64

	embedder Embedder
	world    *sim.World
}

func storeMethods(s size, of func(*vector) *vectorStore) []sim.Method {
	on := func(name string, params []sim.Param, f func(*vectorStore, []pyval.Value) pyval.Value) sim.Method {
		return sim.Method{Name: s.named(name), Params: params, Call: sim.On(func(m *vector, args []pyval.Value) pyval.Value {
			return f(of(m), args)
		})}
	}
	return []sim.Method{
		on("add", sim.Params("text"), func(s *vectorStore, args []pyval.Value) pyval.Value {
			if refusal := s.tooLong(args[0]); refusal != nil {
				return refusal
			}
			if s.texts.Len() >= s.entries {
				return sim.Fail("Memory size exceeds maximum size of " + strconv.Itoa(s.entries) + " entries.")
			}
			s.put(s.next, args[0])
			s.next++
			return sim.Answer("id", pyval.MakeInt(s.next-1))
		}),
		on("clear", sim.Params(), func(s *vectorStore, _ []pyval.Value) pyval.Value {
			s.texts, s.index, s.next = &pyval.Dict{}, nil, 0
			return sim.Answer("status", "Memory cleared.")
		}),
		on("remove", sim.Params("vec_id"), func(s *vectorStore, args []pyval.Value) pyval.Value {
			id, refusal := s.find(args[0])
			if refusal != nil {
				return refusal
			}
			s.texts.Delete(pyval.MakeInt(id))
			s.unlist(id)
			return sim.Answer("status", sim.Text("ID {} removed from store.", args[0]))
		}),
		// Wants as many as Python's min(k, size), which faiss wants to be an
		// int above 0.
		on("retrieve", sim.Params("query", "top_k=5"), func(s *vectorStore, args []pyval.Value) pyval.Value {
			if s.texts.Len() == 0 {
				return sim.Answer("result", pyval.NewList())
			}
			mustEmbed(args[0])
			least := sim.Min([]pyval.Value{args[1], sim.Value(s.texts.Len())})
			n, ok := pyval.IntOf(least)
			if !ok {
				panic(sim.Raise("TypeError", "k must be an int, not "+pyval.TypeName(least)))
			}
			k, _ := n.Int64()
			if n.Sign() <= 0 {
				panic(sim.Raise("AssertionError", ""))
			}
			found := &pyval.List{}
			for _, n := range s.nearest(pyval.Text(args[0]), int(k)) {
				id := pyval.MakeInt(n.id)
				text, _ := s.texts.Get(id)
				found.Items = append(found.Items, sim.Answer("id", id, "similarity_score", n.score, "text", text))
			}
			return sim.Answer("result", found)
		}),
		on("retrieve_all", sim.Params(), func(s *vectorStore, _ []pyval.Value) pyval.Value {
			all := &pyval.List{}
			for id, text := range s.texts.All() {
				all.Items = append(all.Items, sim.Answer("id", id, "text", text))
			}
			return sim.Answer("result", all)
		}),
		on("update", sim.Params("vec_id", "new_text"), func(s *vectorStore, args []pyval.Value) pyval.Value {
			id, refusal := s.find(args[0])
			if refusal == nil {
				refusal = s.tooLong(args[1])
			}
			if refusal != nil {
				return refusal
			}
			s.put(id, args[1])
			return sim.Answer("status", sim.Text("ID {} updated.", args[0]))
		}),
	}
}

// put stores what an embedder takes. What upstream's raises for other values
// depends on the library.
func (s *vectorStore) put(id int64, v pyval.Value) {
	mustEmbed(v)
	sim.Put(s.texts, pyval.MakeInt(id), v)
	s.unlist(id)
	s.index = append(s.index, id)
}

func mustEmbed(v pyval.Value) {
	if v.Kind() != pyval.KindStr {
		panic(sim.Raise("TypeError", "a text is needed, not "+pyval.TypeName(v)))
	}
}

// tooLong is a refusal, or nil.
func (s *vectorStore) tooLong(text pyval.Value) pyval.Value {
	if pyval.Must(pyval.Length(text)) <= s.length {
		return nil
	}
	return sim.Fail("Entry length exceeds maximum length of " + strconv.Itoa(s.length) + " characters.")
}

// find is the number of an entry, or a refusal if there is none.
func (s *vectorStore) find(v pyval.Value) (id int64, refusal pyval.Value) {
	if _, ok := sim.Find(s.texts, v); !ok {
		return 0, sim.Fail("ID {} not present in store.", v)
	}
	i := slices.IndexFunc(s.index, func(id int64) bool { return pyval.Equal(pyval.MakeInt(id), v) })
	return s.index[i], nil
}

func (s *vectorStore) unlist(id int64) {
	s.index = slices.DeleteFunc(s.index, func(have int64) bool { return have == id })
}

// Backend returns the name in prompts.
func (*vector) Backend() string { return "memory_vector" }

// State implements sim.Instance.
func (m *vector) State() *pyval.Dict { return m.Snapshot() }

// Snapshot implements Memory.
func (m *vector) Snapshot() *pyval.Dict {
	return sim.Answer(coreSize.prefix, m.core.snapshot(), archivalSize.prefix, m.archival.snapshot())
}

func (s *vectorStore) snapshot() *pyval.Dict {
	return sim.Answer("next_id", pyval.MakeInt(s.next), "store", s.byText())
}

// byText are the texts under their numbers as JSON's keys.
func (s *vectorStore) byText() *pyval.Dict {
	d := pyval.NewDict(s.texts.Len())
	for id, text := range s.texts.All() {
		d.SetStr(pyval.Text(id), text)
	}
	return d
}

// Context implements Memory.
func (m *vector) Context() (string, error) { return pyval.JSONIndent(m.core.byText(), indent) }

// load takes a snapshot's part: the texts in the file's order, the index by
// number.
func (s *vectorStore) load(snapshot *pyval.Dict) {
	part := child(snapshot, s.prefix)
	store := texts(part, "store")
	next, _ := part.GetStr("next_id")
	n, ok := next.(pyval.Int)
	if s.next, _ = n.Int64(); !ok || s.next < 0 {
		refuse("the snapshot's next_id of %s is missing or not a number", s.prefix)
	}
	for key, text := range store.All() {
		id, err := strconv.ParseInt(pyval.Text(key), 10, 32)
		if err != nil || id < 0 || id >= s.next || strconv.FormatInt(id, 10) != pyval.Text(key) {
			refuse("the snapshot's store of %s has the key %.40q, which is not a number below its next_id", s.prefix, pyval.Text(key))
		}
		s.put(id, text)
	}
	slices.Sort(s.index)
}
