package match

import (
	"fmt"
	"math"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
