//go:build !otel

package run_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/run/telemetry"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestTelemetryNotBuiltIn(t *testing.T) {
	assert.ErrorContains(t, telemetry.Check(), "-tags otel")
	_, err := telemetry.Open(telemetry.Run{})
	assert.ErrorContains(t, err, "-tags otel")
}
