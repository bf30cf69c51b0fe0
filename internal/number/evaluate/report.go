package evaluate

import (
	"iter"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// A Report is the result of an evaluation.
type Report struct {
	Models []*Model
	// Notes are remarks, such as which files were left out.
	Notes []string

	v1      bool // of upstream's first release
	catalog *catalog.Catalog
}

// A Model is one model's part of a report.
type Model struct {
	// Name is the name of the model's folder, as upstream writes it into score
	// files.
	Name string
	// Settings are the settings that its answers were judged with.
	Settings eval.Settings
	// Categories are in the benchmark's order.
	Categories []*Category
	// Lacks are the categories that have no score.
	Lacks []Lack

	// Command are the words of the command that evaluates the model again, to
	// which a --dialect may be added; nil if there is none.
	Command []string

	folder    *record.Folder
	conversed *conversed
}

// A Category is one model's answers in one category.
type Category struct {
	*eval.Category
	// Correct and Total count the recorded cases.
	Correct, Total int
	// Answers are in the dataset's order.
	Answers []Answer

	rows []record.Row // until they are aligned with the dataset
}

// An Answer is a recorded answer with its verdict.
type Answer struct {
	// Case is the dataset's case.
	Case *eval.Case
	// Row is the answer as recorded.
	Row record.Row
	// Verdict and Grade are the judge's verdict and how far the answer got.
	eval.Verdict
	Grade ladder.Grade

	decoded pyval.Value // of a failed answer, for the score file
}

// Sensitivity returns how much the accuracy depends on the prompt's format; nil
// for categories with only one format.
func (c *Category) Sensitivity() *leaderboard.Sensitivity {
	if c.Rule != eval.Varied {
		return nil
	}
	return Sensitivity(func(yield func(string, bool) bool) {
		for i := range c.Answers {
			if a := &c.Answers[i]; !yield(a.Row.ID, a.Passed()) {
				return
			}
		}
	})
}

// Sensitivity returns how much the accuracy of cases of the format-sensitivity
// category depends on the format, which their ids name; the cases come with
// whether they passed.
func Sensitivity(cases iter.Seq2[string, bool]) *leaderboard.Sensitivity {
	var configs []leaderboard.Config
	at := map[string]int{}
	for id, passed := range cases {
		config, err := prompt.ConfigOf(id)
		if err != nil {
			continue // an id of another dataset; its answer is already wrong
		}
		name := config.String()
		i, known := at[name]
		if !known {
			i = len(configs)
			at[name], configs = i, append(configs, leaderboard.Config{Name: name})
		}
		configs[i].Total++
		if passed {
			configs[i].Correct++
		}
	}
	return leaderboard.NewSensitivity(configs)
}

// Accuracy returns the share of correct cases; 0 if there are none.
func (c *Category) Accuracy() float64 {
	if c.Total == 0 {
		return 0
	}
	return float64(c.Correct) / float64(c.Total)
}

// Prices returns the model's prices on the first leaderboard; nil for models of
// other releases and models without known prices.
func (r *Report) Prices(m *Model) *record.Prices {
	known, _ := leaderboard.V1Terms(m.Name)
	if !r.v1 || known.InputPrice == nil {
		return nil
	}
	return &record.Prices{Input: *known.InputPrice, Output: *known.OutputPrice}
}

// Ladder returns how far the model's answers got, why they failed, and what
// conversations recovered from. Inference errors that upstream recorded count
// as answers, as they do upstream, though the taxonomy has a kind for them.
func (m *Model) Ladder() *ladder.Report {
	var count ladder.Count
	for _, c := range m.Categories {
		for i := range c.Answers {
			count.Add(c.Category, c.Answers[i].Grade, true)
			count.Recover(c.Category, c.Answers[i].Recovery)
		}
	}
	return count.Report()
}

// Remedy returns how the model's answers are evaluated in another dialect.
func (m *Model) Remedy() ladder.Remedy { return ladder.RemedyFor(m.Name, "--dialect=", m.Command...) }
