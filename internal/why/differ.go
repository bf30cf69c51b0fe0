package why

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// The limits of differences: how many are shown and looked for, and the bytes
// of a place.
const (
	showDifferences = 8
	mostDifferences = 1000
	capPlace        = 120
)

// A difference is one place in the arguments of a call where the given value is
// not accepted.
type difference struct {
	// call is the number of the call, if several were made.
	call int
	// path leads to the place: an argument, then fields, and items such as
	// "[2]". It is empty if the whole call differs.
	path []string
	// accepted are the values accepted there; nil if no value is.
	accepted []pyval.Value
	got      pyval.Value // nil if nothing was given
}

// String returns a line such as "items[1].quantity: accepted 1 or 2, got
// 'one'".
func (d difference) String() string {
	accepted, got := "nothing", "nothing"
	if len(d.accepted) > 0 {
		var texts []string
		for _, v := range d.accepted {
			texts = append(texts, say.Printable(pyval.Repr(v), capDiffer))
		}
		accepted = say.Cut(strings.Join(texts, " or "), 2*capDiffer)
	}
	if d.got != nil {
		got = say.Printable(pyval.Repr(d.got), capDiffer)
	}
	place := "a call"
	if len(d.path) > 0 {
		place = say.Printable(written(d.path), capPlace)
	}
	if d.call > 0 {
		place = fmt.Sprintf("call %d, %s", d.call, place)
	}
	return place + ": accepted " + accepted + ", got " + got
}

// Diff says where the calls made differ from those expected: one line for each
// place in the arguments, with what is accepted there and what was given. It is
// "" if there is nothing to compare.
func Diff(answer *pyval.List, decoded pyval.Value) string {
	made, _ := decoded.(*pyval.List)
	if answer == nil || made == nil {
		return ""
	}
	found := differences(answer.Items, made.Items)
	lines := make([]string, 0, showDifferences+1)
	for _, d := range found[:min(len(found), showDifferences)] {
		lines = append(lines, "    "+d.String())
	}
	switch left := len(found) - showDifferences; {
	case len(found) >= mostDifferences:
		lines = append(lines, "    and many more")
	case left > 0:
		lines = append(lines, fmt.Sprintf("    and %d more", left))
	}
	return strings.Join(lines, "\n")
}

