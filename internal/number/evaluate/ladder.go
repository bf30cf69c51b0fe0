package evaluate

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Ladder returns how far the model's answers got, why they failed, and what
// conversations recovered from. Inference errors that upstream recorded count
// as answers, as they do upstream, though the taxonomy has a kind for them.
func (m *Model) Ladder() *ladder.Report {
	var count ladder.Count
	for _, c := range m.Categories {
		for _, grade := range c.grades {
			count.Add(c.Category, grade, true)
		}
		for _, v := range c.Verdicts {
			count.Recover(c.Category, v.Recovery)
		}
	}
	return count.Report()
}

// grade sets how far an answer got. It must be called while the decoded answer
// is available.
func (c *Category) grade(m *Model, item *eval.Case, result, decoded pyval.Value, v eval.Verdict) ladder.Grade {
	if v.Status != eval.Fail {
		return ladder.Unseen(v.Status, v.ErrorType)
	}
	return ladder.Of(c.Category, item, ladder.Answer{Result: result, Decoded: decoded, Settings: m.Settings}, v)
}
