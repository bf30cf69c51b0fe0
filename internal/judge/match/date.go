package match

import (
	"fmt"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Order says how to read dates that are only numbers and have two readings,
// such as 03/04/2025.
type Order string

// The orders. Without one, a date with two readings is refused.
const (
	NoOrder    Order = ""
	DayFirst   Order = "day_first"
	MonthFirst Order = "month_first"
)

// A Date accepts texts that name a day, in any form. If the suite states a
// time, the time must be the same, too.
type Date struct {
	at    time.Time
	timed bool
	text  string
	order Order
}

// NewDate reads the expected day.
func NewDate(text string, order Order) (*Date, error) {
	switch order {
	case NoOrder, DayFirst, MonthFirst:
	default:
		return nil, fmt.Errorf("order: want %s or %s", DayFirst, MonthFirst)
	}
	found := readDate(text)
	if len(found) > 1 {
		found = ordered(found, order)
	}
	switch len(found) {
	case 1:
		return &Date{found[0].at, found[0].timed, text, order}, nil
	case 0:
		return nil, fmt.Errorf("%q is not a known date: write 2025-01-31, or 2025-01-31T14:30 if the time matters", text)
	}
	return nil, fmt.Errorf("%q can be two dates: write it as 2025-01-31", text)
}

// Name returns "date".
func (d *Date) Name() string { return "date" }

// Fits reports whether the kind is text.
func (d *Date) Fits(k pyval.Kind) bool { return k == pyval.KindStr }

func (d *Date) String() string { return "date " + d.text }

// Example returns the date as the suite writes it.
func (d *Date) Example() (pyval.Value, bool) { return pyval.Str(d.text), true }

// Refuse refuses texts that name another day, or no day.
func (d *Date) Refuse(v pyval.Value) string {
	s, ok := v.(pyval.Str)
	if !ok {
		return fmt.Sprintf("%s is %s, but %s needs a text", short(v), pyval.ATypeName(v), d)
	}
	found := readDate(string(s))
	if len(found) > 1 {
		if found = ordered(found, d.order); len(found) > 1 {
			return fmt.Sprintf("%s can be two dates, so it is refused by %s: set order: day_first or month_first", short(v), d)
		}
	}
	switch {
	case len(found) == 0:
		return fmt.Sprintf("%s is not a known date, but %s needs one", short(v), d)
	case !d.same(found[0]):
		return fmt.Sprintf("%s is refused by %s", short(v), d)
	}
	return ""
}

func (d *Date) same(got moment) bool {
	if !d.timed {
		return got.at.Format(time.DateOnly) == d.at.Format(time.DateOnly)
	}
	return got.timed && got.at.Equal(d.at)
}

// A moment is one reading of a text.
type moment struct {
	at    time.Time
	timed bool
	order Order // the order by which it was read, if that matters
}

// ordered returns the readings by an order: only one if the order is known.
func ordered(found []moment, order Order) []moment {
	for _, m := range found {
		if m.order == order && order != NoOrder {
			return []moment{m}
		}
	}
	return found
}

// days are the forms of a day, after tidy.
var days = []struct {
	layout string
	order  Order
}{
	{"2006-1-2", NoOrder}, {"2006/1/2", NoOrder}, {"2006.1.2", NoOrder}, {"20060102", NoOrder},
	{"2 January 2006", NoOrder}, {"2 Jan 2006", NoOrder}, {"January 2 2006", NoOrder}, {"Jan 2 2006", NoOrder},
	{"2006 January 2", NoOrder}, {"2006 Jan 2", NoOrder}, {"2-Jan-2006", NoOrder}, {"2-January-2006", NoOrder},
	{"2.1.2006", NoOrder},
	{"2/1/2006", DayFirst}, {"1/2/2006", MonthFirst}, {"2-1-2006", DayFirst}, {"1-2-2006", MonthFirst},
}

// hours are the forms of a time, after tidy.
var hours = []string{"", "15:04", "15:04:05", "15:04:05.999999999", "3:04PM", "3:04 PM", "3 PM", "3PM", "3:04:05 PM"}

// zones are the forms of a zone.
var zones = []string{"", "Z07:00", "-0700", " Z07:00", " -0700", " UTC", " GMT"}

var (
	weekday = pattern.Of(`(?i)^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?\.?,?\s+`)
	ordinal = pattern.Of(`(?i)\b(\d{1,2})(st|nd|rd|th)\b`)
	isoTime = pattern.Of(`(\d)[Tt](\d)`)
	half    = pattern.Of(`(?i)([ap])\.?m\.?$`)
	blanks  = pattern.Of(`\s+`)
)

const longestDate = 64

// tidy removes what does not matter: the day of the week, the ordinal's
// letters, commas, "of" and "at".
func tidy(text string) string {
	text = strings.TrimSpace(text)
	text = weekday().ReplaceAllString(text, "")
	text = ordinal().ReplaceAllString(text, "$1")
	text = isoTime().ReplaceAllString(text, "$1 $2")
	text = half().ReplaceAllStringFunc(text, func(s string) string { return strings.ToUpper(s[:1]) + "M" })
	text = strings.NewReplacer(",", " ", " of ", " ", " at ", " ", "Sept ", "Sep ").Replace(text)
	return strings.TrimSpace(blanks().ReplaceAllString(text, " "))
}

// readDate returns the days that a text can name: none, one, or two if day and
// month can change places.
func readDate(text string) []moment {
	if len(text) > longestDate {
		return nil
	}
	text = tidy(text)
	var found []moment
	for _, day := range days {
		m, ok := readMoment(text, day.layout)
		if !ok {
			continue
		}
		m.order = day.order
		if len(found) == 0 || !found[0].at.Equal(m.at) {
			found = append(found, m)
		}
		if day.order == NoOrder {
			break
		}
	}
	return found
}

func readMoment(text, day string) (moment, bool) {
	for _, hour := range hours {
		layout := strings.TrimSpace(day + " " + hour)
		if hour == "" {
			if at, err := time.Parse(layout, text); err == nil {
				return moment{at: at}, true
			}
			continue
		}
		for _, zone := range zones {
			if at, err := time.Parse(layout+zone, text); err == nil {
				return moment{at: at.UTC(), timed: true}, true
			}
		}
	}
	return moment{}, false
}
