package stat

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// The errors of the functions over samples.
var (
	// ErrTooFew is returned for a sample with fewer values than a figure needs.
	ErrTooFew = errors.New("too few values")
	// ErrNotFinite is returned for a sample with an infinity or a NaN.
	ErrNotFinite = errors.New("value is not finite")
)

// Mean is Python's statistics.mean of floats: the exact rational mean, rounded
// once.
func Mean(xs []float64) (float64, error) {
	sum, _, exp, err := moments(xs)
	if err != nil {
		return 0, err
	}
	mean, _ := scaled(sum, big.NewInt(int64(len(xs))), exp).Float64()
	return mean, nil
}

// Spread is Python's statistics.variance and statistics.stdev of floats: the exact
// rational sample variance, and its root, each rounded once.
func Spread(xs []float64) (variance, deviation float64, err error) {
	sum, squares, exp, err := moments(xs)
	switch {
	case err != nil:
		return 0, 0, err
	case len(xs) < 2:
		return 0, 0, ErrTooFew
	}
	n := big.NewInt(int64(len(xs)))
	squares.Sub(squares.Mul(squares, n), sum.Mul(sum, sum))
	exact := scaled(squares, n.Mul(n, big.NewInt(int64(len(xs)-1))), 2*exp)
	variance, _ = exact.Float64()
	return variance, sqrt(exact), nil
}

// moments returns the exact sums of the values, in units of 2^exp, and of their
// squares, in units of 2^(2 exp). No value has a bit below the unit, so that all
// are whole numbers of it.
func moments(xs []float64) (sum, squares *big.Int, exp int, err error) {
	if len(xs) == 0 {
		return nil, nil, 0, ErrTooFew
	}
	const digits = 53 // of a float's mantissa
	for _, x := range xs {
		if notFinite(x) {
			return nil, nil, 0, ErrNotFinite
		}
		_, e := math.Frexp(x)
		exp = min(exp, e-digits)
	}
	sum, squares = new(big.Int), new(big.Int)
	var exact, square big.Int
	for _, x := range xs {
		mantissa, e := math.Frexp(x)
		exact.Lsh(exact.SetInt64(int64(math.Ldexp(mantissa, digits))), uint(e-digits-exp))
		sum.Add(sum, &exact)
		squares.Add(squares, square.Mul(&exact, &exact))
	}
	return sum, squares, exp, nil
}

// scaled returns num / den * 2^exp, and may change both.
func scaled(num, den *big.Int, exp int) *big.Rat {
	if exp >= 0 {
		num.Lsh(num, uint(exp))
	} else {
		den.Lsh(den, uint(-exp))
	}
	return new(big.Rat).SetFrac(num, den)
}

// sqrt returns the root of r rounded once: enough digits of the integer root,
// with the last bit set if something was cut off, round to the right float.
func sqrt(r *big.Rat) float64 {
	half := (r.Num().BitLen() - r.Denom().BitLen() - 140) / 2
	q := scaled(r.Num(), r.Denom(), -2*half)
	whole := new(big.Int).Quo(q.Num(), q.Denom())
	root := new(big.Int).Sqrt(whole)
	if new(big.Rat).SetInt(new(big.Int).Mul(root, root)).Cmp(q) != 0 {
		root.SetBit(root, 0, 1)
	}
	f, _ := scaled(root, big.NewInt(1), half).Float64()
	return f
}

// Percentile is numpy.percentile(xs, q) with its default method: linear
// interpolation between the two closest ranks, starting from the nearer one.
func Percentile(xs []float64, q float64) (float64, error) {
	if len(xs) == 0 {
		return 0, ErrTooFew
	}
	if slices.ContainsFunc(xs, notFinite) {
		return 0, ErrNotFinite
	}
	sorted := slices.Sorted(slices.Values(xs))
	position := min(max(q/100, 0), 1) * float64(len(sorted)-1)
	low := int(math.Floor(position))
	high := min(low+1, len(sorted)-1)
	a, b, t := sorted[low], sorted[high], position-float64(low)
	if t >= 0.5 {
		return b - float64((b-a)*(1-t)), nil
	}
	return a + float64((b-a)*t), nil
}

func notFinite(x float64) bool { return math.IsInf(x, 0) || math.IsNaN(x) }

// Round2 is Python's round(x, 2): the exact binary value is rounded to two
// decimals, halves to even.
func Round2(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 2, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}

// RoundScaled2 is NumPy's round(x, 2), which upstream applies to its
// percentile: the value is first scaled by 100 in floating point, so 2.675
// becomes 2.68 although its binary value is below the half.
func RoundScaled2(x float64) float64 {
	scaled := x * 100
	if math.IsInf(scaled, 0) {
		return x
	}
	return math.RoundToEven(scaled) / 100
}
