package exec

import "github.com/gobfcl/bfcl/internal/python/pyval"

func finalVelocity(f *frame, a []pyval.Value) pyval.Value {
	return f.add(a[0], f.mul(a[1], a[2]))
}

func displacement(f *frame, a []pyval.Value) pyval.Value {
	steady := f.mul(a[0], a[2])
	gained := f.mul(f.mul(half, a[1]), f.pow(a[2], two))
	return f.add(steady, gained)
}

func electrostaticEnergy(f *frame, a []pyval.Value) pyval.Value { return f.mul(a[0], a[1]) }

func density(f *frame, a []pyval.Value) pyval.Value { return f.div(a[0], a[1]) }
