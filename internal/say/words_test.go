package say_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/say"
)

func TestIntervals(t *testing.T) {
	const about = "Intervals are about other cases of this kind, not about these again."
	for want, units := range map[string]map[string]int{
		about: {"case": 3},
		about + " Cases that belong together count once: 9 cases, 5 memory scenarios, 2 question families, 1 conversation.": {
			"case": 9, "memory scenario": 5, "question family": 2, "conversation": 1,
		},
		about + " Cases that belong together count once: 5 memory scenarios.": {"memory scenario": 5},
	} {
		assert.Equal(t, want, say.Intervals(units))
	}
}

func TestSigned(t *testing.T) {
	assert.Equal(t, "−1.50 to +2.00", say.Signed("%+.2f to %+.2f", -1.5, 2.0))
	for format, want := range map[string]string{"%.2f": "0.00", "%+.2f": "0.00", "%.1f points": "0.0 points", "(%.0f)": "(0)", "%.4f": "−0.0020"} {
		assert.Equal(t, want, say.Signed(format, -0.002), format)
	}
	assert.Equal(t, "0.00, −10.00, −0.50", say.Signed("%.2f, %.2f, %.2f", -0.0001, -10.0, -0.5))
}
