package heuristic

import (
	"math"
	"strings"
)

// rate says how well a mention suits a parameter, and how much of that is due
// to the words around it.
func (f *filling) rate(p *param, m *mention) (score, near float64) {
	near = f.context(p, m)
	if m.spelled && m.unit == "" || m.spelled && units[m.unit] == (unit{}) {
		near -= 1.5 // "two numbers" says how many, not which
	}
	if m.kind == name && p.form != list && f.documented(p, m) {
		near -= 2
	}
	if m.kind == number && m.unit != "" {
		if u, ok := units[m.unit]; ok && p.unit.family != "" {
			if u.family == p.unit.family {
				near += 2.5
			} else {
				near -= 2
			}
		}
	}
	if m.percent {
		near += p.percentage()
	}
	if m.kind == name && p.tastes[code] > 4 && isAcronym(m.text) {
		near += 2
	}
	score = p.tastes[m.kind] + near
	if p.form == list {
		score += math.Min(float64(len(f.q.members(m.group))), 3) - 1
	}
	if p.required {
		score++
	}
	return score, near
}

// percentage says how well a percentage suits a parameter.
func (p *param) percentage() float64 {
	switch {
	case p.unit.family != "" && p.unit.family != "span" && p.unit.family != "time":
		return -3
	case p.cues["fraction"] > 0 || p.cues["percent"] > 0 || p.cues["rat"] > 0 || p.cues["shar"] > 0:
		return 2
	}
	return 0
}

// documented reports whether a name stands in the parameter's own description:
// then it is a unit or an example rather than an argument.
func (f *filling) documented(p *param, m *mention) bool {
	return m.first == m.last && p.cues[f.q.tokens[m.first].stem] > 0
}

// How far the words around a mention are looked at.
const (
	before = 7
	after  = 4
)

// context adds up the cues around a mention: near ones count more, and those
// beyond another mention or the sentence hardly or not at all.
func (f *filling) context(p *param, m *mention) float64 {
	sum, weight := f.lead(p, m), 1.0
	for d := 1; d <= before && m.first-d >= f.within.first; d++ {
		t := &f.q.tokens[m.first-d]
		sum += weight * p.cue(t)
		if f.q.tokens[m.first-d+1].opens || t.opens && f.q.tokens[m.first].opens {
			break
		}
		weight *= 0.85
		if t.sort == digits || t.text == "," || t.text == ";" {
			weight *= 0.4
		}
	}
	weight = 0.9
	for d := 1; d <= after && m.last+d < f.within.last; d++ {
		t := &f.q.tokens[m.last+d]
		if t.opens || t.sort == digits {
			break
		}
		sum += weight * p.cue(t)
		weight *= 0.7
		if t.text == "," || t.text == ";" || f.q.is(m.last+d, "and") {
			weight *= 0.2
		}
	}
	return sum
}

// lead is the weight of the word right before a mention, articles aside.
func (f *filling) lead(p *param, m *mention) float64 {
	at := m.first - 1
	if f.q.is(at, "the") || f.q.is(at, "a") {
		at--
	}
	if f.q.within(at) && p.leads[strings.ToLower(f.q.tokens[at].text)] {
		return 2.5
	}
	return 0
}

func (p *param) cue(t *token) float64 {
	if t.sort == mark {
		return p.cues[t.text]
	}
	return p.cues[t.stem]
}
