package match

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// mostItems bounds the length of lists in which items are paired with expected
// ones.
const mostItems = 1000

// items returns the items of a list.
func items(v pyval.Value) ([]pyval.Value, bool) {
	switch v := v.(type) {
	case *pyval.List:
		return v.Items, true
	case *pyval.Tuple:
		return v.Items, true
	}
	return nil, false
}

func isList(k pyval.Kind) bool { return k == pyval.KindList || k == pyval.KindTuple }

// List accepts lists of the same length in which each item is accepted at its
// place.
type List struct{ Items []*Choice }

// Name returns "list".
func (l *List) Name() string { return "list" }

// Fits reports whether the kind is a list.
func (l *List) Fits(k pyval.Kind) bool { return isList(k) }

func (l *List) String() string { return "[" + joined(l.Items) + "]" }

// Refuse names the first item that is wrong.
func (l *List) Refuse(v pyval.Value) string {
	got, ok := items(v)
	switch {
	case !ok:
		return fmt.Sprintf("%s is %s, not a list", short(v), pyval.ATypeName(v))
	case len(got) != len(l.Items):
		return fmt.Sprintf("%s has length %d, but the expected length is %d: %s", short(v), len(got), len(l.Items), l)
	}
	for i, item := range got {
		if _, why := l.Items[i].refuse(item); why != "" {
			return fmt.Sprintf("item %d: %s", i, why)
		}
	}
	return ""
}

// Example returns the examples of the items.
func (l *List) Example() (pyval.Value, bool) { return each(l.Items, (*Choice).example) }

func joined(choices []*Choice) string {
	texts := make([]string, len(choices))
	for i, c := range choices {
		texts[i] = c.String()
	}
	return strings.Join(texts, ", ")
}

// A Set accepts lists of these items in any order.
type Set struct{ Items []*Choice }

// Name returns "unordered".
func (s *Set) Name() string { return "unordered" }

// Fits reports whether the kind is a list.
func (s *Set) Fits(k pyval.Kind) bool { return isList(k) }

func (s *Set) String() string { return "unordered [" + joined(s.Items) + "]" }

// Refuse names an item that is not accepted, or one that is missing.
func (s *Set) Refuse(v pyval.Value) string {
	got, ok := items(v)
	switch {
	case !ok:
		return fmt.Sprintf("%s is %s, but %s needs a list", short(v), pyval.ATypeName(v), s)
	case len(got) > mostItems:
		return fmt.Sprintf("a list of %d items is refused by %s: more than %d are not compared", len(got), s, mostItems)
	}
	of := pair(len(got), len(s.Items), func(i, want int) bool { return s.Items[want].accepts(got[i]) })
	for i, want := range of {
		if want < 0 {
			return fmt.Sprintf("item %d, %s, is refused by %s", i, short(got[i]), s)
		}
	}
	if left := unpaired(of, len(s.Items)); left >= 0 {
		return fmt.Sprintf("%s is missing from %s, so it is refused by %s", s.Items[left], short(v), s)
	}
	return ""
}

// Example returns the items as they are.
func (s *Set) Example() (pyval.Value, bool) { return each(s.Items, (*Choice).example) }

// pair gives as many of n things as possible a partner of their own among m. It
// returns the partner of each; -1 if it has none.
func pair(n, m int, fits func(i, j int) bool) []int {
	partner, of := make([]int, n), make([]int, m)
	for i := range partner {
		partner[i] = -1
	}
	for j := range of {
		of[j] = -1
	}
	var tried []bool
	var find func(i int) bool
	find = func(i int) bool {
		for j := range m {
			if tried[j] || !fits(i, j) {
				continue
			}
			tried[j] = true
			if of[j] < 0 || find(of[j]) {
				partner[i], of[j] = j, i
				return true
			}
		}
		return false
	}
	for i := range n {
		tried = make([]bool, m)
		find(i)
	}
	return partner
}

// unpaired returns the first of m that is no one's partner; -1 if all are
// taken.
func unpaired(partner []int, m int) int {
	taken := make([]bool, m)
	for _, j := range partner {
		if j >= 0 {
			taken[j] = true
		}
	}
	for j, t := range taken {
		if !t {
			return j
		}
	}
	return -1
}
