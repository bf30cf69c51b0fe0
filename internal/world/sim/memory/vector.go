package memory

import (
	_ "embed"

	"context"
	"fmt"
	"slices"
	"sort"
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
		Methods: vectorMethods(),
		New: func(scenario *pyval.Dict, world *sim.World) (sim.Instance, error) {
			m := &vector{}
			before, err := snapshotOf(scenario)
			for _, part := range []struct {
				store *vectorStore
				size
			}{{&m.core, coreSize}, {&m.archival, archivalSize}} {
				*part.store = vectorStore{size: part.size, texts: &pyval.Dict{}, embedder: embedder, world: world}
				if err == nil && before != nil {
					err = part.store.load(before)
				}
			}
			return m, err
		},
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

func vectorMethods() []sim.Method {
	archival := storeMethods(archivalSize, func(m *vector) *vectorStore { return &m.archival })
	return append(archival, storeMethods(coreSize, func(m *vector) *vectorStore { return &m.core })...)
}

func storeMethods(s size, of func(*vector) *vectorStore) []sim.Method {
	on := func(f func(*vectorStore, []pyval.Value) (pyval.Value, error)) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
		return sim.On(func(m *vector, args []pyval.Value) (pyval.Value, error) { return f(of(m), args) })
	}
	return []sim.Method{
		{Name: s.named("add"), Params: sim.Required("text"), Call: on((*vectorStore).add)},
		{Name: s.named("clear"), Call: on((*vectorStore).clear)},
		{Name: s.named("remove"), Params: sim.Required("vec_id"), Call: on((*vectorStore).remove)},
		{Name: s.named("retrieve"), Params: []sim.Param{{Name: "query"}, {Name: "top_k", Default: pyval.MakeInt(5)}}, Call: on((*vectorStore).retrieve)},
		{Name: s.named("retrieve_all"), Call: on((*vectorStore).retrieveAll)},
		{Name: s.named("update"), Params: sim.Required("vec_id", "new_text"), Call: on((*vectorStore).update)},
	}
}

func (s *vectorStore) add(args []pyval.Value) (pyval.Value, error) {
	if refusal, err := s.tooLong(args[0]); refusal != nil || err != nil {
		return refusal, err
	}
	if s.texts.Len() >= s.entries {
		return sim.Fail(fmt.Sprintf("Memory size exceeds maximum size of %d entries.", s.entries)), nil
	}
	text, err := mustEmbed(args[0])
	if err != nil {
		return nil, err
	}
	id := pyval.MakeInt(s.next)
	_ = s.texts.Set(id, text) // an int can be a key
	s.index = append(s.index, s.next)
	s.next++
	return sim.Answer("id", id), nil
}

// tooLong is a refusal, or nil.
func (s *vectorStore) tooLong(text pyval.Value) (pyval.Value, error) {
	n, err := pyval.Length(text)
	if err != nil || n <= s.length {
		return nil, err
	}
	return sim.Fail(fmt.Sprintf("Entry length exceeds maximum length of %d characters.", s.length)), nil
}

// mustEmbed refuses what no embedder takes. What upstream's raises for it
// depends on the library.
func mustEmbed(v pyval.Value) (pyval.Str, error) {
	text, ok := v.(pyval.Str)
	if !ok {
		return "", sim.Raise("TypeError", "a text is needed, not "+pyval.TypeName(v))
	}
	return text, nil
}

// find is the number of an entry; a refusal or an error if there is none.
func (s *vectorStore) find(v pyval.Value) (id int64, refusal pyval.Value, err error) {
	_, ok, err := sim.Find(s.texts, v)
	if err != nil {
		return 0, nil, err
	}
	if !ok {
		refusal, err = sim.FailOn("ID ", v, " not present in store.")
		return 0, refusal, err
	}
	for _, id := range s.index {
		if pyval.Equal(pyval.MakeInt(id), v) {
			return id, nil, nil
		}
	}
	return 0, nil, sim.KeyError(v)
}

func (s *vectorStore) remove(args []pyval.Value) (pyval.Value, error) {
	id, refusal, err := s.find(args[0])
	if refusal != nil || err != nil {
		return refusal, err
	}
	s.texts.Delete(pyval.MakeInt(id))
	s.unlist(id)
	return s.done(args[0], " removed from store.")
}

