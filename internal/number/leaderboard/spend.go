package leaderboard

import (
	"errors"
	"fmt"
	"math"

	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// What upstream assumes about a model without a price.
const (
	gpuDollarsPerHour   = 23.92  // V4: eight H100
	gpuRequests         = 100    // V4: requests that share them
	v1GPUDollarsPerHour = 22.032 // V1: eight V100
	v1BatchCalls        = 1700   // V1: calls in one batch run
)

// A Model is what the tables say about a model besides its figures.
type Model struct {
	// Name is the display name.
	Name string
	// URL, Org and License are printed as they are.
	URL, Org, License string
	// InputPrice and OutputPrice are in dollars per million tokens. If one is
	// nil, the model counts as run locally and is charged by time; a price of 0
	// is a price.
	InputPrice, OutputPrice *float64
	// BatchSeconds is the time that one batch run over all of V1's calls took, 0 for
	// a model that was not run in a batch; NoCost reports whether V1 shows no cost.
	BatchSeconds float64
	NoCost       bool
}

func (m Model) priced() bool { return m.InputPrice != nil && m.OutputPrice != nil }

// A Figure is a number in a table, or N/A: the zero Figure.
type Figure struct {
	// Value is the number.
	Value float64
	// Known reports whether the figure is known; it is N/A otherwise.
	Known bool
	// Int reports whether Python would have an int, which is printed without a
	// decimal point.
	Int bool
}

// known returns a known figure that is a float.
func known(x float64) Figure { return Figure{Value: x, Known: true} }

// String is Python's str of the figure.
func (f Figure) String() string {
	switch {
	case !f.Known:
		return "N/A"
	case f.Int:
		return fmt.Sprintf("%.0f", f.Value)
	}
	return pyval.Repr(pyval.Float(f.Value))
}

// Spend is what a run cost in dollars, and its latencies in seconds, rounded
// to cents and hundredths.
type Spend struct {
	// Cost is the cost of the whole run in V4, and of 1,000 calls in V1.
	Cost Figure
	// Mean, StdDev and P95 are the mean, standard deviation and 95th percentile
	// of the latencies.
	Mean, StdDev, P95 Figure
}

// Spend is upstream's get_cost_latency_info (V4).
func (u *Usage) Spend(m Model) (Spend, error) {
	spend := Spend{Cost: u.cost(m)}
	return spend, spend.time(&u.Latency)
}

func (u *Usage) cost(m Model) Figure {
	switch {
	case m.priced() && len(u.Input.Values) > 0 && len(u.Output.Values) > 0:
		in := u.Input.Sum() * *m.InputPrice / 1e6
		out := u.Output.Sum() * *m.OutputPrice / 1e6
		return known(stat.Round2(in + out))
	case !m.priced() && len(u.Latency.Values) > 0:
		return known(stat.Round2(TimeCost(u.Latency.Sum())))
	}
	return Figure{}
}

// TimeCost is upstream's estimate in dollars for a model without a price: the
// requests' seconds on eight H100 that serve a hundred requests at once.
func TimeCost(seconds float64) float64 { return seconds / 3600 * gpuDollarsPerHour / gpuRequests }

// time fills in the latencies. A single latency has no deviation, and upstream
// fails to write the table.
func (s *Spend) time(latency *Series) error {
	if len(latency.Values) == 0 {
		return nil
	}
	mean, err := stat.Mean(latency.Values)
	if err != nil {
		return latencyError("mean", err)
	}
	_, dev, err := stat.Spread(latency.Values)
	if err != nil {
		return latencyError("standard deviation", err)
	}
	p95, err := stat.Percentile(latency.Values, 95)
	if err != nil {
		return latencyError("95th percentile", err)
	}
	s.Mean = known(stat.Round2(mean))
	s.Mean.Int = latency.Floats == 0 && mean == float64(int64(mean)) // as statistics.mean of ints does
	s.StdDev, s.P95 = known(stat.Round2(dev)), known(stat.RoundScaled2(p95))
	return nil
}

func latencyError(figure string, err error) error {
	if errors.Is(err, stat.ErrTooFew) {
		return fmt.Errorf("latency %s needs at least two requests: upstream's table cannot be written for a run of one: %w", figure, err)
	}
	return fmt.Errorf("latency %s: %w", figure, err)
}

// SpendV1 returns the cost and latency of the V1 leaderboard: dollars per 1,000
// calls for a model with prices or a batch time, otherwise dollars for the
// whole run.
func (u *Usage) SpendV1(m Model) (Spend, error) {
	var spend Spend
	var err error
	spend.Cost = u.tokenCostV1(m)
	switch {
	case m.BatchSeconds > 0:
		mean := stat.Round2(m.BatchSeconds / v1BatchCalls)
		spend.Mean = known(mean)
		spend.Cost = known(stat.Round2(mean * 1000 * v1GPUDollarsPerHour / 3600))
	case len(u.Latency.Values) > 0:
		err = spend.time(&u.Latency)
		if !m.priced() {
			spend.Cost = known(stat.Round2(u.Latency.Sum() * v1GPUDollarsPerHour / 3600))
		}
	}
	if m.NoCost {
		spend.Cost = Figure{}
	}
	return spend, err
}

func (u *Usage) tokenCostV1(m Model) Figure {
	in, errIn := stat.Mean(u.Input.Values)
	out, errOut := stat.Mean(u.Output.Values)
	if !m.priced() || errIn != nil || errOut != nil {
		return Figure{}
	}
	priceIn, priceOut := *m.InputPrice, *m.OutputPrice
	return known(stat.Round2((float64(in*priceIn) + float64(out*priceOut)) / 1000))
}

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
