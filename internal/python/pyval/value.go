// Package pyval holds Python values in Go: the closed set of values that a
// model's call, a tool document or a possible answer can contain.
//
//	Python              Go
//	None                NoneType (use None)
//	True, False         Bool
//	5                   Int (any size)
//	5.0                 Float
//	"x"                 Str (WTF-8: lone surrogates are kept)
//	b"x"                Bytes
//	5j                  Complex
//	[1]                 *List
//	(1,)                *Tuple
//	{1}                 *Set
//	{"a": 1}            *Dict (insertion order)
//	...                 EllipsisType (use Ellipsis)
//
// Verdicts depend on details that Go's own types lose: 5 is not 5.0, a key's
// position in a dict decides which error comes first, True equals 1 but is of
// another type, and error texts hold Python's repr. There are two functions
// because there are two notions of equality: SameType is type(a) == type(b),
// Equal is a == b.
package pyval

import "strings"

// Kind names a Python type.
type Kind uint8

// The kinds, one per Go type of the package.
const (
	KindNone Kind = iota
	KindBool
	KindInt
	KindFloat
	KindStr
	KindBytes
	KindComplex
	KindList
	KindTuple
	KindSet
	KindDict
	KindEllipsis
)

var kindNames = [...]string{
	KindNone: "NoneType", KindBool: "bool", KindInt: "int", KindFloat: "float",
	KindStr: "str", KindBytes: "bytes", KindComplex: "complex", KindList: "list",
	KindTuple: "tuple", KindSet: "set", KindDict: "dict", KindEllipsis: "ellipsis",
}

// String returns Python's name of the type, as type(v).__name__ gives it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "object"
}

// A Value is one Python value. The set is closed: only this package's types
// implement it, so a type switch over them is complete.
type Value interface {
	// Kind returns the Python type.
	Kind() Kind
	sealed()
}

type (
	// NoneType is the type of None.
	NoneType struct{}
	// Bool is Python's bool.
	Bool bool
	// Float is Python's float.
	Float float64
	// Str is Python's str in WTF-8: UTF-8 in which a lone surrogate is encoded
	// as three bytes (ED A0 80 to ED BF BF).
	Str string
	// Bytes is Python's bytes.
	Bytes string
	// Complex is Python's complex.
	Complex complex128
	// EllipsisType is the type of Ellipsis.
	EllipsisType struct{}
)

// A List is Python's list: mutable and shared by reference.
type List struct {
	// Items are the elements in order.
	Items []Value
}

// A Tuple is Python's tuple. Its Items must not change.
type Tuple struct {
	// Items are the elements in order.
	Items []Value
}

// None is Python's None.
var None = NoneType{}

// Ellipsis is Python's Ellipsis, written `...`.
var Ellipsis = EllipsisType{}

// NewList returns a list of the given items.
func NewList(items ...Value) *List { return &List{Items: items} }

// Map returns a list of what f returns for each item.
func (l *List) Map(f func(Value) Value) *List {
	out := &List{Items: make([]Value, len(l.Items))}
	for i, item := range l.Items {
		out.Items[i] = f(item)
	}
	return out
}

// ListOf returns a list of values of one type.
func ListOf[T Value](items []T) *List {
	out := MakeList(len(items))
	for i, item := range items {
		out.Items[i] = item
	}
	return out
}

// Texts returns a list of texts.
func Texts(texts []string) *List {
	out := MakeList(len(texts))
	for i, text := range texts {
		out.Items[i] = Str(text)
	}
	return out
}

// MakeList returns a list of n items, which must be filled in. The items of a
// short list are allocated together with it.
func MakeList(n int) *List {
	if n == 1 || n == 2 {
		l := &struct {
			List
			beside [2]Value
		}{}
		l.Items = l.beside[:n:n]
		return &l.List
	}
	return &List{Items: make([]Value, n)}
}

// NewTuple returns a tuple of the given items.
func NewTuple(items ...Value) *Tuple { return &Tuple{Items: items} }

// Kind implements Value.
func (NoneType) Kind() Kind { return KindNone }

// Kind implements Value.
func (Bool) Kind() Kind { return KindBool }

// Kind implements Value.
func (Int) Kind() Kind { return KindInt }

// Kind implements Value.
func (Float) Kind() Kind { return KindFloat }

// Kind implements Value.
func (Str) Kind() Kind { return KindStr }

