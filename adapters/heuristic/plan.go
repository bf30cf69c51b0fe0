package heuristic

import (
	"maps"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A call is one call with its arguments.
type call struct {
	tool     *tool
	params   []*param
	args     *pyval.Dict
	complete bool // the question had a value for each required parameter
}

// plan decides how many calls the question asks for, and fills them.
func plan(q *question, tools []*tool) []call {
	all := span{0, len(q.tokens)}
	best := pick(q.stems, tools)
	if best == nil {
		return nil
	}
	clauses := q.clauses()
	several := parts(q, clauses, tools)
	if len(several) < 2 {
		return repeat(q, best, all, clauses)
	}
	var out []call
	for _, part := range several {
		calls := repeat(q, part.tool, part.span, clauses)
		if !calls[0].complete {
			return repeat(q, best, all, clauses) // a clause that only mentions a tool
		}
		out = append(out, calls...)
	}
	return out[:min(len(out), maxCalls)]
}

// A part is a stretch of the question that asks for one tool.
type part struct {
	span
	tool *tool
}

// parts gives each clause to the tool it asks for; a clause that asks for none
// belongs to the one before.
func parts(q *question, clauses []span, tools []*tool) []part {
	if len(tools) == 1 {
		return nil
	}
	var out []part
	for _, c := range clauses {
		t := pick(q.stemsIn(c), tools)
		switch n := len(out); {
		case n > 0 && (t == nil || t == out[n-1].tool):
			out[n-1].last = c.last
		case t != nil:
			out = append(out, part{c, t})
		}
	}
	if len(out) > 0 {
		out[0].first = 0
	}
	return out
}

func (q *question) stemsIn(s span) map[string]bool {
	out := map[string]bool{}
	for _, t := range q.tokens[s.first:s.last] {
		if !t.isStop() {
			out[t.stem] = true
		}
	}
	return out
}

// breaks are words and marks that may end a clause.
var breaks = set("; and then also while plus , finally next additionally second secondly 并 和 同时")

// clauses cuts the question at the ends of sentences, and where a break is
// followed by something that looks like a new start.
func (q *question) clauses() []span {
	var out []span
	first := 0
	for i := 1; i < len(q.tokens); i++ {
		t := &q.tokens[i]
		if t.opens || breaks[strings.ToLower(t.text)] && i > first+2 && !q.inMention(i) {
			out = append(out, span{first, i})
			first = i
		}
	}
	return append(out, span{first, len(q.tokens)})
}

func (q *question) inMention(i int) bool {
	for k := range q.mentions {
		if q.mentions[k].first <= i && i <= q.mentions[k].last {
			return true
		}
	}
	return false
}

// repeat makes the calls to one tool: one, or as many as an enumeration has
// members, or one for each clause that brings its own arguments.
func repeat(q *question, t *tool, within span, clauses []span) []call {
	params := t.read()
	base := fill(q, params, within)
	fillings := base.enumerations()
	if len(fillings) == 1 && base.leftover() {
		fillings = base.byClause(params, clauses)
	}
	out := make([]call, len(fillings))
	for i, f := range fillings {
		out[i] = call{tool: t, params: params, args: f.arguments(params), complete: f.complete(params)}
	}
	return out
}

// enumerations makes a filling for each member of the enumerations that single
// values were taken from.
func (f *filling) enumerations() []*filling {
	size := 1
	for p, m := range f.by {
		if !p.required {
			continue
		}
		if n := len(f.others(p, m)); n > size {
			size = n
		}
	}
	out := []*filling{f}
	for i := 1; i < min(size, maxCalls); i++ {
		next := f.clone()
		for p, m := range f.by {
			if members := f.others(p, m); len(members) == size {
				next.values[p] = p.value(members[i])
			}
		}
		out = append(out, next)
	}
	if size > 1 { // the first call takes the first member, whichever was assigned
		for p, m := range f.by {
			if members := f.others(p, m); len(members) == size {
				f.values[p] = p.value(members[0])
			}
		}
	}
	return out
}

// others are the members of the enumeration a single value was taken from, if
// no other parameter took one of them.
func (f *filling) others(p *param, m *mention) []*mention {
	if p.form == list {
		return nil
	}
	var out []*mention
	for _, member := range f.q.members(m.group) {
		if !f.within.holds(member) {
			continue
		}
		if member != m && f.used[member] || !p.takes(member) {
			return nil
		}
		out = append(out, member)
	}
	return out
}

func (f *filling) clone() *filling {
	next := *f
	next.values = maps.Clone(f.values)
	return &next
}

// leftover reports whether something that looks like an argument was not used.
func (f *filling) leftover() bool {
	for i := range f.q.mentions {
		if m := &f.q.mentions[i]; m.kind != phrase && f.within.holds(m) && !f.used[m] && f.wanted(m.kind) {
			return true
		}
	}
	return false
}

// wanted reports whether a parameter took a mention of the kind.
func (f *filling) wanted(k kind) bool {
	for _, m := range f.by {
		if m.kind == k {
			return true
		}
	}
	return false
}

// byClause fills the tool once for each group of clauses that brings its own
// arguments; it takes the others from the call before.
func (f *filling) byClause(params []*param, clauses []span) []*filling {
	groups := f.conflicts(params, f.grouped(clauses))
	if len(groups) < 2 || len(groups) > maxCalls {
		return []*filling{f}
	}
	var out []*filling
	for i, g := range groups {
		own := fill(f.q, params, g)
		before := f
		if i > 0 {
			before = out[i-1]
		}
		for p := range f.values {
			if own.by[p] == nil && p.required && before.values[p] != nil {
				own.values[p] = before.values[p]
			}
		}
		out = append(out, own)
	}
	return out
}

// conflicts joins clauses as long as they bring different arguments. One that
// brings an argument its group has already begins the next group.
func (f *filling) conflicts(params []*param, clauses []span) []span {
	var out []span
	var has map[*param]bool
	for _, c := range clauses {
		own, again := f.brought(params, c), false
		for p := range own {
			again = again || has[p]
		}
		if len(out) == 0 || again {
			out, has = append(out, c), own
			continue
		}
		out[len(out)-1].last = c.last
		maps.Copy(has, own)
	}
	return out
}

// brought are the required parameters that a clause surely has an argument
// for: the words around it say so, or it has one for each parameter.
func (f *filling) brought(params []*param, clause span) map[*param]bool {
	own := fill(f.q, params, clause)
	sure, all := map[*param]bool{}, map[*param]bool{}
	for p, m := range own.by {
		if !p.required || m.spelled || f.by[p] == nil || f.by[p].kind != m.kind {
			continue
		}
		all[p] = true
		if _, near := own.rate(p, m); near >= 1 {
			sure[p] = true
		}
	}
	if len(all) > 0 && len(all) == f.taken() {
		return all
	}
	return sure
}

// taken is the number of required parameters that a mention was found for.
func (f *filling) taken() int {
	n := 0
	for p := range f.by {
		if p.required {
			n++
		}
	}
	return n
}

// grouped are the clauses within the filling's part.
func (f *filling) grouped(clauses []span) []span {
	var out []span
	for _, c := range clauses {
		if c.first >= f.within.first && c.last <= f.within.last {
			out = append(out, c)
		}
	}
	return out
}

// complete reports whether each required parameter has a value of its own.
func (f *filling) complete(params []*param) bool {
	for _, p := range flatten(params, nil) {
		if p.required && f.values[p] == nil {
			return false
		}
	}
	return true
}

// arguments puts the values together, nested objects included.
func (f *filling) arguments(params []*param) *pyval.Dict {
	args := pyval.NewDict(len(params))
	for _, p := range params {
		if v := f.argument(p); v != nil {
			args.SetStr(p.name, v)
		}
	}
	return args
}

// argument is a parameter's value: found, or a stand-in where it is required;
// nil to leave it out.
func (f *filling) argument(p *param) pyval.Value {
	if v := f.values[p]; v != nil {
		return v
	}
	switch {
	case p.form == object:
		if args := f.arguments(p.props); p.required || f.any(p.props) {
			return args
		}
		return nil
	case p.form == list && p.items != nil && p.items.form == object && f.any(p.items.props):
		return pyval.NewList(f.arguments(p.items.props))
	}
	if !p.required {
		return nil
	}
	return p.standIn()
}

// any reports whether one of the parameters has a value.
func (f *filling) any(params []*param) bool {
	for _, p := range flatten(params, nil) {
		if f.values[p] != nil {
			return true
		}
	}
	return false
}

// standIn is the value of a required parameter of which the question says
// nothing: its default, its first option, or an empty value.
func (p *param) standIn() pyval.Value {
	switch {
	case p.preset != nil && p.preset != pyval.None:
		return p.preset
	case len(p.enum) > 0 && p.form != list:
		return p.enum[0]
	case p.form == whole:
		return pyval.MakeInt(0)
	case p.form == fractional:
		return pyval.Float(0)
	case p.form == truth:
		return pyval.Bool(false)
	case p.form == list:
		return pyval.NewList()
	}
	return pyval.Str("")
}
