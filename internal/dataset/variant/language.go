package variant

import "github.com/gobfcl/bfcl/internal/eval"

// language asks the question in another language that the dataset has it in.
// Tools are not changed.
func (m *maker) language() string {
	turns := m.set.translations[m.c.ID]
	if turns == nil {
		return "the dataset has the question in one language only"
	}
	m.pose = append(m.pose, func(c *eval.Case) { c.Turns = turns })
	return ""
}
