package sim

import (
	"math/big"
	"math/bits"
	"sync"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const (
	twisterSize = 624
	twisterStep = 397
)

// Random is Python's random.Random: the Mersenne Twister MT19937. Its state is
// made when the first word is drawn: most cases draw none.
type Random struct {
	key    []uint32 // the seed's words, until the state is made
	state  *[twisterSize]uint32
	shared bool // the state, which must then not be changed
	next   int
}

// defaults are the first states of the seeds that classes take by default, by
// seed: drawing from one costs no seeding.
var defaults sync.Map

// byDefault is NewRandom of a class's default seed.
func byDefault(seed int64) *Random {
	if state, ok := defaults.Load(seed); ok {
		return &Random{state: state.(*[twisterSize]uint32), shared: true}
	}
	r := NewRandom(seed)
	r.seed()
	r.twist()
	defaults.Store(seed, r.state)
	r.shared = true
	return r
}

// NewRandom is Python's random.Random(seed) for an int seed.
func NewRandom(seed int64) *Random {
	size := uint64(seed)
	if seed < 0 {
		size = -size
	}
	return newRandom([]uint32{uint32(size), uint32(size >> 32)})
}

// newRandom seeds with the 32-bit words of the seed, least significant first.
func newRandom(key []uint32) *Random {
	for len(key) > 1 && key[len(key)-1] == 0 {
		key = key[:len(key)-1]
	}
	return &Random{key: key}
}

// seed is init_by_array of the reference implementation.
func (r *Random) seed() {
	r.state = new([twisterSize]uint32)
	r.fill(19650218)
	r.mix(r.key)
	r.key, r.next = nil, twisterSize
}

func (r *Random) fill(seed uint32) {
	r.state[0] = seed
	for i := 1; i < twisterSize; i++ {
		last := r.state[i-1]
		r.state[i] = 1812433253*(last^last>>30) + uint32(i)
	}
}

// mix works the words of a seed into the state.
func (r *Random) mix(key []uint32) {
	i, s := 1, r.state
	for k := range max(twisterSize, len(key)) {
		j := k % len(key)
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1664525) + key[j] + uint32(j)
		i = r.wrap(i + 1)
	}
	for range twisterSize - 1 {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1566083941) - uint32(i)
		i = r.wrap(i + 1)
	}
	s[0] = 1 << 31
}

func (r *Random) wrap(i int) int {
	if i < twisterSize {
		return i
	}
	r.state[0] = r.state[twisterSize-1]
	return 1
}

func (r *Random) twist() {
	if r.shared {
		own := *r.state
		r.state, r.shared = &own, false
	}
	s := r.state
	for i := range s {
		y := s[i]&(1<<31) | s[(i+1)%twisterSize]&(1<<31-1)
		s[i] = s[(i+twisterStep)%twisterSize] ^ y>>1 ^ -(y&1)&0x9908b0df
	}
	r.next = 0
}

// Uint32 returns the generator's next raw word.
func (r *Random) Uint32() uint32 {
	if r.state == nil {
		r.seed()
	}
	if r.next >= twisterSize {
		r.twist()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
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
func SeedOf(scenario *pyval.Dict, def int64) (*Random, error) {
	v, ok := scenario.GetStr("random_seed")
	if !ok {
		return byDefault(def), nil
	}
	switch v := v.(type) {
	case pyval.Int:
		return newRandom(words(v.Big())), nil
	case pyval.Bool:
		if v {
			return NewRandom(1), nil
		}
		return NewRandom(0), nil
	}
	return nil, Raise("TypeError", "The only supported seed types here are int and bool, not "+pyval.TypeName(v))
}

func words(n *big.Int) []uint32 {
	n.Abs(n)
	out := make([]uint32, 0, n.BitLen()/32+1)
	for mask := big.NewInt(1<<32 - 1); n.Sign() > 0; n.Rsh(n, 32) {
		out = append(out, uint32(new(big.Int).And(n, mask).Uint64()))
	}
	if len(out) == 0 {
		out = append(out, 0)
	}
	return out
}
