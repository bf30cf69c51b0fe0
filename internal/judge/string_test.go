package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNearest: rows are expected calls, columns those made; x is another function.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		rows []string
		want []int
	}{
		{nil, []int{}},
		{[]string{"0"}, []int{0}},
		{[]string{"x"}, []int{-1}},
		{[]string{"10", "01"}, []int{1, 0}},
		{[]string{"12", "02"}, []int{1, 0}},
		{[]string{"1", "0"}, []int{-1, 0}},
		{[]string{"11", "11"}, []int{0, 1}},
		{[]string{"x2", "x1"}, []int{-1, 1}},
	} {
		made := 0
		if len(c.rows) > 0 {
			made = len(c.rows[0])
		}
		got := Nearest(len(c.rows), made, func(want, made int) (int, bool) {
			at := c.rows[want][made]
			return int(at - '0'), at != 'x'
		})
		assert.Equal(t, c.want, got, "%q", c.rows)
	}
}
