package evaluate

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// decoderFailed is the error type of answers that no call could be read from.
const decoderFailed = "ast_decoder:decoder_failed"

// An unread is what could not be decoded in a category.
type unread struct {
	answers []pyval.Value
	cases   []*eval.Case // of the answers
}

// most is how many answers are tried in other dialects.
const most = 300

// Warnings say where answers could not be read: in a category more than half of
// them, or more than a fifth of the unread ones are of another dialect. Then
// the numbers are those of a wrong reader and not of the model.
func (m *Model) Warnings() []string {
	var first string
	var others []string
	for _, c := range m.Categories {
		u := c.unread(m)
		text := u.warning(c, m.Settings)
		switch {
		case text == "":
		case first == "":
			first = text
		default:
			others = append(others, c.Name)
		}
	}
	switch {
	case first == "":
		return nil
	case len(others) > 0:
		return []string{first, "So it is in " + strings.Join(others, ", ") + "."}
	}
	return []string{first}
}

// unread are the answers without a readable call, in the categories where that
// is wrong; of conversations, their steps.
func (c *Category) unread(m *Model) unread {
	var u unread
	for k, v := range c.Verdicts {
		var answers []pyval.Value
		switch {
		case c.MultiTurn():
			answers = unreadSteps(c.rows[k].Result, m.Settings)
		case v.ErrorType == decoderFailed || v.ErrorType == wrongFormat:
			answers = []pyval.Value{c.rows[k].Result}
		}
		for _, answer := range answers {
			u.answers, u.cases = append(u.answers, answer), append(u.cases, c.cases[k])
		}
	}
	return u
}

func unreadSteps(result pyval.Value, s eval.Settings) []pyval.Value {
	var out []pyval.Value
	turns, _ := result.(*pyval.List)
	if turns == nil {
		return nil
	}
	for _, turn := range turns.Items {
		steps, _ := turn.(*pyval.List)
		if steps == nil {
			continue
		}
		for _, step := range steps.Items {
			if calls, err := multiturn.Execute(step, s); err != nil || multiturn.IsEmpty(calls) {
				out = append(out, step)
			}
		}
	}
	return out
}

// warning is "" where the answers may well hold no calls.
func (u *unread) warning(c *Category, s eval.Settings) string {
	const few = 5 // too few to tell of a wrong reader
	if len(u.answers) < few {
		return ""
	}
	likely := u.likely(c, s)
	if many := !c.MultiTurn() && 2*len(u.answers) > c.Total; likely == "" && !many {
		return ""
	}
	what := "answers"
	if c.MultiTurn() {
		what = "steps"
	}
	return fmt.Sprintf("%s: no call could be read from %d %s%s.%s The first, of %s: %s", c.Name, len(u.answers), what,
		readAs(s), likely, u.cases[0].ID, safe.Printable(pyval.Text(u.answers[0]), 160))
}

// likely names the dialects that read more than a fifth of the answers.
func (u *unread) likely(c *Category, s eval.Settings) string {
	tried := u.answers[:min(most, len(u.answers))]
	candidates := dialect.Candidates(tried, grammar(c), func(at int, calls []pyval.Value) bool {
		return dialect.Meant(u.cases[at].Tools, calls)
	})
	var names []string
	for _, candidate := range candidates {
		if candidate.Reads == candidates[0].Reads && candidate.Reads*5 > len(tried) && candidate.Dialect.Name != s.Dialect {
			names = append(names, candidate.Dialect.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" In the dialect %s %d of %d can be read: give --dialect.", strings.Join(names, " or "), candidates[0].Reads, len(tried))
}

// readAs names the reader.
func readAs(s eval.Settings) string {
	if s.Dialect != "" {
		return " in the dialect " + s.Dialect
	}
	return " in " + string(s.Mode) + " mode"
}

// grammar is that of the category's language.
func grammar(c *Category) dialect.Grammar {
	if c.Release == eval.V1 {
		return dialect.V1(decode.Format(c.Language.Key()))
	}
	return dialect.V4(decode.Format(c.Language.Key()))
}
