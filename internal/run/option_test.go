package run_test

import (
	"flag"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/option"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// parsed returns the options that a command line sets, or why they are refused.
func parsed(args ...string) (o option.Options, err error) {
	set := flag.NewFlagSet("t", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	o.Register(set)
	if err = set.Parse(args); err == nil {
		err = o.Check()
	}
	return o, err
}

// TestOptionSenselessNumbers: NaN, infinities, negative numbers and empty texts are
// refused by every flag for which they mean nothing.
func TestOptionSenselessNumbers(t *testing.T) {
	for _, arg := range []string{
		"-max-cost=NaN", "-max-cost=+Inf", "-max-cost=-1", "-max-cost=0", "-max-cost=", "-max-cost=ten",
		"-temperature=NaN", "-temperature=inf", "-temperature=-0.1",
		"-max-tokens=NaN", "-max-tokens=Inf", "-max-tokens=0", "-max-tokens=-5", "-max-tokens=1.5", "-max-tokens=1e30",
		"-rpm=-1", "-tpm=-1", "-concurrency=-1", "-trials=0", "-trials=-1",
		"-request-timeout=-1s", "-server-wait=-1s", "-grace=-5s", "-ids=", "-categories=",
	} {
		_, err := parsed(arg)
		assert.Error(t, err, arg)
	}
}

func TestOptionSensibleNumbers(t *testing.T) {
	o, err := parsed("-max-cost=2.5", "-temperature=0", "-max-tokens=4096", "-rpm=1", "-grace=0s", "-ids=a,b")
	require.NoError(t, err)
	assert.InDelta(t, 2.5, o.MaxCost, 0)
	assert.Equal(t, "all", o.Categories)
	assert.Equal(t, "a,b", o.IDs)
	_, err = parsed()
	require.NoError(t, err)
}
