package evaluate

import (
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

	folder    *record.Folder
	conversed *conversed
}

// A Category is one model's verdicts in one category.
type Category struct {
	*eval.Category
	// Correct and Total count the recorded cases.
	Correct, Total int
	// Verdicts are in the dataset's order.
	Verdicts []Verdict

	rows   []record.Row
	cases  []*eval.Case
	grades []ladder.Grade
	// decoded are the decoded failed answers, for the score file.
	decoded []pyval.Value
}

// An Answer is a recorded answer with its verdict.
type Answer struct {
	// Case is the dataset's case.
	Case *eval.Case
	// Row is the answer as recorded.
	Row record.Row
	// Verdict and Grade are the judge's verdict and how far the answer got.
	Verdict eval.Verdict
	Grade   ladder.Grade
}

// Answered returns the recorded answers in the dataset's order.
func (c *Category) Answered() []Answer {
	out := make([]Answer, c.Total)
	for i := range out {
		out[i] = Answer{c.cases[i], c.rows[i], c.Verdicts[i].Verdict, c.grades[i]}
	}
	return out
}

// A Verdict is the verdict on one case.
type Verdict struct {
	ID string
	eval.Verdict
}

// Sensitivity returns how much the accuracy depends on the prompt's format; nil
// for categories with only one format.
func (c *Category) Sensitivity() *leaderboard.Sensitivity {
	if c.Rule != eval.Varied {
		return nil
	}
	return Sensitivity(c.Verdicts)
}

// Sensitivity returns how much the accuracy of cases of the format-sensitivity
// category depends on the format, which their ids name.
func Sensitivity(verdicts []Verdict) *leaderboard.Sensitivity {
	var configs []leaderboard.Config
	at := map[string]int{}
	for _, v := range verdicts {
		config, err := prompt.ConfigOf(v.ID)
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
		if v.Passed() {
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

// Prices returns the model's prices in dollars per million tokens on the first
// leaderboard; nil for models of other releases and models without known
// prices.
func (r *Report) Prices(m *Model) (input, output *float64) {
	if !r.v1 {
		return nil, nil
	}
	known, _ := leaderboard.V1Terms(m.Name)
	return known.InputPrice, known.OutputPrice
}
