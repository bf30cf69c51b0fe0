package evaluate

import "github.com/gobfcl/bfcl/internal/number/ladder"

// Warnings returns sentences that say where answers could not be read.
func (m *Model) Warnings() []string {
	parts := make([]ladder.Reading, len(m.Categories))
	for i, c := range m.Categories {
		parts[i] = ladder.Reading{Category: c.Category, Total: c.Total}
		for k, v := range c.Verdicts {
			parts[i].Unread = append(parts[i].Unread, ladder.UnreadOf(c.Category, c.cases[k], c.rows[k].Result, v.ErrorType, m.Settings)...)
		}
	}
	return ladder.Doubts(parts, m.Settings)
}
