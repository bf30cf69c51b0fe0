package heuristic

import (
	"fmt"
	"strconv"
	"strings"
)

// months are the months' names by their first three letters.
var months = map[string]int{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

var monthNames = []string{"", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// month is the number of the month whose name stands at i; 0 for none.
func (q *question) month(i int) int {
	if !q.within(i) || len(q.tokens[i].text) < 3 {
		return 0
	}
	name := strings.ToLower(q.tokens[i].text)
	n := months[name[:3]]
	if n == 0 || name != name[:3] && name != "sept" && name != strings.ToLower(monthNames[n]) {
		return 0
	}
	return n
}

// whole is the number of a run of digits at i, between low and high; else 0.
func (q *question) whole(i, low, high int) int {
	if !q.within(i) || q.tokens[i].sort != digits {
		return 0
	}
	n, err := strconv.Atoi(q.tokens[i].text)
	if err != nil || n < low || n > high {
		return 0
	}
	return n
}

// A day is a date. Its year is 0 where the question has none.
type day struct{ year, month, day int }

// readDate reads a date with its year, in one of the usual orders.
func readDate(q *question, i int) (mention, int) {
	for _, read := range []func(*question, int) (day, int){isoDate, slashDate, dayFirst, monthFirst, hanDate} {
		if d, n := read(q, i); n > 0 {
			return mention{kind: date, day: d}, n
		}
	}
	return mention{}, 0
}

func isoDate(q *question, i int) (day, int) {
	d := day{q.whole(i, 1000, 2999), q.whole(i+2, 1, 12), q.whole(i+4, 1, 31)}
	if d.year*d.month*d.day != 0 && q.is(i+1, "-") && q.is(i+3, "-") {
		return d, 5
	}
	return d, 0
}

// slashDate is 6/14/2025, with slashes, points or dashes; a first number beyond
// 12 is the day.
func slashDate(q *question, i int) (day, int) {
	a, b, year := q.whole(i, 1, 31), q.whole(i+2, 1, 31), q.whole(i+4, 1000, 2999)
	if a*b*year == 0 || !q.within(i+1) || !strings.Contains("/-.", q.tokens[i+1].text) || !q.is(i+3, q.tokens[i+1].text) {
		return day{}, 0
	}
	if a > 12 {
		a, b = b, a
	}
	return day{year, a, b}, 5
}

// dayFirst is 14 June 2025 or the 14th of June, 2025.
func dayFirst(q *question, i int) (day, int) {
	d := day{day: q.whole(i, 1, 31)}
	n := 1 + q.ordinal(i+1)
	if q.is(i+n, "of") {
		n++
	}
	d.month = q.month(i + n)
	return q.withYear(i, n+1, d)
}

// monthFirst is June 14th, 2025.
func monthFirst(q *question, i int) (day, int) {
	d := day{month: q.month(i), day: q.whole(i+1, 1, 31)}
	return q.withYear(i, 2+q.ordinal(i+2), d)
}

func (q *question) withYear(i, n int, d day) (day, int) {
	if d.day*d.month == 0 {
		return d, 0
	}
	if q.is(i+n, ",") && q.whole(i+n+1, 1000, 2999) > 0 {
		n++
	}
	if d.year = q.whole(i+n, 1000, 2999); d.year > 0 {
		n++
	}
	return d, n
}

// ordinal is 1 where the ending of an ordinal is glued to the digits before i.
func (q *question) ordinal(i int) int {
	if !q.glued(i) {
		return 0
	}
	switch strings.ToLower(q.tokens[i].text) {
	case "st", "nd", "rd", "th":
		return 1
	}
	return 0
}

func hanDate(q *question, i int) (day, int) {
	d := day{q.whole(i, 1000, 2999), q.whole(i+2, 1, 12), q.whole(i+4, 1, 31)}
	if d.year*d.month*d.day != 0 && q.is(i+1, "年") && q.is(i+3, "月") {
		return d, 6
	}
	return d, 0
}

// dateForms are the ways documents describe a date, each with its layout.
var dateForms = []struct {
	doc   string
	write func(d day) string
}{
	{"mm/dd/yyyy", func(d day) string { return fmt.Sprintf("%02d/%02d/%d", d.month, d.day, d.year) }},
	{"dd/mm/yyyy", func(d day) string { return fmt.Sprintf("%02d/%02d/%d", d.day, d.month, d.year) }},
	{"mm-dd-yyyy", func(d day) string { return fmt.Sprintf("%02d-%02d-%d", d.month, d.day, d.year) }},
	{"dd-mm-yyyy", func(d day) string { return fmt.Sprintf("%02d-%02d-%d", d.day, d.month, d.year) }},
	{"dd.mm.yyyy", func(d day) string { return fmt.Sprintf("%02d.%02d.%d", d.day, d.month, d.year) }},
	{"yyyy/mm/dd", func(d day) string { return fmt.Sprintf("%d/%02d/%02d", d.year, d.month, d.day) }},
	{"yyyymmdd", func(d day) string { return fmt.Sprintf("%d%02d%02d", d.year, d.month, d.day) }},
	{"month dd", func(d day) string { return fmt.Sprintf("%s %d, %d", monthNames[d.month], d.day, d.year) }},
}

// writeDate is a date in the form the description asks for, ISO if it asks
// for none. A date without a year stays as it was written.
func (p *param) writeDate(m *mention) string {
	if m.day.year == 0 {
		return m.text
	}
	for _, form := range dateForms {
		if strings.Contains(p.lower, form.doc) {
			return form.write(m.day)
		}
	}
	return fmt.Sprintf("%d-%02d-%02d", m.day.year, m.day.month, m.day.day)
}

// readClock reads a time of day: 18:15, 2:15 pm, 8am, noon.
func readClock(q *question, i int) (mention, int) {
	m := mention{kind: clock}
	switch {
	case q.is(i, "noon"):
		m.hour = 12
		return m, 1
	case q.is(i, "midnight"):
		return m, 1
	case !q.within(i) || q.tokens[i].sort != digits || len(q.tokens[i].text) > 2:
		return m, 0
	}
	n, colon := 1, false
	m.hour = q.whole(i, 0, 23)
	if q.is(i+1, ":") && q.within(i+2) && len(q.tokens[i+2].text) == 2 && q.tokens[i+2].sort == digits {
		m.minute, colon = q.whole(i+2, 0, 59), true
		n = 3
	}
	afternoon, half := q.half(i + n)
	if half == 0 && !colon {
		return m, 0
	}
	if half > 0 {
		m.hour %= 12
	}
	if afternoon {
		m.hour += 12
	}
	return m, n + half
}

// half reads am or pm at i.
func (q *question) half(i int) (afternoon bool, n int) {
	if !q.within(i) {
		return false, 0
	}
	n = 1
	if q.is(i+1, ".") && (q.is(i+2, "m")) {
		n = 3
		if q.is(i+3, ".") {
			n = 4
		}
	}
	switch text := strings.ToLower(q.tokens[i].text); {
	case text == "am", n > 1 && text == "a":
		return false, n
	case text == "pm", n > 1 && text == "p":
		return true, n
	}
	return false, 0
}
