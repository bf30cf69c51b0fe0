package eval

import (
	"fmt"
	"strconv"
	"strings"
)

// Money is what requests cost in dollars, as far as it is known.
type Money struct {
	// Dollars is the sum of the prices that are known.
	Dollars float64 `json:"dollars"`
	// Requests counts the requests; 0 if nothing is known of their price.
	Requests int `json:"requests,omitempty"`
	// Unknown counts the requests whose price is not known, or not in full. If
	// there are any, Dollars is a lower bound.
	Unknown int `json:"unknown,omitempty"`
}

// Plus returns the sum.
func (m Money) Plus(other Money) Money {
	return Money{m.Dollars + other.Dollars, m.Requests + other.Requests, m.Unknown + other.Unknown}
}

// Sane returns the zero Money for what no requests cost, which a file may state.
func (m Money) Sane() Money {
	const most = 1e9
	if m.Dollars >= 0 && m.Dollars < most && m.Requests > 0 && m.Unknown >= 0 && m.Unknown <= m.Requests {
		return m
	}
	return Money{}
}

// String returns the dollars with four decimals.
func (m Money) String() string { return m.Text(4) }

// Text returns the dollars with some decimals, and that they are a lower bound if
// they are.
func (m Money) Text(decimals int) string {
	text := fmt.Sprintf("$%.*f", decimals, m.Dollars)
	if m.Unknown > 0 {
		return atLeast + text
	}
	return text
}

// atLeast begins the text of a lower bound.
const atLeast = "at least "

// Attr returns the dollars with all digits, as an attribute of a test.
func (m Money) Attr() string {
	text := strconv.FormatFloat(m.Dollars, 'f', -1, 64)
	if m.Unknown > 0 {
		return atLeast + text
	}
	return text
}

// ParseMoney reads what Attr returns, as of one request; the zero Money if the text
// is no such thing.
func ParseMoney(text string) Money {
	number, lower := strings.CutPrefix(text, atLeast)
	dollars, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return Money{}
	}
	m := Money{Dollars: dollars, Requests: 1}
	if lower {
		m.Unknown = 1
	}
	return m.Sane()
}
