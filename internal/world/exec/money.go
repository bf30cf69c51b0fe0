package exec

import "github.com/gobfcl/bfcl/internal/python/pyval"

func mortgage(f *frame, a []pyval.Value) pyval.Value {
	rate := f.div(a[1], number(12))
	payments := f.mul(a[2], number(12))
	growth := f.pow(f.add(one, rate), payments)
	return f.div(f.mul(f.mul(a[0], rate), growth), f.sub(growth, one))
}

func futureValue(f *frame, a []pyval.Value) pyval.Value {
	return f.mul(a[0], f.pow(f.add(one, a[1]), a[2]))
}

func investmentValue(f *frame, a []pyval.Value) pyval.Value {
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
}

func bookRoom(f *frame, a []pyval.Value) pyval.Value {
	price := a[1]
	if f.is(a[5], "==", pyval.Str("DISCOUNT10")) {
		price = f.mul(price, pyval.Float(0.9))
	}
	return record("customer_id", a[4], "room_number", a[0],
		"check_in_date", a[2], "check_out_date", a[3], "total_price", price)
}

func orderFood(f *frame, a []pyval.Value) pyval.Value {
	return f.sum(f.length(a[0]), func(i int) pyval.Value { return f.mul(f.at(a[1], i), f.at(a[2], i)) })
}
