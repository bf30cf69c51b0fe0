package judge

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// stringRule is upstream's string_checker: some punctuation, case and the kind
// of quotation mark do not matter.
func stringRule(param, value, accepted pyval.Value) *fault {
	items := try(sequence(accepted)).or("possible answer for", param)
	if !looselyOneOf(value, items) {
		return wrongValue("value_error:string", param, value, accepted, " Case insensitive.")
	}
	return nil
}

// looselyOneOf reports whether a value equals one of the items, strings by
// sameText.
func looselyOneOf(value pyval.Value, items []pyval.Value) bool {
	for _, item := range items {
		if looselyEqual(value, item) {
			return true
		}
	}
	return false
}

// Alike reports whether upstream treats two values inside a list or an object
// as the same: texts after standardizing, others by Python's ==.
func Alike(a, b pyval.Value) bool { return looselyEqual(a, b) }

func looselyEqual(a, b pyval.Value) bool {
	as, aOK := a.(pyval.Str)
	bs, bOK := b.(pyval.Str)
	if aOK && bOK {
		return sameText(string(as), string(bs))
	}
	return pyval.Equal(a, b)
}

// folded maps a byte to the result of standardize, with these exceptions.
var folded = foldTable()

const (
	foldDrop  = 0    // the byte is left out
	foldOther = 0xff // not ASCII: the fast path ends
	foldNUL   = 0xfe // a NUL byte, which stands for itself
)

func foldTable() (table [256]byte) {
	for c := range table {
		switch b := byte(c); {
		case b == 0:
			table[c] = foldNUL
		case b >= utf8.RuneSelf:
			table[c] = foldOther
		case strings.IndexByte(ignored, b) >= 0:
			table[c] = foldDrop
		case b == '\'':
			table[c] = '"'
		case 'A' <= b && b <= 'Z':
			table[c] = b + 'a' - 'A'
		default:
			table[c] = b
		}
	}
	return table
}

// sameText reports whether two strings are equal once standardized. It
// allocates nothing for nearly all strings.
func sameText(a, b string) bool {
	if a == b {
		return true
	}
	i, j := 0, 0
	for {
		for i < len(a) && folded[a[i]] == foldDrop {
			i++
		}
		for j < len(b) && folded[b[j]] == foldDrop {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		x, y := folded[a[i]], folded[b[j]]
		if x == foldOther || y == foldOther {
			r, n := foldRune(a[i:])
			s, m := foldRune(b[j:])
			if n == 0 || m == 0 {
				return standardize(a) == standardize(b)
			}
			if r != s {
				return false
			}
			i, j = i+n, j+m
			continue
		}
		if x != y {
			return false
		}
		i++
		j++
	}
}

// foldRune returns the result of standardize for the character at the start of
// s, and its size. The size is 0 if the lower case is not one independent
// character: a sigma, a dotted I, and bytes that are not UTF-8.
func foldRune(s string) (rune, int) {
	if c := s[0]; c < utf8.RuneSelf {
		if c == 0 {
			return 0, 1
		}
		return rune(folded[c]), 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError || r == 'Σ' || r == 'İ' {
		return 0, 0
	}
	return unicode.ToLower(r), size
}

// ignored are the characters that upstream's standardize_string removes.
const ignored = " ,./-_*^"

// standardize is upstream's standardize_string.
func standardize(s string) string {
	kept := make([]byte, 0, len(s))
	for _, c := range []byte(s) {
		if strings.IndexByte(ignored, c) < 0 {
			kept = append(kept, c)
		}
	}
	return strings.ReplaceAll(pyval.Lower(string(kept)), "'", `"`)
}

// standardized returns a list with its strings standardized, as upstream shows
// accepted values of dict keys.
func standardized(items []pyval.Value) pyval.Value {
	out := make([]pyval.Value, len(items))
	for i, item := range items {
		if s, ok := item.(pyval.Str); ok {
			item = pyval.Str(standardize(string(s)))
		}
		out[i] = item
	}
	return pyval.NewList(out...)
}

// Nearest pairs each expected call with the call of a model that differs least
// from it, those with the fewest faults first. Each call is used once; the
// result is -1 if none is left. faults returns the number of differences, and
// false for calls of different functions.
func Nearest(wanted, made int, faults func(want, made int) (int, bool)) []int {
	type pair struct{ want, made, faults int }
	var pairs []pair
	out := make([]int, wanted)
	for w := range out {
		out[w] = -1
		for m := range made {
			if n, same := faults(w, m); same {
				pairs = append(pairs, pair{w, m, n})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.faults, b.faults) })
	taken := make([]bool, made)
	for _, p := range pairs {
		if out[p.want] < 0 && !taken[p.made] {
			out[p.want], taken[p.made] = p.made, true
		}
	}
	return out
}
