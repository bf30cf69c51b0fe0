// Package near finds the known names that are most like one that is unknown,
// for messages that ask what was meant.
package near

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// most is how many names are proposed, longest how much of a name is looked at.
// tooLong is for a known name that is not a name: to compare it would take
// long. partly is the distance of a name and its part, such as a model and its
// family. few is how many are listed if none is near.
const (
	most    = 3
	longest = 100
	tooLong = 1000
	partly  = 3
	few     = 12
)

// Names returns the known names most like another, the best first and at most
// three; none if nothing is alike. Letters count alike in either case, and a
// part of a name is near to it.
func Names(name string, known []string) []string {
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
		alike := d < utf8.RuneCountInString(name) && d <= longer/3+1
		if within(name, other) || within(other, name) {
			d, alike = min(d, partly), true
		}
		if alike {
			near = append(near, scored{k, d})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, s := range near {
		if len(out) < most && s.distance == near[0].distance && !slices.Contains(out, s.name) {
			out = append(out, s.name)
		}
	}
	return out
}

// within reports whether one name is a part of another, too long for chance.
func within(part, whole string) bool {
	return utf8.RuneCountInString(part) > 2 && strings.Contains(whole, part)
}

// Hint returns the end of a sentence that proposes what is near or, if nothing
// is, all that is known if that is little. A name that is known needs none.
func Hint(name string, known []string) string {
	if slices.Contains(known, name) {
		return ""
	}
	near := Names(name, known)
	if len(near) == 0 && len(known) > 0 && len(known) <= few {
		return "; known are " + strings.Join(known, ", ")
	}
	return Propose(near)
}

// Propose returns the end of a sentence that proposes names; "" without any.
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
