package classes

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func showAirports(*sim.Object, []pyval.Value) pyval.Value { return airports }

func showNearest(_ *sim.Object, args []pyval.Value) pyval.Value {
	return sim.Answer("nearest_airport", sim.GetOr(nearest, args[0], "Unknown"))
}

// showCost lists the fares of all routes in long-context mode, at the same
// factors.
func showCost(d *sim.Object, args []pyval.Value) pyval.Value {
	base, factor := cost(args[0], args[1], args[2], args[3])
	costs := pyval.NewList(pyval.Float(base * factor))
	if d.Long != nil {
		costs = &pyval.List{}
		for _, f := range fares {
			costs.Items = append(costs.Items, pyval.Float(f.cost*factor))
		}
	}
	return sim.Answer("travel_cost_list", costs)
}

// factors are what a class multiplies a fare by.
var factors = sim.Table(`{"economy": 1, "business": 2, "first": 5}`)

// cost is a route's fare and what class and date multiply it by.
func cost(from, to, date, class pyval.Value) (base, factor int64) {
	sim.Hashable(from)
	sim.Hashable(to)
	f, _ := from.(pyval.Str)
	t, _ := to.(pyval.Str)
	base, ok := fareOf[route{f, t}]
	if !ok {
		panic(sim.Raise("ValueError", "No available route for the given airports."))
	}
	multiple, ok := factors.Get(class)
	if !ok {
		panic(sim.Raise("ValueError", "Invalid travel class. Options are: economy, business, first."))
	}
	factor, _ = multiple.(pyval.Int).Int64()
	if evenDigits(date) {
		factor *= 2
	}
	return base, factor
}

// evenDigits reports whether the sum of a date's digits is even. Any text is a
// date here, and no digits make zero.
func evenDigits(date pyval.Value) bool {
	even := true
	for _, part := range sim.Items(date) {
		if text := sim.MustText(part, "isdigit"); sim.IsDigit(text) {
			even = even == (pyval.Must(pyval.ToInt(pyval.Str(text))).Big().Bit(0) == 0)
		}
	}
	return even
}
