package sim

import (
	"regexp"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A DateFormat is one format of Python's datetime.strptime.
type DateFormat struct {
	format  string
	pattern *regexp.Regexp
}

// The patterns are those of Python's _strptime: \d and white space are
// Unicode's, and the first alternative that lets the rest match wins.
const (
	datePattern = `(\p{Nd}{4})-(1[0-2]|0[1-9]|[1-9])-(3[0-1]|[1-2]\p{Nd}|0[1-9]|[1-9]| [1-9])`
	timePattern = `(2[0-3]|[0-1]\p{Nd}|\p{Nd}):([0-5]\p{Nd}|\p{Nd}):(6[0-1]|[0-5]\p{Nd}|\p{Nd})`
	space       = `[\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+`
)

// The formats that upstream reads.
var (
	Day    = DateFormat{"%Y-%m-%d", regexp.MustCompile(`^` + datePattern)}
	Moment = DateFormat{"%Y-%m-%d %H:%M:%S", regexp.MustCompile(`^` + datePattern + space + timePattern)}
)

// Parse is Python's datetime.strptime(v, format), without a time zone.
func (f DateFormat) Parse(v pyval.Value) time.Time {
	s, ok := v.(pyval.Str)
	if !ok {
		panic(Raise("TypeError", "strptime() argument 1 must be str, not "+pyval.TypeName(v)))
	}
	text := string(s)
	at := f.pattern.FindStringSubmatchIndex(text)
	if at == nil {
		panic(Raise("ValueError", "time data "+pyval.Repr(s)+" does not match format '"+f.format+"'"))
	}
	if at[1] != len(text) {
		panic(Raise("ValueError", "unconverted data remains: "+text[at[1]:]))
	}
	var field [6]int
	for i := 1; i < len(at)/2; i++ {
		field[i-1] = decimal(text[at[2*i]:at[2*i+1]])
	}
	return dateOf(field)
}

// decimal reads digits, and skips the blank that a day may begin with.
func decimal(s string) int {
	n := 0
	for _, r := range s {
		if digit, ok := pyval.Decimal(r); ok {
			n = 10*n + digit
		}
	}
	return n
}

func dateOf(f [6]int) time.Time {
	if f[0] == 0 {
		panic(Raise("ValueError", "year 0 is out of range"))
	}
	t := time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], 0, 0, time.UTC)
	if t.Day() != f[2] {
		panic(Raise("ValueError", "day is out of range for month"))
	}
	if f[5] > 59 {
		panic(Raise("ValueError", "second must be in 0..59"))
	}
	return t.Add(time.Duration(f[5]) * time.Second)
}
