package robust

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Place says whether a model goes by the place of a tool. A model that always
// picks the first tool is right as often before a shuffle as after it: the
// accuracy does not show that, but the place of the right tool does, if a
// verdict changed.
type Place struct {
	// Front and Back count the cases that are right in one order and wrong in
	// the other, by whether the right tool stood nearer to the front or to the
	// back where the answer was right.
	Front int `json:"front"`
	Back  int `json:"back"`
	// P is the exact test of even odds, Adjusted as a Figure's.
	P           float64 `json:"p"`
	Adjusted    float64 `json:"adjusted_p"`
	Significant bool    `json:"significant"`
}

// String says what the figures are a sign of.
func (p *Place) String() string {
	where, most := "beginning", p.Front
	if p.Back > p.Front {
		where, most = "end", p.Back
	}
	return fmt.Sprintf("order: of %d verdicts that changed, %d are right when the right tool is nearer to the %s (%s): a sign that it goes by the position of tools, even if its accuracy stays the same.",
		p.Front+p.Back, most, where, compare.PValue(p.Adjusted))
}

// place is nil for variants that are no other order, and where no verdict
// changed together with the right tool's place.
func place(plain *tally.Run, v tally.Variant) *Place {
	if v.Name != "order" {
		return nil
	}
	before := map[string]*tally.Result{}
	for _, part := range plain.Parts {
		for i := range part.Results {
			before[key(part.Category.Name, &part.Results[i])] = &part.Results[i]
		}
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

// rightTool is the place of the tool that the possible answer calls.
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
