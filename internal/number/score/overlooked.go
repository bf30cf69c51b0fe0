package score

// An Overlooked counts the right answers that hold a call which was not read,
// where nothing may be called. Upstream counts them as abstentions.
type Overlooked struct {
	// Answers are those that hold one, of Of right answers where nothing may be
	// called.
	Answers int `json:"answers"`
	Of      int `json:"of"`
	// Points is what they add to the overall of what ran.
	Points float64 `json:"points"`
	// First is the first one's case.
	First string `json:"first"`
	// Categories counts them by category.
	Categories map[string]int `json:"categories"`
}
