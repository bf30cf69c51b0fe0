package say_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/say"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestCountOf(t *testing.T) {
	for n, want := range map[int]string{0: "0 cases", 1: "1 case", 2: "2 cases", 1000: "1000 cases"} {
		assert.Equal(t, want, say.Count(n, "case", "cases"))
	}
}
