package exec

import (
	"math"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func triangleArea(f *frame, a []pyval.Value) pyval.Value {
	return f.div(f.mul(a[0], a[1]), two)
}

func circleArea(f *frame, a []pyval.Value) pyval.Value {
	return f.mul(pyval.Float(math.Pi), f.pow(a[0], two))
}

func distance(f *frame, a []pyval.Value) pyval.Value {
	square := func(i int) pyval.Value { return f.pow(f.sub(f.at(a[0], i), f.at(a[1], i)), two) }
	dx := square(0)
	return f.pow(f.add(dx, square(1)), half)
}

// maxPoints counts, for every point, the later points by slope.
func maxPoints(f *frame, a []pyval.Value) pyval.Value {
	n := f.length(a[0])
	if n < 2 {
		return one
	}
	best := 1
	for i := range n {
		counts, vertical := pyval.NewDict(0), 0
		for j := i + 1; j < n; j++ {
			f.step()
			slope := f.slope(f.at(a[0], i), f.at(a[0], j))
			switch {
			case slope == nil:
				vertical++
				best = max(best, vertical)
			default:
				best = max(best, count(counts, slope))
			}
		}
	}
	return number(int64(best + 1))
}

// slope is nil for points above each other.
func (f *frame) slope(p, q pyval.Value) pyval.Value {
	x1, y1 := f.at(p, 0), f.at(p, 1)
	x2, y2 := f.at(q, 0), f.at(q, 1)
	dx, dy := f.sub(x2, x1), f.sub(y2, y1)
	if f.is(dx, "==", zero) {
		return nil
	}
	return f.div(dy, dx)
}

func count(counts *pyval.Dict, key pyval.Value) int {
	n := int64(1)
	if old, ok := counts.Get(key); ok {
		n, _ = old.(pyval.Int).Int64()
		n++
	}
	_ = counts.Set(key, number(n)) // numbers are hashable
	return int(n)
}

func polygonArea(f *frame, a []pyval.Value) pyval.Value {
	if f.length(a[0]) < 3 {
		return raise("ValueError", "A polygon must have at least 3 vertices.")
	}
	list, ok := a[0].(*pyval.List)
	if !ok {
		return raise("AttributeError", "'%s' object has no attribute 'append'", pyval.TypeName(a[0]))
	}
	n := len(list.Items)
	closed := pyval.NewList(append(list.Items[:n:n], list.Items[0])...)
	var area pyval.Value = zero
	for i := range n {
		f.step()
		p, q := f.at(closed, i), f.at(closed, i+1)
		left := f.mul(f.at(p, 0), f.at(q, 1))
		area = f.op("+=", area, f.sub(left, f.mul(f.at(q, 0), f.at(p, 1))))
	}
	return f.div(f.abs(area), pyval.Float(2))
}
