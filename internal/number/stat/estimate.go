package stat

// An Estimate is a value with its 95% interval, the test of whether it is 0, and
// what it stands on. Every accuracy, difference and figure is one.
type Estimate struct {
	// Value is between Low and High.
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// P is the level at which the interval would touch 0, and Adjusted is P
	// adjusted for the number of comparisons; nil without a test.
	P        *float64 `json:"p,omitempty"`
	Adjusted *float64 `json:"adjusted_p,omitempty"`
	// N is the number of independent units, and Unit what one is: "case",
	// "question", "conversation", "scenario", or "unit" for several kinds.
	N    int    `json:"n"`
	Unit string `json:"unit"`
}
