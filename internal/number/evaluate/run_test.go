package evaluate

import "github.com/gobfcl/bfcl/internal/number/tally"

// A Report is the result of an evaluation.
type Report struct {
	// Models are the models' answers with their verdicts.
	Models []*tally.Run
	// Notes are remarks, such as which files were left out.
	Notes []string
}

// Run judges as Each does, and keeps all answers.
func Run(f tally.Folders, dir string) (*Report, error) {
	report := &Report{}
	var err error
	report.Notes, err = Each(f, dir, func(m *tally.Run) error {
		report.Models = append(report.Models, m)
		return nil
	})
	return report, err
}
