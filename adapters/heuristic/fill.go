package heuristic

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A span is a range of tokens, from first to before last.
type span struct{ first, last int }

func (s span) holds(m *mention) bool { return m.first >= s.first && m.last < s.last }

// A filling is the arguments found for one call.
type filling struct {
	q      *question
	within span
	values map[*param]pyval.Value
	by     map[*param]*mention // where a value came from
	used   map[*mention]bool
}

// fill finds arguments in a part of the question.
func fill(q *question, params []*param, within span) *filling {
	f := &filling{q: q, within: within, values: map[*param]pyval.Value{}, by: map[*param]*mention{}, used: map[*mention]bool{}}
	leaves := flatten(params, nil)
	for _, p := range leaves {
		f.choose(p)
	}
	f.moments(leaves)
	f.assign(leaves)
	for _, p := range leaves {
		f.phrase(p)
	}
	return f
}

// flatten lists the parameters that take a value of their own, those of
// nested objects among them.
func flatten(params, leaves []*param) []*param {
	for _, p := range params {
		switch {
		case p.form == object:
			leaves = flatten(p.props, leaves)
		case p.form == list && p.items != nil && p.items.form == object:
			leaves = flatten(p.items.props, leaves)
		default:
			leaves = append(leaves, p)
		}
	}
	return leaves
}

// choose sets what needs no mention: options of an enumeration and booleans.
func (f *filling) choose(p *param) {
	switch {
	case len(p.enum) > 0 && p.form == list:
		if found := f.options(p); len(found) > 0 {
			f.values[p] = pyval.NewList(found...)
		}
	case len(p.enum) > 0:
		if v := f.option(p.enum); v != nil {
			f.values[p] = v
		}
	case len(p.options) > 1:
		f.chooseQuoted(p)
	case p.form == truth:
		if v, ok := f.flag(p); ok {
			f.values[p] = pyval.Bool(v)
		}
	}
}

// chooseQuoted takes one of the values that a description quotes.
func (f *filling) chooseQuoted(p *param) {
	values := make([]pyval.Value, len(p.options))
	for i, o := range p.options {
		values[i] = pyval.Str(o)
	}
	if v := f.option(values); v != nil {
		f.values[p] = v
	}
}

// option is the value of which most words stand in the question.
func (f *filling) option(values []pyval.Value) pyval.Value {
	var best pyval.Value
	top := 0.5
	for _, v := range values {
		if share, n := f.share(v); share*math.Sqrt(n) > top {
			best, top = v, share*math.Sqrt(n)
		}
	}
	return best
}

// options are the enumerated values that stand in the question.
func (f *filling) options(p *param) []pyval.Value {
	var out []pyval.Value
	for _, v := range p.enum {
		if share, _ := f.share(v); share > 0.99 {
			out = append(out, v)
		}
	}
	return out
}

// share is the part of a value's words that stand in the question, and how
// many words it has.
func (f *filling) share(v pyval.Value) (share, n float64) {
	words := nameWords(pyval.Text(v))
	hits := 0.0
	for _, w := range words {
		if f.find(stem(w), w) >= 0 {
			hits++
		}
	}
	return hits / math.Max(float64(len(words)), 1), float64(len(words))
}

// find is the place of a word in this part of the question; -1 for none. Short
// words must be spelled alike.
func (f *filling) find(stem, word string) int {
	for i := f.within.first; i < f.within.last; i++ {
		t := &f.q.tokens[i]
		if t.stem == stem && (len(word) > 2 || t.text == word || strings.EqualFold(t.text, word) && !stops[strings.ToLower(word)]) {
			return i
		}
	}
	return -1
}

// denials before a word, or after it, turn it into its opposite.
var denials = set("no not without don't never skip off disable disabled false exclude excluding isn't shouldn't doesn't none avoid")

// maxDenial is how far before a word its denial may stand.
const maxDenial = 4

// flag reads a boolean: the words of its name stand in the question, denied or
// not.
func (f *filling) flag(p *param) (value, found bool) {
	for _, w := range nameWords(p.name) {
		s := stem(w)
		if stopStems[s] || denials[strings.ToLower(w)] || s == stem("include") || s == stem("show") || s == "enabl" {
			continue
		}
		if at := f.find(s, w); at >= 0 {
			return !f.denied(at), true
		}
	}
	return false, false
}

func (f *filling) denied(at int) bool {
	for i := at; i >= max(f.within.first, at-maxDenial); i-- {
		if denials[strings.ToLower(f.q.tokens[i].text)] {
			return true
		}
		if i < at && f.q.tokens[i].sort == mark && !f.q.is(i, "'") {
			break
		}
	}
	return f.q.is(at+1, "off") || f.q.is(at+1, "false") || f.q.is(at+2, "off") || f.q.is(at+2, "false")
}

// moments fills parameters that want a day and a time of day in one text.
func (f *filling) moments(leaves []*param) {
	for _, p := range leaves {
		if p.form != text || !strings.Contains(p.lower, "hh:mm") || !strings.Contains(p.lower, "yyyy-mm-dd") {
			continue
		}
		d, c := f.first(date), f.first(clock)
		if d == nil || c == nil || d.day.year == 0 {
			continue
		}
		join := " "
		if strings.Contains(p.lower, "ddthh") {
			join = "T"
		}
		f.values[p] = pyval.Str(p.writeDate(d) + join + c.writeClock())
		f.used[c] = true
	}
}

