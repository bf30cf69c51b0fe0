package show_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/show"
)

// TestDoctorProposes: no run is proposed that would be refused.
func TestDoctorProposes(t *testing.T) {
	t.Parallel()
	for state, proposed := range map[doctor.State]bool{doctor.Unknown: false, doctor.Fault: true, doctor.Doubt: true} {
		var b strings.Builder
		r := &doctor.Report{Asked: 1, Findings: []doctor.Finding{{Question: "one call", State: state, Said: "model_not_found"}}}
		show.Doctor(&b, "v4", r, advise.Command{Words: []string{"run", "-model=openai:m"}})
		assert.Equal(t, proposed, strings.Contains(b.String(), "bfcl run -model=openai:m"), b.String())
	}
}
