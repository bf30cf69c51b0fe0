package say

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// most is how many names are proposed, and longest how much of a name is
// compared. A known name longer than tooLong is skipped: comparing it would
// take long. partly is the distance between a name and a part of it, such as a
// model and its family. few is how many names are listed if none is near.
const (
	most    = 3
	longest = 100
	tooLong = 1000
	partly  = 3
	few     = 12
)

// Nearest returns at most three of the known names most similar to a name, the
// best first; none if nothing is similar. Upper and lower case are the same,
// and a part of a name is near to it.
func Nearest(name string, known []string) []string {
	name = strings.ToLower(name)
	if runes := []rune(name); len(runes) > longest {
		name = string(runes[:longest])
	}
	type scored struct {
		name     string
		distance int
	}
	var near []scored
	for _, k := range known {
		if len(k) > tooLong {
			continue
		}
		other := strings.ToLower(k)
		d := levenshtein.ComputeDistance(name, other)
		longer := max(utf8.RuneCountInString(name), utf8.RuneCountInString(other))
		if letters := func(s string) []rune { return slices.Sorted(slices.Values([]rune(s))) }; len(name) == len(other) && slices.Equal(letters(name), letters(other)) {
			d = 0 // in another order, the most frequent slip
		}
		alike := d < utf8.RuneCountInString(name) && d <= longer/3+1
		if within(name, other) || within(other, name) {
			d, alike = min(d, partly), true
		}
		if alike {
			near = append(near, scored{k, d})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int {
		return cmp.Or(a.distance-b.distance, strings.Compare(a.name, b.name))
	})
	var out []string
	for _, s := range near {
		if len(out) < most && s.distance == near[0].distance && !slices.Contains(out, s.name) {
			out = append(out, s.name)
		}
	}
	return out
}

// within reports whether one name is a part of the other that is not so by chance.
func within(part, whole string) bool {
	return utf8.RuneCountInString(part) > 2 && strings.Contains(whole, part)
}

// Hint returns the end of a sentence that proposes the near names or, if there
// are none, lists all known names if they are few. It returns "" for a known
// name.
func Hint(name string, known []string) string {
	if slices.Contains(known, name) {
		return ""
	}
	near := Nearest(name, known)
	if len(near) == 0 && len(known) > 0 && len(known) <= few {
		return "; known are " + strings.Join(known, ", ")
	}
	return Propose(near)
}

// Propose returns the end of a sentence that proposes names; "" if it has
// none.
func Propose(names []string) string {
	if len(names) == 0 {
		return ""
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return "; did you mean " + strings.Join(quoted, " or ") + "?"
}
