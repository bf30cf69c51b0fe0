package categories_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A judgment is one of the starter suite's examples, to be judged.
type judgment struct {
	cat     *eval.Category
	c       *eval.Case
	example fixtures.Example
}

func (j judgment) verdict() string {
	_, v := j.cat.Verdict(j.c, j.example.Output, j.example.Settings())
	return v.Status.String() + " " + v.ErrorType
}

// TestOrderAndConcurrency judges all examples in order, in others, and many at
// a time: the verdicts are the same.
func TestOrderAndConcurrency(t *testing.T) {
	var all []judgment
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	for _, cat := range categories.All() {
		if !d.Has(cat) || cat.Executes {
			continue
		}
		list := testkit.Must(d.Cases(cat))(t)
		cases := map[string]*eval.Case{}
		for _, c := range list {
			cases[c.ID] = c
		}
		examples := testkit.Must(d.Examples(cat))(t)
		for _, e := range examples {
			all = append(all, judgment{cat, cases[e.ID], e})
		}
	}
	want := make([]string, len(all))
	for i, j := range all {
		want[i] = j.verdict()
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 5 {
		got := make([]string, len(all))
		order := random.Perm(len(all))
		var wg sync.WaitGroup
		const workers = 8 // each with its share: what synchronizes them would hide a race
		for first := range workers {
			wg.Go(func() {
				for n := first; n < len(order); n += workers {
					got[order[n]] = all[order[n]].verdict()
				}
			})
		}
		wg.Wait()
		assert.Equal(t, want, got)
	}
	require.Greater(t, len(all), 300)
	t.Logf("%d examples judged in six orders", len(all))
}
