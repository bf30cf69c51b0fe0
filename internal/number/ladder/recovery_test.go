package ladder

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
)

func TestRecovery(t *testing.T) {
	base, missing, composite := categories.Find("multi_turn_base"), categories.Find("multi_turn_miss_func"), categories.Find("multi_turn_composite")
	var n Count
	n.Recover(base, eval.Recovery{})
	assert.Nil(t, n.Report().Recovery)

	n.Recover(base, eval.Recovery{Turns: 3, Passed: 2})
	n.Recover(base, eval.Recovery{Turns: 1, Passed: 1})
	n.Recover(missing, eval.Recovery{Turns: 4})
	n.Recover(composite, eval.Recovery{Turns: 9, Passed: 9})
	n.Add(base, Unseen(eval.Fail, "multi_turn:instance_state_mismatch"), true)
	r := n.Report()
	assert.Equal(t, 8, r.Recovery.Turns, "categories outside the score are not in the sum")
	assert.Equal(t, 3, r.Recovery.Passed)
	assert.InDelta(t, 0.375, r.Recovery.Rate, 1e-12)
	assert.Len(t, r.Recovery.Categories, 3)
	assert.Equal(t, `
What kept 1 answer from passing:
      1  wrong state after a turn

Turns passed after a tool had answered with an error:
  multi_turn_base             75.00%  3 of 4  (95% interval 30.06–95.44)
  multi_turn_miss_func         0.00%  0 of 4  (95% interval 0.00–48.99)
  multi_turn_composite       100.00%  9 of 9  (95% interval 70.09–100.00)
  all                         37.50%  3 of 8  (95% interval 13.68–69.43)
`, written(t, r))
}
