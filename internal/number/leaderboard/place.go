package leaderboard

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/number/score"
)

// A Standing is where a run would stand among the published models.
type Standing struct {
	// Rank is the rank of the estimate; Best and Worst are the ranks of the
	// upper and the lower end of its 95% interval. All count from 1.
	Rank  int `json:"rank"`
	Best  int `json:"best"`
	Worst int `json:"worst"`
	// Of is the number of published models plus one for the run.
	Of int `json:"of"`
	// Above and Below are the published neighbours; "" at an end.
	Above string `json:"above,omitempty"`
	Below string `json:"below,omitempty"`
	// Commit and Date are the leaderboard's.
	Commit string `json:"commit"`
	Date   string `json:"date"`
}

// Place returns where a score would stand. It returns false for a score that is
// not a complete one of V4, which is not comparable with published figures. The
// published figures are taken as exact: the range has only the run's own
// uncertainty.
func Place(s *score.Score) (Standing, bool) {
	if !s.Data.IsOfficial(score.V4.Name) || s.Layout != score.V4.Name || !s.Complete {
		return Standing{}, false
	}
	for name, size := range score.V4.Sizes {
		if p := s.Categories[name]; p.Cases < size || p.Errors > 0 {
			return Standing{}, false
		}
	}
	models := All()
	st := Standing{
		Rank: rankOf(s.Overall.Accuracy), Best: rankOf(s.Overall.High), Worst: rankOf(s.Overall.Low),
		Of: len(models) + 1, Commit: Commit, Date: Date,
	}
	if st.Rank > 1 {
		st.Above = models[st.Rank-2].Name
	}
	if st.Rank <= len(models) {
		st.Below = models[st.Rank-1].Name
	}
	return st, true
}

// Beside returns nil if a score is comparable with published models over the
// same categories, and otherwise an error that says why not.
func Beside(s *score.Score) error {
	switch {
	case s.Layout != score.V4.Name || s.Data.Release != score.V4.Name:
		return fmt.Errorf("the published figures are for dataset v4, but this run is of %.100q", s.Dataset)
	case !s.Data.IsOfficial(score.V4.Name):
		return fmt.Errorf("the published figures are for the official data of v4, but this run's data is %s", s.Data)
	}
	if s.Coverage == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Coverage.Categories)) {
		if c := s.Coverage.Categories[name]; c.Cases > 0 {
			return fmt.Errorf("the published figures are for all cases, but this run has %d of %d of %s", c.Cases, c.Of, name)
		}
	}
	return nil
}

// rankOf returns one more than the number of better models.
func rankOf(accuracy float64) int {
	rank := 1
	for _, m := range All() {
		if m.Score.Overall.Accuracy > accuracy {
			rank++
		}
	}
	return rank
}

// String returns the standing as a sentence.
func (s Standing) String() string {
	return fmt.Sprintf("Would stand at rank %d of %d on the public leaderboard of %s; the interval allows ranks %d to %d.",
		s.Rank, s.Of, s.Date, s.Best, s.Worst)
}
