package stat

import (
	"errors"
	"math/big"
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
	sum, _, err := moments(xs)
	if err != nil {
		return 0, err
	}
	mean, _ := sum.Quo(sum, whole(len(xs))).Float64()
	return mean, nil
}

// StdDev is Python's statistics.stdev of floats, the sample standard
// deviation: the exact rational variance's root, rounded once.
func StdDev(xs []float64) (float64, error) {
	v, err := sampleVariance(xs)
	if err != nil {
		return 0, err
	}
	return sqrt(v), nil
}

// Variance is Python's statistics.variance of floats: the exact rational
// sample variance, rounded once.
func Variance(xs []float64) (float64, error) {
	v, err := sampleVariance(xs)
	if err != nil {
		return 0, err
	}
	f, _ := v.Float64()
	return f, nil
}

// moments returns the exact sums of the values and of their squares.
func moments(xs []float64) (sum, squares *big.Rat, err error) {
	if len(xs) == 0 {
		return nil, nil, ErrTooFew
	}
	sum, squares = new(big.Rat), new(big.Rat)
	var exact big.Rat
	for _, x := range xs {
		if exact.SetFloat64(x) == nil {
			return nil, nil, ErrNotFinite
		}
		sum.Add(sum, &exact)
		squares.Add(squares, exact.Mul(&exact, &exact))
	}
	return sum, squares, nil
}

func whole(n int) *big.Rat { return new(big.Rat).SetInt64(int64(n)) }

func sampleVariance(xs []float64) (*big.Rat, error) {
	sum, squares, err := moments(xs)
	switch {
	case err != nil:
		return nil, err
	case len(xs) < 2:
		return nil, ErrTooFew
	}
	n := whole(len(xs))
	squares.Sub(squares.Mul(squares, n), sum.Mul(sum, sum))
	return squares.Quo(squares, n.Mul(n, whole(len(xs)-1))), nil
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
