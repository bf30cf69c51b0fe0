package transport

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An advice is what a reply says about when to ask again.
type advice struct {
	// wait is how long to wait; it is valid only if asked is true.
	wait  time.Duration
	asked bool
	// usedUp says that a budget of requests or tokens is used up.
	usedUp bool
}

// forever is a wait so long that its length does not matter.
const forever = 365 * 24 * time.Hour

// budgets are the pairs of headers that say what is left of a budget and when
// it is replenished.
var budgets = []struct{ remaining, reset string }{
	{"X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests"},
	{"X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens"},
	{"X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
	{"Anthropic-Ratelimit-Requests-Remaining", "Anthropic-Ratelimit-Requests-Reset"},
	{"Anthropic-Ratelimit-Tokens-Remaining", "Anthropic-Ratelimit-Tokens-Reset"},
	{"Anthropic-Ratelimit-Input-Tokens-Remaining", "Anthropic-Ratelimit-Input-Tokens-Reset"},
	{"Anthropic-Ratelimit-Output-Tokens-Remaining", "Anthropic-Ratelimit-Output-Tokens-Reset"},
}

// adviceOf reads a reply's headers. An explicit request to wait takes
// precedence over a budget's reset; of several used-up budgets the last to be
// replenished counts.
func adviceOf(h http.Header) advice {
	var a advice
	for _, b := range budgets {
		if left, err := strconv.ParseFloat(h.Get(b.remaining), 64); err != nil || left > 0 || math.IsNaN(left) {
			continue
		}
		a.usedUp = true
		if wait, ok := parseReset(h.Get(b.reset), serverTime(h)); ok {
			a.wait, a.asked = max(a.wait, wait), true
		}
	}
	if wait, ok := explicitWait(h); ok {
		a.wait, a.asked = wait, true
	}
	return a
}

func explicitWait(h http.Header) (time.Duration, bool) {
	if text := h.Get("Retry-After-Ms"); text != "" {
		if ms, err := strconv.ParseFloat(text, 64); err == nil && ms >= 0 {
			return seconds(ms / 1000), true
		}
	}
	if text := h.Get("Retry-After"); text != "" {
		return parseRetryAfter(text, serverTime(h))
	}
	return 0, false
}

// serverTime returns the reply's own date, so that a wrong local clock does not
// matter; the local time if there is none.
func serverTime(h http.Header) time.Time {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		return date
	}
	return time.Now()
}

// parseRetryAfter reads seconds, whole or not, or an HTTP date.
func parseRetryAfter(text string, now time.Time) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 {
		return seconds(n), true
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(date.Sub(now), 0), true
	}
	return 0, false
}

// parseReset reads the spellings of a budget's reset: "6m0s", "120ms",
// seconds, seconds or milliseconds since 1970, RFC 3339.
func parseReset(text string, now time.Time) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if d, err := time.ParseDuration(text); err == nil {
		return max(d, 0), true
	}
	if date, err := time.Parse(time.RFC3339, text); err == nil {
		return max(date.Sub(now), 0), true
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || n < 0 || math.IsNaN(n):
		return 0, false
	case n > 1e14:
		return forever, true
	case n > 1e11:
		return max(time.UnixMilli(int64(n)).Sub(now), 0), true
	case n > 9e8:
		return max(time.Unix(int64(n), 0).Sub(now), 0), true
	}
	return seconds(n), true
}

func seconds(n float64) time.Duration {
	if math.IsNaN(n) || n >= forever.Seconds() {
		return forever
	}
	return time.Duration(n * float64(time.Second))
}

// A Meter measures what one request cost. It is filled in before the request
// returns, and is for one request at a time.
type Meter struct {
	// Latency is the time of the last attempt only, from sending to the last
	// byte of the reply.
	Latency time.Duration
	// First is the time of the last attempt to the first token of a stream; 0
	// if the reply did not come as a stream, or streams were not watched.
	First time.Duration

	used func(prompt, answer int) // nil without a budget of tokens
}

// Used charges the budget of tokens, if there is one, with what the reply says that
// it cost instead of what was guessed.
func (m *Meter) Used(prompt, answer int) {
	if m.used != nil {
		m.used(prompt, answer)
	}
}

type meterKey struct{}

// WithMeter returns a context whose requests are measured, and their Meter.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{}
	return context.WithValue(ctx, meterKey{}, m), m
}

func meterOf(ctx context.Context) *Meter {
	if m, ok := ctx.Value(meterKey{}).(*Meter); ok {
		return m
	}
	return &Meter{}
}

// bytesPerToken is how many bytes of a request's body make a token if nothing is
// known of the request.
const bytesPerToken = 4.5

// A Scale tells how many tokens the body of a request makes before the reply says
// it: by the replies to requests of its kind.
type Scale struct {
	kind *Scale // that a conversation is of; nil if this is a kind

	mu            sync.Mutex
	tokens, bytes float64
}

// NewScale returns the Scale of a kind of requests, with how many bytes make a
// token as long as there is no reply.
func NewScale(bytesPerToken float64) *Scale { return &Scale{tokens: 1, bytes: bytesPerToken} }

// Conversation returns the Scale of one conversation of the kind, whose steps
// resemble the step before.
func (s *Scale) Conversation() *Scale { return &Scale{kind: s} }

// guess returns how many tokens a number of bytes makes.
func (s *Scale) guess(bytes int) int {
	if s == nil {
		return int(float64(bytes) / bytesPerToken)
	}
	s.mu.Lock()
	tokens, of := s.tokens, s.bytes
	s.mu.Unlock()
	if of == 0 {
		return s.kind.guess(bytes)
	}
	return int(float64(bytes) * tokens / of)
}

// learn notes how many tokens a number of bytes made.
func (s *Scale) learn(bytes, tokens int) {
	if s == nil || bytes == 0 || tokens == 0 {
		return
	}
	s.mu.Lock()
	if s.kind != nil {
		s.tokens, s.bytes = 0, 0
	}
	s.tokens, s.bytes = s.tokens+float64(tokens), s.bytes+float64(bytes)
	s.mu.Unlock()
	s.kind.learn(bytes, tokens)
}

type scaleKey struct{}

// WithScale returns a context whose requests are charged by a Scale.
func WithScale(ctx context.Context, s *Scale) context.Context {
	return context.WithValue(ctx, scaleKey{}, s)
}

func scaleOf(ctx context.Context) *Scale {
	s, _ := ctx.Value(scaleKey{}).(*Scale)
	return s
}