// written returns a path as it is shown. A name that is not a word is quoted,
// because it may be the model's and it begins the line.
func written(path []string) string {
	odd := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	var b strings.Builder
	for i, name := range path {
		switch {
		case strings.HasPrefix(name, "[") && i > 0:
			b.WriteString(name)
			continue
		case name == "" || strings.ContainsFunc(name, odd):
			name = pyval.Repr(pyval.Str(name))
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(name)
	}
	return b.String()
}

// differences compares the expected calls with those made, paired so that they
// differ least.
func differences(expected, made []pyval.Value) (out []difference) {
	several := len(expected) > 1 || len(made) > 1
	level := func(want, call int) cause.Level {
		found, ok := deviations(expected[want], made[call])
		if !ok {
			return cause.Ground
		}
		return cause.Values - cause.Level(min(len(found), int(cause.Values-cause.Call)))
	}
	if len(expected) == 1 && len(made) == 1 && level(0, 0) == cause.Ground {
		return nil
	}
	left := slices.Clone(made)
	for want, call := range match(len(expected), len(made), false, cause.Call, level) {
		if call < 0 {
			out = append(out, difference{accepted: expected[want : want+1]})
			continue
		}
		left[call] = nil
		found, _ := deviations(expected[want], made[call])
		for _, d := range found {
			if several {
				d.call = call + 1
			}
			out = append(out, d)
		}
	}
	for _, extra := range left {
		if extra != nil {
			out = append(out, difference{got: extra})
		}
	}
	return out
}

// deviations returns where a call differs from an expected one; ok is false if they are
// of different functions or have no arguments.
func deviations(want, got pyval.Value) (found []difference, ok bool) {
	name, accepted := split(want)
	other, given := split(got)
	if ok = accepted != nil && given != nil && name == other; ok {
		found = inArgument.arguments(nil, accepted, given)
	}
	return found, ok
}

// split returns a call's function, by the name that most models see, and its
// arguments; nil if it is not a call.
func split(call pyval.Value) (name string, args *pyval.Dict) {
	d, ok := call.(*pyval.Dict)
	if !ok || d.Len() == 0 {
		return "", nil
	}
	key, v := d.At(0)
	args, _ = v.(*pyval.Dict)
	return underscored(pyval.Text(key)), args
}

func underscored(name string) string { return strings.ReplaceAll(name, ".", "_") }

// A comparison is how deep two values are in an argument. Upstream compares
// texts leniently as arguments, as items of a list and as fields of an object,
// and exactly below that. Only fields at that depth have lists of accepted
// values.
type comparison int

const (
	inArgument comparison = iota
	inItem
	inField
	inside
)

// arguments compares fields, each with its list of accepted values; inside, each
// with its single value.
func (c comparison) arguments(at []string, want, got *pyval.Dict) (out []difference) {
	for key, accepted := range want.All() {
		v, _ := got.Get(key)
		out = append(out, c.alternatives(below(at, pyval.Text(key)), accepted, v)...)
		if len(out) >= mostDifferences {
			return out[:mostDifferences]
		}
	}
	for key, v := range got.All() {
		if _, known := want.Get(key); !known && len(out) < mostDifferences {
			out = append(out, difference{path: below(at, pyval.Text(key)), got: v})
		}
	}
	return out
}

// below returns the path of something inside.
func below(at []string, name string) []string { return append(slices.Clip(at), name) }

// alternatives compares a value with each accepted one and returns the
// differences from the nearest. An accepted "" means that the argument may be
// left out.
func (c comparison) alternatives(at []string, accepted, got pyval.Value) []difference {
	list, ok := accepted.(*pyval.List)
	if !ok || c == inside {
		list = pyval.NewList(accepted)
	}
	shown := make([]pyval.Value, 0, len(list.Items))
	var near []difference
	for _, want := range list.Items {
		blank := c < inside && want == pyval.Value(pyval.Str(""))
		if got == nil {
			if blank {
				return nil
			}
		} else if d := c.value(at, want, got); len(d) == 0 {
			return nil
		} else if nests(want, got) && (near == nil || len(d) < len(near)) {
			near = d
		}
		if !blank {
			shown = append(shown, want)
		}
	}
	if near != nil {
		return near
	}
	return []difference{{path: at, accepted: shown, got: got}}
}

// value compares two values.
func (c comparison) value(at []string, want, got pyval.Value) []difference {
	switch {
	case !nests(want, got):
		if c < inside && judge.Alike(got, want) || pyval.Equal(got, want) {
			return nil
		}
		return []difference{{path: at, accepted: []pyval.Value{want}, got: got}}
	case want.Kind() == pyval.KindList && c == inArgument:
		return inItem.items(at, items(want), items(got))
	case want.Kind() == pyval.KindList:
		return inside.items(at, items(want), items(got))
	case c <= inItem:
		return inField.arguments(at, want.(*pyval.Dict), got.(*pyval.Dict))
	}
	return inside.arguments(at, want.(*pyval.Dict), got.(*pyval.Dict))
}

// nests reports whether both values are lists, or both objects.
func nests(a, b pyval.Value) bool {
	return a.Kind() == b.Kind() && (a.Kind() == pyval.KindList || a.Kind() == pyval.KindDict)
}

// items compares lists item by item. Equal items at both ends are left out, so
// that one item too many is one difference, and not one for each item that
// follows.
func (c comparison) items(at []string, want, got []pyval.Value) (out []difference) {
	from := 0
	for from < min(len(want), len(got)) && c.same(want[from], got[from]) {
		from++
	}
	behind := 0
	for behind < min(len(want), len(got))-from && c.same(want[len(want)-1-behind], got[len(got)-1-behind]) {
		behind++
	}
	want, got = want[from:len(want)-behind], got[from:len(got)-behind]
	for i := 0; i < max(len(want), len(got)) && len(out) < mostDifferences; i++ {
		place := below(at, fmt.Sprintf("[%d]", from+i))
		switch {
		case i >= len(got):
			out = append(out, difference{path: place, accepted: want[i : i+1]})
		case i >= len(want):
			out = append(out, difference{path: place, got: got[i]})
		default:
			out = append(out, c.value(place, want[i], got[i])...)
		}
	}
	return out
}

// same reports whether two values do not differ. Unlike looking for
// differences, it does not go through nested lists repeatedly.
func (c comparison) same(want, got pyval.Value) bool {
	if c == inside || want.Kind() == pyval.KindList {
		return pyval.Equal(got, want)
	}
	return len(c.value(nil, want, got)) == 0
}
