package evaluate

import "slices"

const notExecuted = "categories that carry calls out are left out: they need recorded answers of the APIs (see --replay)"

func (r *Report) noteOnce(text string) {
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}