func (s *vectorStore) update(args []pyval.Value) (pyval.Value, error) {
	id, refusal, err := s.find(args[0])
	if refusal != nil || err != nil {
		return refusal, err
	}
	if refusal, err := s.tooLong(args[1]); refusal != nil || err != nil {
		return refusal, err
	}
	text, err := mustEmbed(args[1])
	if err != nil {
		return nil, err
	}
	_ = s.texts.Set(pyval.MakeInt(id), text)
	s.unlist(id)
	s.index = append(s.index, id)
	return s.done(args[0], " updated.")
}

func (s *vectorStore) unlist(id int64) {
	s.index = slices.DeleteFunc(s.index, func(have int64) bool { return have == id })
}

func (s *vectorStore) done(id pyval.Value, what string) (pyval.Value, error) {
	text, err := sim.Around("ID ", id, what)
	if err != nil {
		return nil, err
	}
	return sim.Answer("status", text), nil
}

func (s *vectorStore) clear([]pyval.Value) (pyval.Value, error) {
	s.texts, s.index, s.next = &pyval.Dict{}, nil, 0
	return status("Memory cleared."), nil
}

func (s *vectorStore) retrieveAll([]pyval.Value) (pyval.Value, error) {
	all := &pyval.List{Items: make([]pyval.Value, 0, s.texts.Len())}
	for id, text := range s.texts.All() {
		all.Items = append(all.Items, sim.Record([]string{"id", "text"}, id, text))
	}
	return sim.Answer("result", all), nil
}

func (s *vectorStore) retrieve(args []pyval.Value) (pyval.Value, error) {
	if s.texts.Len() == 0 {
		return sim.Answer("result", pyval.NewList()), nil
	}
	query, err := mustEmbed(args[0])
	if err != nil {
		return nil, err
	}
	k, err := s.wanted(args[1])
	if err != nil {
		return nil, err
	}
	near, err := s.nearest(string(query), k)
	if err != nil {
		return nil, err
	}
	found := &pyval.List{Items: make([]pyval.Value, len(near))}
	for i, n := range near {
		id := pyval.MakeInt(n.id)
		text, _ := s.texts.Get(id)
		found.Items[i] = sim.Record([]string{"id", "similarity_score", "text"}, id, pyval.Float(n.score), text)
	}
	return sim.Answer("result", found), nil
}

// wanted is how many neighbours are: Python's min(k, size), which faiss wants
// to be an int above 0.
func (s *vectorStore) wanted(k pyval.Value) (int, error) {
	least, err := sim.Min([]pyval.Value{k, pyval.MakeInt(int64(s.texts.Len()))})
	if err != nil {
		return 0, err
	}
	n, ok := pyval.IntOf(least)
	if !ok {
		return 0, sim.Raise("TypeError", "k must be an int, not "+pyval.TypeName(least))
	}
	count, small := n.Int64()
	if !small || count <= 0 {
		return 0, sim.Raise("AssertionError", "")
	}
	return int(count), nil
}

// Backend returns the name in prompts.
func (*vector) Backend() string { return "memory_vector" }

// State implements sim.Instance.
func (m *vector) State() *pyval.Dict { return m.Snapshot() }

// Snapshot implements Memory.
func (m *vector) Snapshot() *pyval.Dict {
	return sim.Record([]string{coreSize.prefix, archivalSize.prefix}, m.core.snapshot(), m.archival.snapshot())
}

func (s *vectorStore) snapshot() *pyval.Dict {
	return sim.Record([]string{"next_id", "store"}, pyval.MakeInt(s.next), s.byText())
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
func (s *vectorStore) load(snapshot *pyval.Dict) error {
	part, err := child(snapshot, s.prefix)
	if err != nil {
		return err
	}
	store, err := texts(part, "store")
	if err != nil {
		return fmt.Errorf("%s: %w", s.prefix, err)
	}
	next, _ := part.GetStr("next_id")
	n, ok := next.(pyval.Int)
	if s.next, _ = n.Int64(); !ok || s.next < 0 {
		return fmt.Errorf("the snapshot's next_id of %s is missing or not a number", s.prefix)
	}
	for key, text := range store.All() {
		id, err := strconv.ParseInt(pyval.Text(key), 10, 32)
		if err != nil || id < 0 || id >= s.next || strconv.FormatInt(id, 10) != pyval.Text(key) {
			return fmt.Errorf("the snapshot's store of %s has the key %.40q, which is not a number below its next_id", s.prefix, pyval.Text(key))
		}
		_ = s.texts.Set(pyval.MakeInt(id), text)
		s.index = append(s.index, id)
	}
	sort.Slice(s.index, func(i, j int) bool { return s.index[i] < s.index[j] })
	return nil
}
