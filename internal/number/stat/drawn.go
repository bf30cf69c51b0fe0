package stat

// A Drawn stratum is a random sample of a finite stratum's values.
type Drawn struct {
	// Weight is how much the stratum's mean counts.
	Weight float64
	// All is the number of values in the stratum.
	All int
	// Values are the values that were drawn.
	Values []float64
}

// Whole estimates the weighted mean of all values, with its interval. Values are
// drawn independently: those of a finite stratum that share something do not say
// less about the rest.
func Whole(strata []Drawn, z float64) Estimate {
	list := make([]Stratum, len(strata))
	for k, s := range strata {
		list[k] = Stratum{Weight: s.Weight, Known: float64(len(s.Values)) / float64(s.All), Blocks: make([]Block, len(s.Values))}
		for i, v := range s.Values {
			list[k].Blocks[i].Add(v)
		}
	}
	return Compose(list).Share(z)
}
