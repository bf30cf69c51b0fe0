package report

import (
	"fmt"
	"strconv"

	"github.com/gobfcl/bfcl/internal/number/compare"
)

// A variantRow is a line of the table of variants.
type variantRow struct {
	Run, Variant, Cases, Plain, Varied, Points, Interval, P string
}

// variants returns the lines of all runs, and the signs that the differences
// may be.
func (r *Report) variants() (rows []variantRow, signs []string) {
	for _, e := range r.Entries {
		if e.run == nil {
			continue
		}
		report := compare.RobustnessOf(e.run, false)
		if report == nil {
			continue
		}
		const all = 100
		for _, f := range report.Variants {
			rows = append(rows, variantRow{
				Run: e.Name, Variant: f.Variant, Cases: strconv.Itoa(f.Cases), Plain: fmt.Sprintf("%.1f", all*f.A), Varied: fmt.Sprintf("%.1f", all*f.B),
				Points: fmt.Sprintf("%+.1f", all*f.Value), Interval: fmt.Sprintf("%+.1f to %+.1f", all*f.Low, all*f.High), P: compare.Level(f.Adjusted),
			})
		}
		signs = append(signs, e.Name+". "+report.Figure())
		for _, sign := range report.Signs {
			signs = append(signs, e.Name+", "+sign)
		}
	}
	return rows, signs
}
