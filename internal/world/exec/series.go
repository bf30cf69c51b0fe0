package exec

import "github.com/gobfcl/bfcl/internal/python/pyval"

func matMul(f *frame, m []pyval.Value) pyval.Value {
	rows := f.length(m[0])
	columns := f.length(f.at(m[1], 0))
	inner := f.length(m[1])
	var out []pyval.Value
	for i := range rows {
		row := make([]pyval.Value, 0, columns)
		for j := range columns {
			var sum pyval.Value = zero
			for k := range inner {
				f.step()
				left := f.at(f.at(m[0], i), k)
				sum = f.op("+=", sum, f.mul(left, f.at(f.at(m[1], k), j)))
			}
			row = append(row, sum)
		}
		out = append(out, pyval.NewList(row...))
	}
	return pyval.NewList(out...)
}

func mean(f *frame, a []pyval.Value) pyval.Value { return f.mean(a[0]) }

func (f *frame) mean(v pyval.Value) pyval.Value {
	items := items(v)
	sum := f.sum(len(items), func(i int) pyval.Value { return items[i] })
	return f.div(sum, number(int64(f.length(v))))
}

func standardDeviation(f *frame, a []pyval.Value) pyval.Value {
	m := f.mean(a[0])
	items := items(a[0])
	sum := f.sum(len(items), func(i int) pyval.Value { return f.pow(f.sub(items[i], m), two) })
	return f.pow(f.div(sum, number(int64(len(items)))), half)
}

func cosineSimilarity(f *frame, v []pyval.Value) pyval.Value {
	dot := f.dot(v[0], v[1])
	norm := f.norm(v[0])
	return f.div(dot, f.mul(norm, f.norm(v[1])))
}

// dot sums the products over the indices of a.
func (f *frame) dot(a, b pyval.Value) pyval.Value {
	return f.sum(f.length(a), func(i int) pyval.Value { return f.mul(f.at(a, i), f.at(b, i)) })
}

func (f *frame) norm(v pyval.Value) pyval.Value {
	return f.pow(f.squares(v), half)
}

func (f *frame) squares(v pyval.Value) pyval.Value {
	return f.sum(f.length(v), func(i int) pyval.Value { return f.pow(f.at(v, i), two) })
}

func linearRegression(f *frame, a []pyval.Value) pyval.Value {
	x, y, point := a[0], a[1], a[2]
	n := number(int64(f.length(x)))
	sumX, sumY := f.total(x), f.total(y)
	products, squares := f.dot(x, y), f.squares(x)
	slope := f.div(
		f.sub(f.mul(n, products), f.mul(sumX, sumY)),
		f.sub(f.mul(n, squares), f.pow(sumX, two)))
	intercept := f.div(f.sub(sumY, f.mul(slope, sumX)), n)
	return f.add(f.mul(slope, point), intercept)
}

func (f *frame) total(v pyval.Value) pyval.Value {
	items := items(v)
	return f.sum(len(items), func(i int) pyval.Value { return items[i] })
}
