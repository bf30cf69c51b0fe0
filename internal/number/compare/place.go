package compare

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Place says whether a model goes by the position of a tool. A model that
// always picks the first tool is right as often before a shuffle as after it:
// the accuracy does not show this, but the position of the right tool does in
// the cases where the verdict changed.
type Place struct {
	// Front and Back count the cases that are right in only one order, by
	// whether the right tool was nearer to the front or to the back in that
	// order.
	Front int `json:"front"`
	Back  int `json:"back"`
	// P is the p value of the exact test of even odds, and Adjusted is adjusted
	// as in a Variant.
	P           float64 `json:"p"`
	Adjusted    float64 `json:"adjusted_p"`
	Significant bool    `json:"significant"`
}

// String says in a sentence what the figures are a sign of.
func (p *Place) String() string {
	where, most := "beginning", p.Front
	if p.Back > p.Front {
		where, most = "end", p.Back
	}
	return fmt.Sprintf("order: of %d verdicts that changed, %d are right when the right tool is nearer to the %s (%s): a sign that it goes by the position of tools, even if its accuracy stays the same.",
		p.Front+p.Back, most, where, PValue(p.Adjusted))
}

// place returns nil for variants other than "order", and if no verdict changed
// together with the right tool's position.
func place(plain *tally.Run, v tally.Variant) *Place {
	if v.Name != "order" {
		return nil
	}
	before := map[string]*tally.Result{}
	for cat, result := range plain.All() {
		before[key(cat.Name, result)] = result
	}
	var p Place
	for _, part := range v.Run.Parts {
		if part.Category.Rule != eval.Multiple {
			continue
		}
		for i := range part.Results {
			after := &part.Results[i]
			was := before[key(part.Category.Name, after)]
			if was == nil || after.Varied == nil || was.Status == eval.Error || after.Status == eval.Error || was.Passed() == after.Passed() {
				continue
			}
			right, wrong := rightTool(after.Varied.Posed()), rightTool(was.Case)
			if was.Passed() {
				right, wrong = wrong, right
			}
			switch {
			case right < wrong:
				p.Front++
			case right > wrong:
				p.Back++
			}
		}
	}
	if p.Front+p.Back == 0 {
		return nil
	}
	p.P = stat.McNemar(p.Front, p.Back)
	return &p
}

// rightTool returns the index of the tool that the possible answer calls.
func rightTool(c *eval.Case) int {
	if c.Answer == nil || len(c.Answer.Items) == 0 {
		return -1
	}
	expected, ok := c.Answer.Items[0].(*pyval.Dict)
	if !ok || expected.Len() == 0 {
		return -1
	}
	name, _ := expected.At(0)
	return slices.Index(c.ToolNames(), pyval.Text(name))
}
