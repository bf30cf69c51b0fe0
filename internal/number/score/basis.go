package score

import "fmt"

// A Basis says which results a run's numbers are over, and what is counted of the
// others. It is made once, by what reads the run: every output takes its counts from
// it.
type Basis struct {
	// Results are all that the run should have. Answered of them have an answer,
	// which is right or wrong; Errors ended in an infrastructure error, which is
	// neither; Missing have no verdict.
	Results  int `json:"results"`
	Answered int `json:"answered"`
	Errors   int `json:"errors"`
	Missing  int `json:"missing,omitempty"`
	// Right and Wrong answers count in the overall, and those Aside are wrong in
	// categories that do not.
	Right int `json:"right"`
	Wrong int `json:"wrong"`
	Aside int `json:"wrong_aside"`
	// Cases of Of that count in the overall have an answer.
	Cases int `json:"cases"`
	Of    int `json:"of"`
	// Ran is the overall over these, and Upstream what upstream's table says: it
	// counts an error as an answer without a call, and a category without answers
	// as 0.
	Ran      float64 `json:"overall"`
	Upstream float64 `json:"as_upstream"`
}

// Whole reports whether every case has an answer.
func (b *Basis) Whole() bool { return b.Errors+b.Missing == 0 && b.Cases >= b.Of }

// String says what the overall is over, and what upstream's table says if that is
// another number.
func (b *Basis) String() string {
	text := fmt.Sprintf("%.2f%% of %d answered cases", 100*b.Ran, b.Cases)
	if left := b.Of - b.Cases; left > 0 {
		text += fmt.Sprintf(" (upstream counts %d unanswered as wrong: %.2f%%)", left, 100*b.Upstream)
	}
	return text
}
