package leaderboard

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/say"
)

// The source of the figures: branch gh-pages of upstream's repository.
const (
	Commit = "8c24bd7"
	Date   = "2026-04-12"
)

//go:embed v4.csv
var public string

// A Published is a row of the public leaderboard.
type Published struct {
	// Name is the model's published name, Org its maker, License its licence,
	// and Link the maker's page about it.
	Name, Org, License, Link string
	// Rank counts from 1; Overall is the published figure in percent.
	Rank    int
	Overall float64
	// Cost, in dollars, and LatencyMean and LatencyP95, in seconds, are of the
	// whole published run.
	Cost, LatencyMean, LatencyP95, LatencyStdDev float64
	// FormatDelta and FormatStdDev say how much the accuracy depends on the
	// prompt's format, in percentage points; nil if not measured.
	FormatDelta, FormatStdDev *float64
	// Score is recomputed from the counts of right answers.
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
		models[i].Rank = i + 1
	}
	return models, nil
}

// texts and figures are the numbers of columns before those of the categories.
const texts, figures = 4, 7

func read(head, row []string) (Published, error) {
	m := Published{Name: row[0], Org: row[1], License: row[2], Link: row[3]}
	var delta, deviation float64
	for i, to := range []*float64{&m.Overall, &m.Cost, &m.LatencyMean, &m.LatencyP95, &m.LatencyStdDev, &delta, &deviation} {
		if row[texts+i] == "" { // no prompts were varied
			continue
		}
		x, err := strconv.ParseFloat(row[texts+i], 64)
		if err != nil {
			return m, err
		}
		*to = x
	}
	if row[texts+figures-1] != "" {
		m.FormatDelta, m.FormatStdDev = &delta, &deviation
	}
	tallies := map[string]score.Tally{}
	for i := texts + figures; i < len(row); i++ {
		right, err := strconv.Atoi(row[i])
		if err != nil {
			return m, err
		}
		tallies[head[i]] = score.Tally{Total: score.V4.Sizes[head[i]], Correct: right}
	}
	var err error
	m.Score, err = score.New(score.Run{Dataset: score.V4.Name, Data: official, Model: m.Name}, tallies, score.Options{})
	return m, err
}

// Find returns the models with the given names. A name is a published name or a
// part of one, in upper or lower case. If no model matches, the error proposes
// similar names.
func Find(names []string) ([]Published, error) {
	var out []Published
	for _, name := range names {
		wanted := strings.ToLower(strings.TrimSpace(name))
		var all []string
		var found []Published
		for _, m := range All() {
			all = append(all, m.Name)
			if wanted != "" && strings.Contains(strings.ToLower(m.Name), wanted) {
				found = append(found, m)
			}
		}
		if exact := slices.IndexFunc(found, func(m Published) bool { return strings.EqualFold(m.Name, wanted) }); exact >= 0 {
			found = found[exact : exact+1]
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no published model is called %.100q%s", name, say.Hint(name, all))
		}
		for _, m := range found {
			if !slices.ContainsFunc(out, func(o Published) bool { return o.Rank == m.Rank }) {
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// Only returns the model's score over the given categories, as a run without
// the others would have it.
func (m Published) Only(categories map[string]bool) (*score.Score, error) {
	tallies := map[string]score.Tally{}
	for name, p := range m.Score.Categories {
		if categories[name] {
			tallies[name] = score.Tally{Total: p.Total, Correct: p.Correct}
		}
	}
	return score.New(m.Score.Run, tallies, score.Options{})
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
