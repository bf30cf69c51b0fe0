package evaluate

import (
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/ladder"
)

// Ladder is how far the model's answers got, and what kept them from passing.
// Upstream's own inference errors count as it counts them: as answers, though
// the taxonomy tells them apart.
func (m *Model) Ladder(d *fixtures.Dataset) (*ladder.Report, error) {
	var count ladder.Count
	for _, c := range m.Categories {
		cases, err := d.Cases(c.Category)
		if err != nil {
			return nil, err
		}
		byID := make(map[string]*eval.Case, len(cases))
		for _, item := range cases {
			byID[item.ID] = item
		}
		for i := range c.Verdicts {
			count.Add(c.Category, m.grade(c, i, byID[c.Verdicts[i].ID]), true)
		}
	}
	return count.Report(), nil
}

func (m *Model) grade(c *Category, i int, item *eval.Case) ladder.Grade {
	v := c.Verdicts[i].Verdict
	if v.Status != eval.Fail || item == nil || ladder.KindOf(v.ErrorType) == "" {
		return ladder.Unseen(v.Status, v.ErrorType)
	}
	result := c.rows[i].Result
	decoded, err := c.Decode(item, result, m.Settings)
	if err != nil {
		decoded = nil
	}
	return ladder.Of(c.Category, item, ladder.Answer{Result: result, Decoded: decoded, Settings: m.Settings}, v)
}