func (m *mention) writeClock() string { return fmt.Sprintf("%02d:%02d", m.hour, m.minute) }

// first is the first unused mention of a kind.
func (f *filling) first(k kind) *mention {
	for i := range f.q.mentions {
		if m := &f.q.mentions[i]; m.kind == k && !f.used[m] && f.within.holds(m) {
			return m
		}
	}
	return nil
}

// A pair is a mention that a parameter might take.
type pair struct {
	param   *param
	mention *mention
	score   float64
}

// optional is the score an optional parameter's mention needs beyond that of
// a required one.
const optional = 2.5

// assign gives mentions to parameters, the best pair first.
func (f *filling) assign(leaves []*param) {
	pairs := f.pairs(leaves)
	slices.SortStableFunc(pairs, func(a, b pair) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	for _, pr := range pairs {
		if f.values[pr.param] == nil && !f.used[pr.mention] {
			f.take(pr.param, pr.mention)
		}
	}
}

// maxPairs bounds the work for questions full of mentions.
const maxPairs = 4096

func (f *filling) pairs(leaves []*param) []pair {
	var out []pair
	place := 0
	for _, p := range leaves {
		if f.values[p] != nil || len(p.enum) > 0 {
			continue
		}
		seen := 0
		for i := range f.q.mentions {
			m := &f.q.mentions[i]
			if !f.within.holds(m) || p.tastes[m.kind] == 0 || !p.takes(m) || p.form == list && m.group != i || len(out) >= maxPairs {
				continue
			}
			score, near := f.rate(p, m)
			score -= 0.3 * math.Abs(float64(seen-place))
			if !m.spelled {
				seen++
			}
			if p.required || near >= optional {
				out = append(out, pair{p, m, score})
			}
		}
		if p.required {
			place++
		}
	}
	return out
}

// takes reports whether the mention's value is of the parameter's type.
func (p *param) takes(m *mention) bool {
	if p.form != whole {
		return true
	}
	v := p.convert(m)
	return v == math.Trunc(v)
}

// take gives a mention to a parameter; a list takes the whole enumeration.
func (f *filling) take(p *param, m *mention) {
	f.by[p] = m
	f.used[m] = true
	if p.form != list || p.items == nil {
		f.values[p] = p.value(m)
		return
	}
	var items []pyval.Value
	for _, member := range f.q.members(m.group) {
		f.used[member] = true
		items = append(items, p.items.value(member))
	}
	f.values[p] = pyval.NewList(items...)
}

// value is a mention as a value of the parameter's type.
func (p *param) value(m *mention) pyval.Value {
	switch {
	case m.kind == number && p.form != text:
		return p.numeral(m)
	case m.kind == date:
		return pyval.Str(p.writeDate(m))
	case m.kind == clock:
		return pyval.Str(m.writeClock())
	case m.city != "" && !p.wantsRegion():
		return pyval.Str(m.city)
	}
	return pyval.Str(m.text)
}

// wantsRegion reports whether a place is wanted with its state or country.
func (p *param) wantsRegion() bool {
	return strings.Contains(p.lower, "state") || strings.Contains(p.lower, "country") || strings.Contains(p.lower, ", ")
}

func (p *param) numeral(m *mention) pyval.Value {
	v := p.convert(m)
	switch {
	case p.form == fractional, v != math.Trunc(v):
		return pyval.Float(v)
	case m.digits != "" && v == m.num:
		if n, ok := pyval.ParseInt(strings.TrimSuffix(m.digits, ".0"), 10); ok {
			return n
		}
	case math.Abs(v) > 1<<53:
		return pyval.Float(v)
	}
	return pyval.MakeInt(int64(v))
}

// maxPhrase bounds a phrase in tokens.
const maxPhrase = 4

// phrase fills a required text that nothing else filled with the plain words
// that follow, or else precede, one of its cues.
func (f *filling) phrase(p *param) {
	if !p.required || f.values[p] != nil || p.form != text && p.form != anything || len(p.enum) > 0 {
		return
	}
	best, top := span{}, 0.0
	for i := f.within.first; i < f.within.last; i++ {
		if !f.plainWord(i) || f.plainWord(i-1) {
			continue
		}
		end := i + 1
		for end < f.within.last && end < i+maxPhrase && f.plainWord(end) {
			end++
		}
		m := mention{first: i, last: end - 1}
		if score := 0.1 + f.context(p, &m); score > top && p.cues[f.q.tokens[end-1].stem] == 0 {
			best, top = span{i, end}, score
		}
	}
	if top > 0 {
		f.values[p] = pyval.Str(f.q.text[f.q.tokens[best.first].start:f.q.tokens[best.last-1].end])
	}
}

// plainWord reports whether a token may stand in a phrase: it says something and
// does not begin the sentence as its verb does.
func (f *filling) plainWord(i int) bool {
	return f.q.within(i) && i < f.within.last && !f.q.tokens[i].isStop() && !f.q.tokens[i].opens
}
