package travel

import (
	"math/big"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func (d *desk) showAirports([]pyval.Value) (pyval.Value, error) { return airports, nil }

func (d *desk) showNearest(args []pyval.Value) (pyval.Value, error) {
	code, ok, err := sim.Find(nearest, args[0])
	switch {
	case err != nil:
		return nil, err
	case !ok:
		code = pyval.Str("Unknown")
	}
	return sim.Answer("nearest_airport", code), nil
}

// showCost lists the fares of all routes in long-context mode, at the same
// factors.
func (d *desk) showCost(args []pyval.Value) (pyval.Value, error) {
	base, factor, err := cost(args[0], args[1], args[2], args[3])
	if err != nil {
		return nil, err
	}
	if !d.long {
		return sim.Answer("travel_cost_list", pyval.NewList(pyval.Float(base*factor))), nil
	}
	all := &pyval.List{Items: make([]pyval.Value, len(fares))}
	for i, f := range fares {
		all.Items[i] = pyval.Float(f.cost * factor)
	}
	return sim.Answer("travel_cost_list", all), nil
}

// cost is a route's fare and what class and date multiply it by.
func cost(from, to, date, class pyval.Value) (base, factor int64, err error) {
	if base, err = baseCost(from, to); err != nil {
		return 0, 0, err
	}
	if factor, err = classFactor(class); err != nil {
		return 0, 0, err
	}
	even, err := evenDigits(date)
	if even {
		factor *= 2
	}
	return base, factor, err
}

func baseCost(from, to pyval.Value) (int64, error) {
	if err := pyval.Hashable(pyval.NewTuple(from, to)); err != nil {
		return 0, sim.Raise("TypeError", err.Error())
	}
	f, _ := from.(pyval.Str)
	t, _ := to.(pyval.Str)
	base, ok := fareOf[route{f, t}]
	if !ok {
		return 0, sim.Raise("ValueError", "No available route for the given airports.")
	}
	return base, nil
}

func classFactor(class pyval.Value) (int64, error) {
	switch class {
	case pyval.Str("economy"):
		return 1, nil
	case pyval.Str("business"):
		return 2, nil
	case pyval.Str("first"):
		return 5, nil
	}
	return 0, sim.Raise("ValueError", "Invalid travel class. Options are: economy, business, first.")
}

// evenDigits reports whether the sum of a date's digits is even. Any text is a
// date here, and no digits make zero.
func evenDigits(date pyval.Value) (bool, error) {
	if s, ok := date.(pyval.Str); ok && isASCII(string(s)) {
		return evenASCII(string(s)), nil
	}
	parts, err := pyval.Iterate(date)
	if err != nil {
		return false, err
	}
	odd := false
	for _, part := range parts {
		text, err := sim.MustText(part, "isdigit")
		if err != nil {
			return false, err
		}
		if !sim.IsDigit(text) {
			continue
		}
		n, err := pyval.ToInt(pyval.Str(text))
		if err != nil {
			return false, err
		}
		odd = odd != isOdd(n.Big())
	}
	return !odd, nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func evenASCII(s string) bool {
	odd := false
	for _, c := range []byte(s) {
		odd = odd != (c >= '0' && c <= '9' && c&1 == 1)
	}
	return !odd
}

func isOdd(n *big.Int) bool { return n.Bit(0) == 1 }
