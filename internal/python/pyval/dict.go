package pyval

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"sync"
	"sync/atomic"
)

// indexFrom is the number of entries from which a dict is searched through a
// hash index; below it a linear search is faster.
const indexFrom = 24

type entry struct{ key, val Value }

// A Dict is Python's dict: keys keep their insertion order, and equal keys (1,
// 1.0, True) are one key. The zero Dict is empty and ready to use.
type Dict struct {
	entries []entry // if the dict is not late: see all
	more    atomic.Pointer[more]
}

// A more is what few dicts have besides their entries.
type more struct {
	// index maps hash keys to positions. The first search makes it, because
	// many dicts are never searched. Goroutines that read a dict at once may
	// each make one.
	index map[any]int32
	// text is that of a late dict, in the form that AppendJSON writes with
	// JSONUnicode: it is parsed when an entry other than the first is needed.
	text  string
	first entry // if its value is a Str
	once  sync.Once
}

// all returns the entries.
func (d *Dict) all() []entry {
	if m := d.more.Load(); m != nil && m.text != "" {
		d.settle(m)
	}
	return d.entries
}

// settle parses the text of a late dict.
func (d *Dict) settle(m *more) {
	m.once.Do(func() {
		v, _ := ParseJSON(m.text) // which was checked
		d.entries = v.(*Dict).entries
		d.more.Store(nil)
	})
}

// NewDict returns an empty dict with room for n entries. The entries of a small
// dict are allocated together with it.
func NewDict(n int) *Dict {
	switch {
	case n == 1 || n == 2:
		d := &struct {
			Dict
			beside [2]entry
		}{}
		d.entries = d.beside[:0]
		return &d.Dict
	case n == 3 || n == 4:
		d := &struct {
			Dict
			beside [4]entry
		}{}
		d.entries = d.beside[:0]
		return &d.Dict
	}
	return &Dict{entries: make([]entry, 0, n)}
}

// Pair returns a dict with one entry. The key must be hashable.
func Pair(key, val Value) *Dict {
	d := NewDict(1)
	d.entries = append(d.entries, entry{key, val})
	return d
}

// Object returns a dict of alternating keys, which are strings, and values.
func Object(pairs ...any) *Dict {
	d := NewDict(len(pairs) / 2)
	for i := 0; i+1 < len(pairs); i += 2 {
		d.SetStr(pairs[i].(string), pairs[i+1].(Value))
	}
	return d
}

// Len returns the number of entries.
func (d *Dict) Len() int { return len(d.all()) }

// At returns the entry at position i in insertion order.
func (d *Dict) At(i int) (key, val Value) {
	e := d.all()[i]
	return e.key, e.val
}

// All yields the entries in insertion order; a nil Dict has none.
func (d *Dict) All() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if d == nil {
			return
		}
		for _, e := range d.all() {
			if !yield(e.key, e.val) {
				return
			}
		}
	}
}

// Keys returns the keys in insertion order.
func (d *Dict) Keys() []Value {
	entries := d.all()
	keys := make([]Value, len(entries))
	for i := range entries {
		keys[i] = entries[i].key
	}
	return keys
}

// Get returns the value of a key. An unhashable key is simply not found.
func (d *Dict) Get(key Value) (Value, bool) {
	if i := d.find(key); i >= 0 {
		return d.entries[i].val, true
	}
	return nil, false
}

// GetNear is Get for a key that is most likely at position i.
func (d *Dict) GetNear(key Value, i int) (Value, bool) {
	if i < len(d.all()) {
		if s, ok := key.(Str); ok {
			if own, ok := d.entries[i].key.(Str); ok && own == s {
				return d.entries[i].val, true
			}
		}
	}
	return d.Get(key)
}

// GetStrNear is GetStr for a key that is most likely at position i.
func (d *Dict) GetStrNear(key string, i int) (Value, bool) {
	if i < len(d.all()) {
		if own, ok := d.entries[i].key.(Str); ok && string(own) == key {
			return d.entries[i].val, true
		}
	}
	return d.GetStr(key)
}

// GetStr returns the value of a str key.
func (d *Dict) GetStr(key string) (Value, bool) {
	if m := d.more.Load(); m != nil && m.first.key == Str(key) {
		return m.first.val, true
	}
	if i := d.findStr(key); i >= 0 {
		return d.entries[i].val, true
	}
	return nil, false
}

// Child returns the dict under a string key; nil if there is none. A nil Dict
// has no children.
func (d *Dict) Child(key string) *Dict {
	if d == nil {
		return nil
	}
	v, _ := d.GetStr(key)
	child, _ := v.(*Dict)
	return child
}

// List returns the items of the list under a string key; nil if there is none. A
// nil Dict has none.
func (d *Dict) List(key string) []Value {
	if d == nil {
		return nil
	}
	v, _ := d.GetStr(key)
	if list, ok := v.(*List); ok {
		return list.Items
	}
	return nil
}

// Text returns the text under a string key; false if there is none. A nil Dict
// has none.
func (d *Dict) Text(key string) (string, bool) {
	if d == nil {
		return "", false
	}
	v, _ := d.GetStr(key)
	s, ok := v.(Str)
	return string(s), ok
}

// Has reports whether the dict has a str key.
func (d *Dict) Has(key string) bool { return d.findStr(key) >= 0 }

