package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/say"
)

const longestName = 200

// Verdict returns the decision in a sentence.
func (d *Decision) Verdict() string {
	number := map[Outcome]int{}
	for _, c := range d.Rules {
		if !c.Aside {
			number[c.Outcome]++
		}
	}
	aside, tiny := d.aside()
	rules, small := len(d.Rules)-aside, "."
	if tiny > 0 {
		small = "; " + say.Count(tiny, "category is", "categories are") + " too small to tell."
	}
	of := fmt.Sprintf("of %d rules", rules)
	switch d.Outcome {
	case Failed:
		open := ""
		if n := number[Undecided]; n > 0 {
			open = fmt.Sprintf(", %d undecided", n)
		}
		return fmt.Sprintf("DO NOT MERGE: %d %s failed%s.", number[Failed], of, open)
	case Undecided:
		if rules == 0 {
			return "Gate undecided: no rule decided anything" + small
		}
		broken := "none failed"
		if n := number[Failed]; n > 0 {
			broken = fmt.Sprintf("%d failed on the answers that are known", n)
		}
		return fmt.Sprintf("Gate undecided: %d %s undecided, %s.", number[Undecided], of, broken)
	}
	if rules == 1 {
		return "Gate passed: 1 rule" + small
	}
	return fmt.Sprintf("Gate passed: all %d rules", rules) + small
}

// aside returns how many checks decide nothing, and how many of them because of
// categories that are too small.
func (d *Decision) aside() (n, tiny int) {
	for _, c := range d.Rules {
		if c.Aside {
			n++
			if !c.absent {
				tiny++
			}
		}
	}
	return n, tiny
}

// Unseen says which falls the rules that were kept may not have seen, the largest
// first; "" without rules about losses.
func Unseen(checks []Check) string {
	const shown = 5
	most, names := map[string]float64{}, []string(nil)
	for _, c := range checks {
		if c.Outcome != Failed && c.Unseen > 0 && (c.Outcome == Passed || c.Aside) {
			if _, known := most[c.Name]; !known {
				names = append(names, c.Name)
			}
			most[c.Name] = max(most[c.Name], c.Unseen)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(most[b], most[a]) })
	var falls []string
	for _, name := range names[:min(shown, len(names))] {
		falls = append(falls, fmt.Sprintf("%.1f points (%s)", most[name], say.Printable(name, longestName)))
	}
	text := "Falls that would not be seen: of up to " + strings.Join(falls, ", ")
	if left := names[len(falls):]; len(left) > 0 {
		text += fmt.Sprintf("; of up to %.1f in %s", most[left[0]], say.Count(len(left), "other", "others"))
	}
	return text + "."
}
