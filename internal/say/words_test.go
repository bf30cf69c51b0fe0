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
}
