package eval_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"
)

func TestEffort(t *testing.T) {
	for _, e := range []*eval.Effort{
		{},
		{Steps: 1, Calls: 2, Failed: 3, Recovered: 4, Redundant: 5, WrongTools: 6, Late: 7, Exceeded: true, Wall: 1250 * time.Millisecond, Cost: 0.000125},
	} {
		assert.Equal(t, e, eval.ParseEffort(e.String()), e.String())
	}
	for _, odd := range []string{"", "steps", "steps=-1", "steps=x", "size=1", "steps=1e10", "wall=NaN", "cost=Inf"} {
		assert.Nil(t, eval.ParseEffort(odd), odd)
	}
}

func FuzzParseEffort(f *testing.F) {
	f.Add("steps=1 calls=2 wall=0.5")
	f.Fuzz(func(t *testing.T, text string) {
		if e := eval.ParseEffort(text); e != nil {
			assert.NotNil(t, eval.ParseEffort(e.String()))
		}
	})
}
