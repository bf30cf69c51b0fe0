package match

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Pattern accepts texts that contain a match of a regular expression in Go's
// syntax.
type Pattern struct{ re *regexp.Regexp }

// longestPattern bounds the expressions that a suite can have the judge
// compile.
const longestPattern = 2000

// NewPattern compiles a regular expression.
func NewPattern(src string) (*Pattern, error) {
	if len(src) > longestPattern {
		return nil, fmt.Errorf("the regular expression is longer than %d bytes", longestPattern)
	}
	re, err := regexp.Compile(src)
	if err != nil {
		return nil, err
	}
	return &Pattern{re}, nil
}

// Name returns "matches".
func (p *Pattern) Name() string { return "matches" }

// Fits reports whether the kind is text.
func (p *Pattern) Fits(k pyval.Kind) bool { return k == pyval.KindStr }

func (p *Pattern) String() string { return fmt.Sprintf("matches %q", p.re) }

// Refuse refuses texts without a match.
func (p *Pattern) Refuse(v pyval.Value) string {
	return refuseText(p, v, func(s string) bool { return p.re.MatchString(s) })
}

// Example returns a short text with a match.
func (p *Pattern) Example() (pyval.Value, bool) {
	text, ok := sampleOf(p.re)
	return pyval.Str(text), ok
}

// refuseText refuses values that are not texts, and texts for which fits is
// false.
func refuseText(m Matcher, v pyval.Value, fits func(string) bool) string {
	s, ok := v.(pyval.Str)
	switch {
	case !ok:
		return fmt.Sprintf("%s is %s, but %s needs a text", short(v), pyval.ATypeName(v), m)
	case !fits(string(s)):
		return fmt.Sprintf("%s is refused by %s", short(v), m)
	}
	return ""
}

// Contains accepts texts that contain all of some parts, ignoring case.
type Contains struct{ Parts []string }

// Name returns "contains".
func (c *Contains) Name() string { return "contains" }

// Fits reports whether the kind is text.
func (c *Contains) Fits(k pyval.Kind) bool { return k == pyval.KindStr }

func (c *Contains) String() string {
	out := make([]string, len(c.Parts))
	for i, text := range c.Parts {
		out[i] = fmt.Sprintf("%q", text)
	}
	return "contains " + strings.Join(out, ", ")
}

// Refuse refuses texts in which a part is missing.
func (c *Contains) Refuse(v pyval.Value) string {
	return refuseText(c, v, func(s string) bool {
		s = pyval.Lower(s)
		for _, part := range c.Parts {
			if !strings.Contains(s, pyval.Lower(part)) {
				return false
			}
		}
		return true
	})
}

// Example returns the parts one after another.
func (c *Contains) Example() (pyval.Value, bool) {
	return pyval.Str(strings.Join(c.Parts, " ")), true
}

// Near accepts numbers within a distance of one.
type Near struct {
	Value pyval.Value
	// Within is the largest accepted distance; with Percent it is a share of
	// Value.
	Within  float64
	Percent bool
}

// Name returns "number".
func (n *Near) Name() string { return "number" }

// Fits reports whether the kind is a number.
func (n *Near) Fits(k pyval.Kind) bool { return k == pyval.KindInt || k == pyval.KindFloat }

func (n *Near) String() string {
	unit := ""
	if n.Percent {
		unit = "%"
	}
	return fmt.Sprintf("number %s within %g%s", pyval.Repr(n.Value), n.Within, unit)
}

// Refuse refuses values that are too far away or not numbers.
func (n *Near) Refuse(v pyval.Value) string {
	got, ok := float(v)
	want, _ := float(n.Value)
	most := n.Within
	if n.Percent {
		most = math.Abs(want) / 100 * n.Within
	}
	// The distance between decimal fractions has a rounding error of its own:
	// 0.3 is within 0.1 of 0.2.
	slack := 4 * math.Max(ulp(want), ulp(most))
	switch {
	case !ok:
		return fmt.Sprintf("%s is %s, but %s needs a number", short(v), pyval.ATypeName(v), n)
	case !(math.Abs(got-want) <= most+slack): // NaN is refused
		return fmt.Sprintf("%s is refused by %s", short(v), n)
	}
	return ""
}

// ulp returns the distance to the next larger float; 0 if there is none.
func ulp(f float64) float64 {
	f = math.Abs(f)
	if next := math.Nextafter(f, math.Inf(1)); !math.IsInf(next, 0) {
		return next - f
	}
	return 0
}

// Example returns the number itself.
func (n *Near) Example() (pyval.Value, bool) { return n.Value, true }

// float returns the value of a number; a bool is not a number.
func float(v pyval.Value) (float64, bool) {
	switch v := v.(type) {
	case pyval.Int:
		return v.Float64()
	case pyval.Float:
		return float64(v), true
	}
	return 0, false
}
