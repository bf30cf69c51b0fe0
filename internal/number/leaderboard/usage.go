package leaderboard

import (
	"math"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Series is a list of measured numbers. It remembers whether all of them
// were Python ints, because a mean of ints is printed as an int.
type Series struct {
	// Values are the numbers in the order they came.
	Values []float64
	// Floats counts those that were floats.
	Floats int
}

// AddFloat appends a float.
func (s *Series) AddFloat(x float64) {
	s.Values = append(s.Values, x)
	s.Floats++
}

// AddInt appends an int.
func (s *Series) AddInt(n int64) { s.Values = append(s.Values, float64(n)) }

// Sum adds from left to right, as Python's sum does.
func (s *Series) Sum() float64 {
	var sum float64
	for _, x := range s.Values {
		sum += x
	}
	return sum
}

// ints reports whether statistics.mean would treat the numbers as ints.
func (s *Series) ints() bool { return s.Floats == 0 }

// add appends a number other than 0; anything else is left out.
func (s *Series) add(v pyval.Value) {
	switch v := v.(type) {
	case pyval.Bool:
		if v {
			s.AddInt(1)
		}
	case pyval.Int:
		if v.Sign() != 0 {
			s.Values = append(s.Values, floatOf(v))
		}
	case pyval.Float:
		if v != 0 {
			s.AddFloat(float64(v))
		}
	}
}

func floatOf(n pyval.Int) float64 {
	if f, ok := n.Float64(); ok {
		return f
	}
	return math.Inf(n.Sign())
}

// record is the inner process_data of upstream's record_cost_latency: one
// number, or a list of lists of numbers for multi-turn entries. A list with
// anything other than lists is left out entirely.
func (s *Series) record(v pyval.Value) {
	turns, ok := v.(*pyval.List)
	if !ok {
		s.add(v)
		return
	}
	for _, turn := range turns.Items {
		if _, ok := turn.(*pyval.List); !ok {
			return
		}
	}
	for _, turn := range turns.Items {
		for _, step := range turn.(*pyval.List).Items {
			s.add(step)
		}
	}
}

// Usage is what a run took, per request or per step of a multi-turn case.
type Usage struct {
	// Input and Output are token counts.
	Input, Output Series
	// Latency is in seconds.
	Latency Series
}

// Record adds an entry of a result file: upstream's record_cost_latency.
func (u *Usage) Record(entry *pyval.Dict) {
	for _, field := range []struct {
		name string
		to   *Series
	}{
		{"latency", &u.Latency},
		{"input_token_count", &u.Input},
		{"output_token_count", &u.Output},
	} {
		if v, ok := entry.GetStr(field.name); ok {
			field.to.record(v)
		}
	}
}
