package leaderboard

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
)

// The source of the figures: branch gh-pages of upstream's repository.
const (
	Commit = "8c24bd7"
	Date   = "2026-04-12"
)

//go:embed v4.csv
var public string

// A Published is a row of the public leaderboard: a model's published name, with its
// score recomputed from the counts of right answers.
type Published struct {
	Name  string
	Score *score.Score
}

// All returns all published models, the best first.
var All = sync.OnceValue(func() []Published {
	models, err := parse(public)
	if err != nil {
		panic(fmt.Sprintf("leaderboard: the embedded table is broken: %v", err))
	}
	return models
})

// official is the origin of the data that the published models were run on.
var official = eval.Origin{State: eval.Official, Release: score.V4.Name}

func parse(text string) ([]Published, error) {
	in := csv.NewReader(strings.NewReader(text))
	in.Comment = '#'
	rows, err := in.ReadAll()
	if err != nil {
		return nil, err
	}
	models := make([]Published, len(rows)-1)
	for i, row := range rows[1:] {
		if models[i], err = read(rows[0], row); err != nil {
			return nil, fmt.Errorf("model %d: %w", i+1, err)
		}
	}
	return models, nil
}

func read(head, row []string) (Published, error) {
	tallies := map[string]score.Tally{}
	for i, name := range head[1:] {
		right, err := strconv.Atoi(row[1+i])
		if err != nil {
			return Published{}, err
		}
		tallies[name] = score.Tally{Total: score.V4.Sizes[name], Correct: right}
	}
	s, err := score.New(score.Run{Dataset: score.V4.Name, Data: official, Model: row[0]}, tallies, score.Options{})
	return Published{row[0], s}, err
}

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
