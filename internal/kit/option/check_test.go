package option_test

import (
	"flag"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/kit/option"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// given are the options of a command line, and what is wrong with them.
func given(args ...string) (o option.Options, err error) {
	set := flag.NewFlagSet("t", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	o.Register(set)
	if err = set.Parse(args); err == nil {
		err = o.Check()
	}
	return o, err
}

// TestSenselessNumbers: what is no number, infinite or negative is refused
// wherever a number is wanted, and nothing is silently everything.
func TestSenselessNumbers(t *testing.T) {
	for _, arg := range []string{
		"-max-cost=NaN", "-max-cost=+Inf", "-max-cost=-1", "-max-cost=0", "-max-cost=", "-max-cost=ten",
		"-temperature=NaN", "-temperature=inf", "-temperature=-0.1",
		"-max-tokens=NaN", "-max-tokens=Inf", "-max-tokens=0", "-max-tokens=-5", "-max-tokens=1.5", "-max-tokens=1e30",
		"-rpm=-1", "-tpm=-1", "-concurrency=-1", "-trials=0", "-trials=-1",
		"-request-timeout=-1s", "-server-wait=-1s", "-grace=-5s", "-ids=", "-categories=",
	} {
		_, err := given(arg)
		assert.Error(t, err, arg)
	}
	_, err := given("-trials=3", "-share-equal")
	require.ErrorContains(t, err, "trials must be independent")
}

func TestSensibleNumbers(t *testing.T) {
	o, err := given("-max-cost=2.5", "-temperature=0", "-max-tokens=4096", "-rpm=1", "-grace=0s", "-ids=a,b")
	require.NoError(t, err)
	assert.InDelta(t, 2.5, o.MaxCost, 0)
	assert.Equal(t, "all", o.Categories)
	assert.Equal(t, "a,b", o.IDs)
	_, err = given()
	require.NoError(t, err)
}