// Kind implements Value.
func (Bytes) Kind() Kind { return KindBytes }

// Kind implements Value.
func (Complex) Kind() Kind { return KindComplex }

// Kind implements Value.
func (*List) Kind() Kind { return KindList }

// Kind implements Value.
func (*Tuple) Kind() Kind { return KindTuple }

// Kind implements Value.
func (*Set) Kind() Kind { return KindSet }

// Kind implements Value.
func (*Dict) Kind() Kind { return KindDict }

// Kind implements Value.
func (EllipsisType) Kind() Kind { return KindEllipsis }

func (NoneType) sealed()     {}
func (Bool) sealed()         {}
func (Int) sealed()          {}
func (Float) sealed()        {}
func (Str) sealed()          {}
func (Bytes) sealed()        {}
func (Complex) sealed()      {}
func (*List) sealed()        {}
func (*Tuple) sealed()       {}
func (*Set) sealed()         {}
func (*Dict) sealed()        {}
func (EllipsisType) sealed() {}

// TypeName returns Python's type(v).__name__.
func TypeName(v Value) string { return v.Kind().String() }

// ATypeName returns TypeName with its article, such as "an int" or "a str".
func ATypeName(v Value) string {
	name := TypeName(v)
	if strings.ContainsAny(name[:1], "aeiou") {
		return "an " + name
	}
	return "a " + name
}

// Truth reports whether v is true in Python, as bool(v) does.
func Truth(v Value) bool {
	switch v := v.(type) {
	case NoneType:
		return false
	case Bool:
		return bool(v)
	case Int:
		return v.Sign() != 0
	case Float:
		return v != 0
	case Str:
		return v != ""
	case Bytes:
		return v != ""
	case Complex:
		return v != 0
	}
	n, sized := Len(v)
	return !sized || n != 0
}

// Len returns the number of elements of a container, Python's len(v) for
// containers; ok is false for values that are not containers.
func Len(v Value) (n int, ok bool) {
	switch v := v.(type) {
	case *List:
		return len(v.Items), true
	case *Tuple:
		return len(v.Items), true
	case *Set:
		return v.Len(), true
	case *Dict:
		return v.Len(), true
	}
	return 0, false
}

// DeepCopy returns Python's copy.deepcopy(v) for values without shared parts:
// containers are copied all the way down.
func DeepCopy(v Value) Value {
	switch v := v.(type) {
	case *List:
		c := MakeList(len(v.Items))
		for i, item := range v.Items {
			c.Items[i] = DeepCopy(item)
		}
		return c
	case *Tuple:
		c := &Tuple{Items: make([]Value, len(v.Items))}
		for i, item := range v.Items {
			c.Items[i] = DeepCopy(item)
		}
		return c
	case *Dict:
		c := v.Clone()
		for i := range c.entries {
			c.entries[i].val = DeepCopy(c.entries[i].val)
		}
		return c
	case *Set:
		c := &Set{}
		c.dict.entries = append(c.dict.entries, v.dict.entries...)
		return c
	}
	return v
}

// itemWeight is the weight of a place in a container, without its value.
const itemWeight = 16

// Weight returns roughly how many bytes a value takes when it is written out or
// copied all the way down; small numbers by themselves count as nothing. A
// shared part counts each time it occurs, so [[[0]*1000]*1000]*1000 is heavy
// although it takes little memory. Counting stops once the weight exceeds most.
func Weight(v Value, most int) int {
	switch v := v.(type) {
	case Str:
		return len(v)
	case Bytes:
		return len(v)
	case Int:
		if v.big != nil {
			return v.big.BitLen() / 8
		}
	case *List:
		return weightAll(v.Items, most)
	case *Tuple:
		return weightAll(v.Items, most)
	case *Set:
		return v.dict.weight(most)
	case *Dict:
		return v.weight(most)
	}
	return 0
}

func weightAll(items []Value, most int) (total int) {
	for _, item := range items {
		if total > most {
			break
		}
		total += itemWeight + Weight(item, most-total)
	}
	return total
}

func (d *Dict) weight(most int) (total int) {
	for _, e := range d.all() {
		if total > most {
			break
		}
		total += 2*itemWeight + Weight(e.key, most-total)
		if total <= most {
			total += Weight(e.val, most-total)
		}
	}
	return total
}
