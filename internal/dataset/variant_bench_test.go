package dataset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// BenchmarkVariantVary is what a variant adds to a case: to choose how it is varied, to
// put it so, and to map its calls back. b.N counts cases.
func BenchmarkVariantVary(b *testing.B) {
	d, err := fixtures.Open("v4", testkit.Shared(b, "bfcl"))
	require.NoError(b, err)
	cat := d.Categories().Find("live_multiple")
	cases, err := d.Cases(cat)
	require.NoError(b, err)
	answers := map[string]pyval.Value{}
	for _, c := range cases {
		answers[c.ID], _ = cat.Decode(c, oracle.Answer(c, eval.FC), eval.SettingsFor(eval.FC))
	}
	set := setOf(b, d, "none,order,opaque,distractors:8,schema")
	for _, spec := range set.Specs {
		b.Run(spec.String(), func(b *testing.B) {
			for n := 0; n < b.N; {
				_, varied, _, err := set.Vary(spec, cat, cases)
				require.NoError(b, err)
				for _, c := range varied {
					_ = c.Posed()
					if back := c.Variation.Back; back != nil {
						_ = back(answers[c.Plain().ID])
					}
				}
				n += len(cases)
			}
		})
	}
}
