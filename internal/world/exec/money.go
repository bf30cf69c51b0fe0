package exec

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var moneyFunctions = []Function{
	{Name: "book_room", Params: sim.Params("room_type", "price", "check_in_date", "check_out_date", "customer_id", "discount_code=null"), run: func(f *frame, a []pyval.Value) pyval.Value {
		price := a[1]
		if f.is(a[5], "==", pyval.Str("DISCOUNT10")) {
			price = f.mul(price, pyval.Float(0.9))
		}
		return pyval.Object("customer_id", a[4], "room_number", a[0],
			"check_in_date", a[2], "check_out_date", a[3], "total_price", price)
	}},
	{Name: "calculate_density", Params: sim.Params("mass", "volume"), run: func(f *frame, a []pyval.Value) pyval.Value { return f.div(a[0], a[1]) }},
	{Name: "calculate_displacement", Params: sim.Params("initial_velocity", "acceleration", "time"), run: func(f *frame, a []pyval.Value) pyval.Value {
		steady := f.mul(a[0], a[2])
		gained := f.mul(f.mul(half, a[1]), f.pow(a[2], two))
		return f.add(steady, gained)
	}},
	{Name: "calculate_electrostatic_potential_energy", Params: sim.Params("charge", "voltage"), run: func(f *frame, a []pyval.Value) pyval.Value { return f.mul(a[0], a[1]) }},
	{Name: "calculate_final_velocity", Params: sim.Params("initial_velocity", "acceleration", "time"), run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.add(a[0], f.mul(a[1], a[2]))
	}},
	{Name: "calculate_future_value", Params: sim.Params("present_value", "interest_rate", "periods"), run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.mul(a[0], f.pow(f.add(one, a[1]), a[2]))
	}},
	{Name: "calculate_investment_value", Params: sim.Params("initial_investment", "annual_contribution", "years", "annual_return", "inflation_rate", "adjust_for_inflation=true"), run: func(f *frame, a []pyval.Value) pyval.Value {
		initial, contribution, years, rate, inflation := a[0], a[1], a[2], a[3], a[4]
		adjust := pyval.Truth(a[5])
		nominal, real := initial, initial
		last := index(f.add(years, one))
		for year := 1; year < last; year++ {
			f.step()
			nominal = f.add(f.mul(nominal, f.add(one, rate)), contribution)
			if !adjust {
				real = nominal
				continue
			}
			index := -1
			if year <= f.length(inflation) {
				index = year - 1
			}
			worth := f.sub(one, f.at(inflation, index))
			growth := f.sub(f.add(one, rate), f.at(inflation, year-1))
			real = f.add(f.mul(real, growth), f.mul(contribution, worth))
		}
		if adjust {
			return real
		}
		return nominal
	}},
	{Name: "calculate_nutritional_needs", Params: sim.Params("weight", "height", "age", "gender", "activity_level", "goal"), run: func(f *frame, a []pyval.Value) pyval.Value {
		weight, height, age, gender, level, goal := a[0], a[1], a[2], a[3], a[4], a[5]
		w := metabolism[f.is(gender, "==", pyval.Str("male"))]
		rate := f.add(w[0], f.mul(w[1], weight))
		rate = f.add(rate, f.mul(w[2], height))
		rate = f.sub(rate, f.mul(w[3], age))
		energy := f.mul(rate, f.item(activityFactors, f.sub(level, one)))
		switch {
		case f.is(goal, "==", pyval.Str("lose")):
			energy = f.sub(energy, number(500))
		case f.is(goal, "==", pyval.Str("gain")):
			energy = f.add(energy, number(500))
		}
		share := func(part pyval.Float, perGram int64) pyval.Value {
			return f.div(f.mul(energy, part), number(perGram))
		}
		return pyval.Object("calories", energy, "proteins_g", share(0.30, 4), "fats_g", share(0.25, 9), "carbohydrates_g", share(0.45, 4))
	}},
	{Name: "mortgage_calculator", Params: sim.Params("loan_amount", "interest_rate", "loan_period"), run: func(f *frame, a []pyval.Value) pyval.Value {
		rate := f.div(a[1], number(12))
		payments := f.mul(a[2], number(12))
		growth := f.pow(f.add(one, rate), payments)
		return f.div(f.mul(f.mul(a[0], rate), growth), f.sub(growth, one))
	}},
	{Name: "order_food", Params: sim.Params("item", "quantity", "price"), run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.sum(f.length(a[0]), func(i int) pyval.Value { return f.mul(f.at(a[1], i), f.at(a[2], i)) })
	}},
}

// activityFactors are those of activity levels 1 to 5.
var activityFactors = pyval.NewList(pyval.Float(1.2), pyval.Float(1.375), pyval.Float(1.55), pyval.Float(1.725), pyval.Float(1.9))

// metabolism holds the weights of a basal metabolic rate: constant, weight,
// height, age.
var metabolism = map[bool][4]pyval.Float{
	true:  {88.362, 13.397, 4.799, 5.677}, // gender "male"
	false: {447.593, 9.247, 3.098, 4.330},
}
