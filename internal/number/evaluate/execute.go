package evaluate

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const notExecuted = "categories that carry calls out are left out: they need recorded answers of the APIs, see --replay"

func (r *Report) noteOnce(text string) {
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// unjudged refuses a report with verdicts that are none: something could not
// be asked, and no score may come of that.
func (r *Report) unjudged() error {
	var first string
	n := 0
	for _, m := range r.Models {
		for _, c := range m.Categories {
			for _, v := range c.Verdicts {
				if v.Status != eval.Error {
					continue
				}
				if n++; first == "" {
					first = fmt.Sprintf("%s, %s: %s", m.Name, v.ID, pyval.Text(orNone(v.Detail)))
				}
			}
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d answers cannot be judged, the first is %.600s", n, first)
}
