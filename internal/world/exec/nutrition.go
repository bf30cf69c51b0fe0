package exec

import "github.com/gobfcl/bfcl/internal/python/pyval"

// activityFactors are those of activity levels 1 to 5.
var activityFactors = pyval.NewList(pyval.Float(1.2), pyval.Float(1.375), pyval.Float(1.55), pyval.Float(1.725), pyval.Float(1.9))

// metabolism holds the weights of a basal metabolic rate: constant, weight,
// height, age.
var metabolism = map[bool][4]pyval.Float{
	true:  {88.362, 13.397, 4.799, 5.677}, // gender "male"
	false: {447.593, 9.247, 3.098, 4.330},
}

func nutritionalNeeds(f *frame, a []pyval.Value) pyval.Value {
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
	return record("calories", energy, "proteins_g", share(0.30, 4), "fats_g", share(0.25, 9), "carbohydrates_g", share(0.45, 4))
}
