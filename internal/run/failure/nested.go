package failure

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// only is the one accepted value of a parameter, where it and the value given
// are both lists or both objects: then their items are compared.
func only(accepted, given pyval.Value) (pyval.Value, bool) {
	list, ok := accepted.(*pyval.List)
	if !ok {
		return nil, false
	}
	var one pyval.Value
	for _, v := range list.Items {
		switch {
		case v == pyval.Value(pyval.Str("")):
		case one != nil:
			return nil, false
		default:
			one = v
		}
	}
	return one, one != nil && nests(one, given)
}

func nests(a, b pyval.Value) bool {
	return a.Kind() == b.Kind() && (a.Kind() == pyval.KindList || a.Kind() == pyval.KindDict)
}

// differences are the lines of what was accepted and what was given, by place.
type differences struct{ want, got map[string]string }

// add adds what differs below a place. Fields of an accepted object have lists
// of accepted values.
func (d differences) add(at string, want, got pyval.Value) {
	switch want := want.(type) {
	case *pyval.List:
		d.items(at, want.Items, got.(*pyval.List).Items)
	case *pyval.Dict:
		d.fields(at, want, got.(*pyval.Dict))
	}
}

func (d differences) items(at string, want, got []pyval.Value) {
	for i := range max(len(want), len(got)) {
		place := fmt.Sprintf("%s[%d]", at, i)
		switch {
		case i >= len(got):
			d.want[place] = pyval.Repr(want[i])
		case i >= len(want):
			d.got[place] = pyval.Repr(got[i])
		default:
			d.one(place, want[i], got[i])
		}
	}
}

func (d differences) fields(at string, want, got *pyval.Dict) {
	for key, accepted := range want.All() {
		place := at + "." + pyval.Text(key)
		v, given := got.Get(key)
		switch {
		case !given && !accepts(accepted, pyval.Str("")):
			d.want[place] = pyval.Repr(accepted)
		case given && !accepts(accepted, v):
			d.one(place, accepted, v)
		}
	}
	for key, v := range got.All() {
		if _, known := want.Get(key); !known {
			d.got[at+"."+pyval.Text(key)] = pyval.Repr(v)
		}
	}
}

// one compares one item or field.
func (d differences) one(place string, want, got pyval.Value) {
	if pyval.Equal(want, got) {
		return
	}
	if inner, ok := only(want, got); ok {
		want = inner
	}
	if nests(want, got) {
		before := len(d.want) + len(d.got)
		if d.add(place, want, got); len(d.want)+len(d.got) > before {
			return
		}
	}
	d.want[place], d.got[place] = pyval.Repr(want), pyval.Repr(got)
}
