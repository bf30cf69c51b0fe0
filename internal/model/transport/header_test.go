package transport

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestParseReset(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{"6m0s", 6 * time.Minute, true},
		{"120ms", 120 * time.Millisecond, true},
		{"1s", time.Second, true},
		{"17", 17 * time.Second, true},
		{"0.5", 500 * time.Millisecond, true},
		{"2026-03-01T12:00:09Z", 9 * time.Second, true},
		{"2026-03-01T11:00:00Z", 0, true},
		{"1772366410", 10 * time.Second, true},
		{"1772366410000", 10 * time.Second, true},
		{"1e30", forever, true},
		{"-3s", 0, true},
		{"", 0, false},
		{"-3", 0, false},
		{"NaN", 0, false},
		{"soon", 0, false},
	} {
		got, ok := parseReset(c.text, now)
		assert.Equal(t, c.ok, ok, c.text)
		assert.Equal(t, c.want, got, c.text)
	}
}

func FuzzWaits(f *testing.F) {
	for _, seed := range []string{"6m0s", "1e309", "-1", "Fri, 31 Dec 1999 23:59:59 GMT", "9999-12-31T23:59:59Z", "Inf", "1772366410000", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, parse := range []func(string, time.Time) (time.Duration, bool){parseReset, parseRetryAfter} {
			if d, _ := parse(text, time.Now()); d < 0 {
				t.Errorf("%q: a wait of %v", text, d)
			}
		}
	})
}
