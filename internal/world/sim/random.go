package sim

import (
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Random is Python's random.Random: the Mersenne Twister MT19937. It is seeded
// when the first word is drawn: most cases draw none.
type Random struct {
	key     []uint32 // the seed's words
	twister *prng.MT19937
}

// Uint32 returns the generator's next raw word.
func (r *Random) Uint32() uint32 {
	if r.twister == nil {
		r.twister = prng.NewMT19937()
		r.twister.SeedFromKeys(r.key)
	}
	return r.twister.Uint32()
}

// Float is Python's random(): in [0, 1).
func (r *Random) Float() float64 {
	a, b := r.Uint32()>>5, r.Uint32()>>6
	return (float64(a)*(1<<26) + float64(b)) / (1 << 53)
}

// Uniform is Python's uniform(a, b).
func (r *Random) Uniform(a, b float64) float64 {
	span := b - a
	return a + float64(span*r.Float())
}

// Int is Python's randint(a, b), both ends included; b must not be below a.
func (r *Random) Int(a, b int64) int64 {
	n := uint64(b) - uint64(a) + 1
	if n == 0 { // the whole range of 64 bits
		return a + int64(r.bits(64))
	}
	for width := bits.Len64(n); ; {
		if v := r.bits(width); v < n {
			return a + int64(v)
		}
	}
}

// bits is Python's getrandbits for up to 64 bits.
func (r *Random) bits(width int) uint64 {
	if width <= 32 {
		return uint64(r.Uint32() >> (32 - width))
	}
	low := uint64(r.Uint32())
	return low | uint64(r.Uint32()>>(64-width))<<32
}

// ID is str(randint(a, b)), as upstream draws its ids.
func (r *Random) ID(a, b int64) pyval.Str { return pyval.Str(pyval.MakeInt(r.Int(a, b)).String()) }

// SeedOf returns the generator for a scenario's random_seed, or the default if
// the scenario has none. Python takes the absolute value of an int, the hash of
// a float and None for the clock's time, which is not a seed here.
func SeedOf(scenario *pyval.Dict, def int64) *Random {
	v, ok := scenario.GetStr("random_seed")
	if !ok {
		v = pyval.MakeInt(def)
	}
	seed, ok := pyval.IntOf(v)
	if !ok {
		panic(Raise("TypeError", "The only supported seed types here are int and bool, not "+pyval.TypeName(v)))
	}
	n := seed.Big()
	n.Abs(n)
	out := []uint32{uint32(n.Uint64())}
	for n.Rsh(n, 32); n.Sign() > 0; n.Rsh(n, 32) {
		out = append(out, uint32(n.Uint64()))
	}
	return &Random{key: out}
}
