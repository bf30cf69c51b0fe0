package heuristic

import (
	"math"
	"strconv"
	"strings"
)

// numberWords are numbers as words; tens take a unit after them.
var numberWords = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"half": 0.5, "quarter": 0.25, "dozen": 12, "hundred": 100, "twice": 2, "once": 1, "couple": 2, "pair": 2,
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}

// multipliers stand after a number.
var multipliers = map[string]float64{
	"hundred": 100, "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12, "dozen": 12,
}

// readNumber reads a number in digits or words, with sign, multiplier, percent
// and unit.
func readNumber(q *question, i int) (mention, int) {
	m := mention{kind: number}
	n, ok := q.signAt(i)
	value, used := q.plainNumber(i + n)
	if !ok || used == 0 {
		return m, 0
	}
	if n == 1 {
		value = -value
	}
	n += used
	m.spelled = q.tokens[i+n-used].sort == word
	if used == 1 && !m.spelled {
		m.digits = strings.ReplaceAll(q.text[q.tokens[i].start:q.tokens[i+n-1].end], ",", "")
	}
	for by := q.multiplier(i, i+n); by != 0; by = q.multiplier(i, i+n) {
		value, m.digits = value*by, ""
		n++
	}
	percent := q.percentAt(i + n)
	if m.percent = percent > 0; m.percent {
		n += percent
	} else if q.is(i+n, "and") && q.is(i+n+1, "a") && q.is(i+n+2, "half") {
		value, m.digits = value+0.5, ""
		n += 3
	}
	m.num = roundOff(value)
	m.unit = q.unitAt(i + n)
	return m, n
}

// signAt is 1 for a minus at i. It is not ok where a dash means something else.
func (q *question) signAt(i int) (n int, ok bool) {
	switch {
	case q.is(i, "minus"):
		return 1, true
	case !q.is(i, "-") && !q.is(i, "−"):
		return 0, true
	}
	joins := i > 0 && !q.tokens[i].space && q.tokens[i-1].sort != mark
	return 1, !joins && q.glued(i+1)
}

// percentAt is how many tokens at i say percent.
func (q *question) percentAt(i int) int {
	switch {
	case q.is(i, "%"), q.is(i, "percent"):
		return 1
	case q.is(i, "per") && q.is(i+1, "cent"):
		return 2
	}
	return 0
}

// multiplier is what the word at i makes of the number that begins at first; 0
// for no such word. A capital K is a unit unless money is meant.
func (q *question) multiplier(first, i int) float64 {
	if !q.within(i) || q.tokens[i].text == "K" && !(first > 0 && strings.Contains("$€£", q.tokens[first-1].text)) {
		return 0
	}
	return multipliers[strings.ToLower(q.tokens[i].text)]
}

// plainNumber is the number of one or two tokens at i.
func (q *question) plainNumber(i int) (value float64, n int) {
	if !q.within(i) {
		return 0, 0
	}
	if t := q.tokens[i]; t.sort == digits {
		return q.decimal(i, t)
	}
	value, ok := numberWords[strings.ToLower(q.tokens[i].text)]
	if !ok {
		return 0, 0
	}
	at := i + 1
	if q.is(at, "-") {
		at++
	}
	if q.within(at) && value >= 20 && value < 100 {
		if unit := numberWords[strings.ToLower(q.tokens[at].text)]; unit >= 1 && unit < 10 {
			return value + unit, at + 1 - i
		}
	}
	return value, 1
}

// decimal reads digits, with an exponent such as 1e-4 if one is glued to them.
func (q *question) decimal(i int, t token) (float64, int) {
	value, err := strconv.ParseFloat(strings.ReplaceAll(t.text, ",", ""), 64)
	if err != nil {
		return 0, 0
	}
	sign := 0
	if q.glued(i+1) && strings.EqualFold(q.tokens[i+1].text, "e") {
		if q.is(i+2, "-") || q.is(i+2, "+") {
			sign = 1
		}
		if at := i + 2 + sign; q.glued(at) && q.tokens[at].sort == digits {
			if v, err := strconv.ParseFloat(q.text[t.start:q.tokens[at].end], 64); err == nil {
				return v, at + 1 - i
			}
		}
	}
	return value, 1
}

// unitAt is the stem of the unit that stands at i, else of the word there.
func (q *question) unitAt(i int) string {
	if q.is(i, "-") && q.glued(i+1) { // "3-hour"
		i++
	}
	if q.is(i, "°") {
		i++
	}
	if q.within(i) && q.tokens[i].sort == word {
		return q.tokens[i].stem
	}
	return ""
}

// roundOff takes off what binary arithmetic added to a short decimal number.
func roundOff(f float64) float64 {
	if f == math.Trunc(f) {
		return f
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 12, 64), 64)
	if err != nil {
		return f
	}
	return short
}

// A unit is a measure by family: a value in it times factor is in the family's
// base unit.
type unit struct {
	family string
	factor float64
}

// unitList spells units, a family and factor a line.
var unitList = []struct {
	unit
	names string
}{
	{unit{"time", 1e-3}, "millisecond ms millis"}, {unit{"time", 1}, "second sec s"}, {unit{"time", 60}, "minute min mins"},
	{unit{"time", 3600}, "hour hr hrs h"}, {unit{"time", 86400}, "day"}, {unit{"time", 604800}, "week"},
	{unit{"span", 1}, "month"}, {unit{"span", 12}, "year yr annual"},
	{unit{"length", 1e-3}, "millimetre millimeter mm"}, {unit{"length", 1e-2}, "centimetre centimeter cm"},
	{unit{"length", 1}, "metre meter m"}, {unit{"length", 1e3}, "kilometre kilometer km"},
	{unit{"mass", 1e-3}, "milligram mg"}, {unit{"mass", 1}, "gram g"}, {unit{"mass", 1e3}, "kilogram kilo kg"}, {unit{"mass", 1e6}, "tonne"},
	{unit{"volume", 1e-3}, "millilitre milliliter ml"}, {unit{"volume", 1}, "litre liter l"},
	{unit{"power", 1}, "watt w"}, {unit{"power", 1e3}, "kilowatt kw"}, {unit{"power", 1e6}, "megawatt mw"},
	{unit{"energy", 1}, "watthour wh"}, {unit{"energy", 1e3}, "kwh"},
	{unit{"data", 1}, "megabyte mb"}, {unit{"data", 1e3}, "gigabyte gb"}, {unit{"data", 1e6}, "terabyte tb"},
}

// units are the units by stem.
var units = func() map[string]unit {
	out := map[string]unit{}
	for _, u := range unitList {
		for _, name := range strings.Fields(u.names) {
			out[stem(name)] = u.unit
		}
	}
	return out
}()

// convert turns a number into the parameter's unit where both units are known
// and differ, and percent into a fraction where the document wants one.
func (p *param) convert(m *mention) float64 {
	if m.percent && p.fraction {
		return roundOff(m.num / 100)
	}
	from, ok := units[m.unit]
	if ok && p.unit.family == from.family && p.unit != from {
		return roundOff(m.num * from.factor / p.unit.factor)
	}
	return m.num
}
