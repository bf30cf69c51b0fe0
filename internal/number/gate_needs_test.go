package number_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestWouldDecide: an undecided rule says how many cases like the run's would
// decide: so many do, and fewer do not.
func TestWouldDecide(t *testing.T) {
	t.Parallel()
	says := regexp.MustCompile(`about (\d+) cases like these would decide`)
	none := func(int) *tally.Run { return nil }
	of := func(right, wrong int) func(times int) *tally.Run { // so many of a hundred times 100
		return func(n int) *tally.Run { return newRun(right*n/100, n-right*n/100, 0) }
	}
	for _, c := range []struct {
		rule      string
		run, than func(n int) *tally.Run
	}{
		{"floors: {simple_python: {min: 55, on: interval}}", of(60, 40), none},
		{"floors: {simple_python: {min: 65, on: interval}}", of(60, 40), none},
		{"floors: {simple_python: {min: 99, on: interval}}", of(100, 0), none},
		{"floors: {simple_python: {min: 2, on: interval}}", of(0, 100), none},
		{"partial: true\nfloors: {overall: {min: 55, on: interval}}", of(60, 40), none},
		{"regressions: {simple_python: {points: 5, on: interval}}", of(58, 42), of(60, 40)},
		{"regressions: {simple_python: {points: 1, on: interval}}", of(58, 42), of(60, 40)},
		{"regressions: {simple_python: {detect: 1}}", of(58, 42), of(60, 40)},
		{"regressions: {simple_python: {detect: 3}}", of(58, 42), of(60, 40)},
		{"partial: true\nregressions: {overall: {detect: 2}}", of(58, 42), of(60, 40)},
	} {
		decide := func(n int) gate.Check {
			d := testkit.Must(gate.Decide(parse(t, c.rule), c.run(n), c.than(n)))(t)
			return d.Rules[0]
		}
		first := decide(50)
		assert.Equal(t, gate.Undecided, first.Outcome, c.rule)
		found := says.FindStringSubmatch(first.Why)
		require.NotNil(t, found, "%s: %s", c.rule, first.Why)
		n := testkit.Must(strconv.Atoi(found[1]))(t)
		enough, few := (n+49)/50*50, (n-1)/50*50 // whose shares are as those of 50
		assert.NotEqual(t, gate.Undecided, decide(enough).Outcome, "%s: %d cases: %s", c.rule, n, decide(enough).Text())
		assert.Equal(t, gate.Undecided, decide(few).Outcome, "%s: %d cases: %s", c.rule, n, decide(few).Text())
	}
	for rule, says := range map[string]string{
		"floors: {simple_python: {min: 60, on: interval}}":                  "includes 60; not even 1000000 cases like these would decide",
		"floors: {simple_python: {min: 70, min_cases: 70}}":                 "50 cases: min_cases is 70, and the 95% interval, 46.18 to 72.70, includes 70; 20 more would decide",
		"ceilings: {latency_p95: {max: 9, min_cases: 70}}":                  "50 answers: min_cases is 70; 20 more would decide",
		"regressions: {simple_python: {significance: 0.05, min_cases: 70}}": "50 cases: min_cases is 70, and a loss would rarely be significant; 20 more would decide",
	} {
		d := testkit.Must(gate.Decide(parse(t, rule), newRun(30, 20, 0), newRun(31, 19, 0)))(t)
		assert.Equal(t, gate.Undecided, d.Outcome, rule)
		assert.Contains(t, d.Rules[0].Why, says, rule)
	}
}