// Set stores a value under a key. Like Python, it keeps the position and the
// spelling of a key that is already there. An unhashable key is an error.
func (d *Dict) Set(key, val Value) error {
	if key.Kind() != KindStr {
		if err := Hashable(key); err != nil {
			return err
		}
	}
	if i := d.find(key); i >= 0 {
		d.entries[i].val = val
		return nil
	}
	d.push(key, val)
	return nil
}

// SetStr stores a value under a str key.
func (d *Dict) SetStr(key string, val Value) {
	if i := d.findStr(key); i >= 0 {
		d.entries[i].val = val
		return
	}
	d.push(Str(key), val)
}

// Add is Set for a hashable key that is not there yet; it does not check that.
func (d *Dict) Add(key, val Value) { d.push(key, val) }

// Delete removes a key and reports whether it was there.
func (d *Dict) Delete(key Value) bool {
	i := d.find(key)
	if i < 0 {
		return false
	}
	d.entries = append(d.entries[:i], d.entries[i+1:]...)
	d.more.Store(nil)
	return true
}

// Clone returns a shallow copy, Python's d.copy().
func (d *Dict) Clone() *Dict {
	entries := d.all()
	c := NewDict(len(entries))
	c.entries = append(c.entries, entries...)
	return c
}

// positions returns the index, and makes it if it is missing.
func (d *Dict) positions() map[any]int32 {
	if m := d.more.Load(); m != nil {
		return m.index
	}
	at := make(map[any]int32, 2*len(d.entries))
	for i := range d.entries {
		at[hashKey(d.entries[i].key)] = int32(i)
	}
	d.more.Store(&more{index: at})
	return at
}

// push adds an entry under a key that is not there yet.
func (d *Dict) push(key, val Value) {
	d.entries = append(d.all(), entry{key, val})
	if m := d.more.Load(); m != nil {
		m.index[hashKey(key)] = int32(len(d.entries) - 1)
	}
}

func (d *Dict) findStr(key string) int {
	if entries := d.all(); len(entries) < indexFrom {
		for i := range entries {
			if s, ok := entries[i].key.(Str); ok && string(s) == key {
				return i
			}
		}
		return -1
	}
	return d.lookup(Str(key))
}

func (d *Dict) find(key Value) int {
	if s, ok := key.(Str); ok {
		return d.findStr(string(s))
	}
	if Hashable(key) != nil {
		return -1
	}
	if entries := d.all(); len(entries) < indexFrom {
		for i := range entries {
			if Equal(entries[i].key, key) {
				return i
			}
		}
		return -1
	}
	return d.lookup(key)
}

func (d *Dict) lookup(key Value) int {
	if i, ok := d.positions()[hashKey(key)]; ok {
		return int(i)
	}
	return -1
}

// Hashable returns nil if Python can hash the value, else an error with the
// TypeError's text.
func Hashable(v Value) error {
	switch v := v.(type) {
	case *List, *Dict, *Set:
		return fmt.Errorf("unhashable type: '%s'", TypeName(v))
	case *Tuple:
		for _, item := range v.Items {
			if err := Hashable(item); err != nil {
				return err
			}
		}
	}
	return nil
}

type (
	bigKey   string
	tupleKey string
)

// hashKey maps a hashable value to a comparable Go value such that equal
// Python values get equal keys.
func hashKey(v Value) any {
	switch v := v.(type) {
	case Bool, Int:
		n, _ := IntOf(v)
		if small, ok := n.Int64(); ok {
			return small
		}
		return bigKey(n.String())
	case Float:
		return floatKey(float64(v))
	case Complex:
		if imag(v) == 0 {
			return floatKey(real(v))
		}
		return complex128(v)
	case *Tuple:
		var b []byte
		for _, item := range v.Items {
			key := hashKey(item)
			text := fmt.Sprint(key)
			b = fmt.Appendf(b, "%T %d:%s", key, len(text), text)
		}
		return tupleKey(b)
	}
	return v
}

func floatKey(f float64) any {
	if f != math.Trunc(f) || math.IsInf(f, 0) {
		return f
	}
	if f >= -(1<<63) && f < 1<<63 {
		return int64(f)
	}
	whole, _ := big.NewFloat(f).Int(nil)
	return bigKey(whole.String())
}

// A Set is Python's set. It keeps insertion order; Python's order depends on
// hashes. The zero Set is empty and ready to use.
type Set struct{ dict Dict }

// NewSet returns a set of the given items; an unhashable item is an error.
func NewSet(items ...Value) (*Set, error) {
	s := &Set{}
	for _, item := range items {
		if err := s.Add(item); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Add adds an item to the set; an unhashable item is an error.
func (s *Set) Add(v Value) error {
	if _, ok := s.dict.Get(v); ok {
		return nil
	}
	return s.dict.Set(v, None)
}

// Has reports whether an equal item is in the set.
func (s *Set) Has(v Value) bool {
	_, ok := s.dict.Get(v)
	return ok
}

// Len returns the number of items.
func (s *Set) Len() int { return s.dict.Len() }

// All yields the items in insertion order.
func (s *Set) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for i := range s.dict.entries {
			if !yield(s.dict.entries[i].key) {
				return
			}
		}
	}
}
