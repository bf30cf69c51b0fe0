package why

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// An Arrival is an answer that came instead of an expected one.
type Arrival struct {
	ID    string
	Want  Answer
	Tools Tools
	// Found is how the answer differs; nothing if it does not.
	Found []Difference
	// Wrong says that the answer is to be explained. Chance are what led from a
	// right answer to a wrong one in the other direction: what comes as often by
	// chance explains nothing.
	Wrong  bool
	Chance []Difference
	// Points are what the answer cost.
	Points float64
	// Calls says that calls arrived, so that what was done to them can be seen.
	Calls bool

	sites []site
}

// A Step is one transformation that explains wrong answers.
type Step struct {
	// Kind says what was done, with what its instances have in common.
	Kind  string `json:"kind"`
	Layer Layer  `json:"layer"`
	// Cases are wrong and show it, which cost Points. Others show it and are right
	// nevertheless; Against could show it and do not.
	Cases   int     `json:"cases"`
	Points  float64 `json:"points"`
	Others  int     `json:"others"`
	Against int     `json:"against"`
	// Examples are up to three.
	Examples []Example `json:"examples"`

	h hypothesis
}

// An Example is an expected answer and the one that came, where they differ.
type Example struct {
	ID   string `json:"id"`
	Want string `json:"want"`
	Came string `json:"came"`
}

// A Rule says when an explanation is said.
type Rule struct {
	// Least is the least number of wrong answers that it explains.
	Least int
	// Many and Share are those of what models do, too: the least number, 0 if it is
	// not said, and the least share of the answers that could show it.
	Many  int
	Share float64
}

// A hypothesis is what may have been done: a kind of difference, with a detail
// and a trait of the places, or without.
type hypothesis struct {
	kind, detail string
	trait        traits
}

// shownBy reports whether differences show the hypothesis, and the first that does.
func (h hypothesis) shownBy(list []Difference) *Difference {
	for i := range list {
		d := &list[i]
		if d.Kind == h.kind && d.has&h.trait == h.trait && (h.detail == "" || slices.ContainsFunc(d.details, func(x detail) bool { return x.said == h.detail })) {
			return d
		}
	}
	return nil
}

// An explanation chooses steps for arrivals.
type explanation struct {
	list    []Arrival
	rule    Rule
	done    map[int]bool // arrivals that are explained
	figures map[hypothesis]figure
}

// A figure is what the arrivals say about a hypothesis.
type figure struct {
	example                       *Difference
	shown, wrong, against, chance int
}

// Explain returns the fewest transformations that explain the most wrong answers,
// greedily, and marks the arrivals that they explain. An explanation that half of
// the answers that could show it contradict is not said.
func Explain(list []Arrival, rule Rule) (steps []Step, of map[int]int) {
	for i := range list {
		list[i].sites = sitesOf(list[i].Want, list[i].Tools)
	}
	e := &explanation{list: list, rule: rule, figures: map[hypothesis]figure{}}
	of, e.done = map[int]int{}, map[int]bool{}
	for {
		h, ok := e.best()
		if !ok {
			return steps, of
		}
		steps = append(steps, e.step(h, of, len(steps)))
	}
}

// best returns the hypothesis that explains most of what is left, less what
// contradicts it. Of equal ones it is the one with a detail and without a trait.
func (e *explanation) best() (best hypothesis, ok bool) {
	counts := map[hypothesis]int{}
	for i := range e.list {
		if a := &e.list[i]; a.Wrong && !e.done[i] {
			a.hypotheses(func(h hypothesis) { counts[h]++ })
		}
	}
	order := slices.SortedFunc(maps.Keys(counts), func(a, b hypothesis) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a.trait, b.trait), cmp.Compare(b.detail, a.detail), cmp.Compare(a.kind, b.kind))
	})
	const most = 10
	score := 0
	for _, h := range order {
		n := counts[h]
		if n < e.rule.Least || ok && n <= score {
			break
		}
		f := e.figure(h)
		gain := n - f.against
		if h.detail == "" && len(f.example.details) > 0 { // what instances have in common says more
			gain -= 1 + n/most
		}
		if e.holds(h, f) && (!ok || gain > score) {
			best, score, ok = h, gain, true
		}
	}
	return best, ok
}

// hypotheses yields what an arrival shows, each once.
func (a *Arrival) hypotheses(yield func(hypothesis)) {
	for i := range a.Found {
		d := &a.Found[i]
		var kinds []hypothesis
		if !d.bound {
			kinds = append(kinds, hypothesis{kind: d.Kind})
		}
		for _, x := range d.details {
			if h := (hypothesis{kind: d.Kind, detail: x.said}); !slices.Contains(kinds, h) {
				kinds = append(kinds, h)
			}
		}
		for _, h := range kinds {
			yield(h)
			for t := d.has; t != 0; t &= t - 1 { // one by one
				yield(hypothesis{h.kind, h.detail, t & -t})
			}
		}
	}
}

// figure counts the arrivals that show a hypothesis, and those that could and do
// not.
func (e *explanation) figure(h hypothesis) figure {
	if f, ok := e.figures[h]; ok {
		return f
	}
	f := figure{}
	for i := range e.list {
		if d := h.shownBy(e.list[i].Found); d != nil {
			f.shown++
			f.wrong += one(e.list[i].Wrong)
			if f.example == nil {
				f.example = d
			}
		}
		f.chance += one(h.shownBy(e.list[i].Chance) != nil)
	}
	changes := f.example.changes
	for _, x := range f.example.details {
		if x.said == h.detail && x.changes != nil {
			changes = x.changes
		}
	}
	for i := range e.list {
		a := &e.list[i]
		if h.shownBy(a.Found) != nil || f.example.of != theAnswer && !a.Calls {
			continue
		}
		f.against += one(slices.ContainsFunc(a.sites, func(s site) bool {
			return s.of == f.example.of && s.has&h.trait == h.trait && (changes == nil || changes(&s))
		}))
	}
	e.figures[h] = f
	return f
}

// holds reports whether a hypothesis may be said.
func (e *explanation) holds(h hypothesis, f figure) bool {
	const often, few = 3, 10
	if f.shown <= f.against || f.wrong <= often*f.chance {
		return false
	}
	if f.example.Layer == Limit && h.detail == "" { // answers end anywhere
		return false
	}
	if h.trait != 0 && few*f.against > f.shown { // a trait is chosen among many
		return false
	}
	return f.example.Known || e.rule.Many > 0 && f.shown >= e.rule.Many && float64(f.shown) >= e.rule.Share*float64(f.shown+f.against)
}

// step counts a hypothesis's arrivals, and takes them as explained.
func (e *explanation) step(h hypothesis, of map[int]int, n int) Step {
	const most = 3
	f := e.figures[h]
	s := Step{Kind: strings.TrimSuffix(h.kind+" "+h.detail, " ") + h.trait.words(f.example.of == theAnswer), Layer: f.example.Layer, Against: f.against, h: h}
	for i := range e.list {
		a := &e.list[i]
		d := h.shownBy(a.Found)
		switch {
		case d == nil:
			continue
		case !a.Wrong:
			s.Others++
			continue
		}
		s.Cases++
		s.Points += a.Points
		if !e.done[i] {
			e.done[i], of[i] = true, n
		}
		if len(s.Examples) < most {
			s.Examples = append(s.Examples, Example{a.ID, d.Want, d.Got})
		}
	}
	return s
}

// ShownBy reports whether differences show the step.
func (s *Step) ShownBy(list []Difference) bool { return s.h.shownBy(list) != nil }
