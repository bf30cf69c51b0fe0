package evaluate

import "github.com/gobfcl/bfcl/internal/number/unread"

// Warnings returns sentences that say where answers could not be read.
func (m *Model) Warnings() []string {
	parts := make([]unread.Part, len(m.Categories))
	for i, c := range m.Categories {
		parts[i] = unread.Part{Category: c.Category, Total: c.Total}
		for k, v := range c.Verdicts {
			parts[i].Unread = append(parts[i].Unread, unread.Of(c.Category, c.cases[k], c.rows[k].Result, v.ErrorType, m.Settings)...)
		}
	}
	return unread.Warnings(parts, m.Settings)
}
