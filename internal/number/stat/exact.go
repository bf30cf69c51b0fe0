package stat

import (
	"errors"
	"math"
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
	m, err := exactMoments(xs)
	if err != nil {
		return 0, err
	}
	mean, _ := scaled(m.sum, big.NewInt(m.n), m.exp).Float64()
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

// moments holds the sums of n values and of their squares, as multiples of
// 2^exp and 2^(2 exp).
type moments struct {
	n            int64
	sum, squares *big.Int
	exp          int
}

// exactMoments needs no rational arithmetic: every float is a whole multiple of
// the smallest power of two among them.
func exactMoments(xs []float64) (moments, error) {
	if len(xs) == 0 {
		return moments{}, ErrTooFew
	}
	exp, err := finest(xs)
	if err != nil {
		return moments{}, err
	}
	m := moments{n: int64(len(xs)), sum: new(big.Int), squares: new(big.Int), exp: exp}
	var whole, square big.Int
	for _, x := range xs {
		mantissa, e := split(x)
		whole.SetInt64(mantissa)
		if mantissa != 0 {
			whole.Lsh(&whole, uint(e-exp))
		}
		m.sum.Add(m.sum, &whole)
		m.squares.Add(m.squares, square.Mul(&whole, &whole))
	}
	return m, nil
}

func finest(xs []float64) (int, error) {
	exp := math.MaxInt
	for _, x := range xs {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return 0, ErrNotFinite
		}
		if mantissa, e := split(x); mantissa != 0 {
			exp = min(exp, e)
		}
	}
	if exp == math.MaxInt {
		return 0, nil
	}
	return exp, nil
}

// split returns x as mantissa * 2^exp with a whole mantissa.
func split(x float64) (mantissa int64, exp int) {
	frac, exp := math.Frexp(x)
	return int64(frac * (1 << 53)), exp - 53
}

func sampleVariance(xs []float64) (*big.Rat, error) {
	if len(xs) < 2 {
		return nil, ErrTooFew
	}
	m, err := exactMoments(xs)
	if err != nil {
		return nil, err
	}
	n := big.NewInt(m.n)
	num := new(big.Int).Mul(n, m.squares)
	num.Sub(num, new(big.Int).Mul(m.sum, m.sum))
	den := n.Mul(n, big.NewInt(m.n-1))
	return scaled(num, den, 2*m.exp), nil
}

// scaled returns num / den * 2^exp.
func scaled(num, den *big.Int, exp int) *big.Rat {
	num, den = new(big.Int).Set(num), new(big.Int).Set(den)
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
	if r.Sign() <= 0 {
		return 0
	}
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
