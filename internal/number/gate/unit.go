package gate

import (
	"fmt"
	"strconv"
)

// A unit formats values, and limits with the digits that the file has.
type unit interface {
	Text(x float64) string
	Exact(x float64) string
}

// A plain unit is text before or after a number.
type plain struct{ before, format, after string }

var (
	dollars = plain{"$", "%.4f", ""}
	seconds = plain{"", "%.3f", " s"}
	percent = plain{"", "%.2f", "%"}
)

// Text formats a value.
func (p plain) Text(x float64) string { return p.before + fmt.Sprintf(p.format, x) + p.after }

// Exact formats a limit.
func (p plain) Exact(x float64) string {
	return p.before + strconv.FormatFloat(x, 'f', -1, 64) + p.after
}
