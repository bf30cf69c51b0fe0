package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/say"
)

// SelectVaried is Select with variants of the cases. variants is the value of
// -variant, "" for none; the seed decides how cases are varied.
func SelectVaried(dataset *fixtures.Dataset, names, ids, variants string, seed uint64) (*Selection, error) {
	sel, err := Select(dataset, names, ids)
	if err != nil {
		return nil, err
	}
	specs, err := variant.Parse(variants)
	if err != nil {
		return nil, fmt.Errorf("variants: %w", err)
	}
	return sel, sel.Vary(specs, seed)
}

// Vary adds variants of the selected cases, those of each category after it.
func (s *Selection) Vary(specs []variant.Spec, seed uint64) error {
	if len(specs) == 0 {
		return nil
	}
	set := &variant.Set{Specs: specs, Seed: seed, Tools: s.Dataset.Tools}
	var parts []Part
	for _, part := range s.Parts {
		parts = append(parts, part)
		for _, spec := range specs {
			cat, cases, left, err := set.Vary(spec, part.Category, part.Cases)
			if err != nil {
				return err
			}
			s.LeftOut = append(s.LeftOut, left...)
			if cat != nil {
				parts = append(parts, Part{Category: cat, Cases: cases})
			}
		}
	}
	s.Parts = parts
	return nil
}

// leftOutNotes says, for each variant, how many cases it leaves out, and why.
func (s *Selection) leftOutNotes() []string {
	var order []string
	counts := map[string]map[string]int{}
	for _, l := range s.LeftOut {
		if counts[l.Variant] == nil {
			order = append(order, l.Variant)
			counts[l.Variant] = map[string]int{}
		}
		counts[l.Variant][l.Why] += l.Cases
	}
	var out []string
	for _, name := range order {
		var why []string
		total := 0
		for _, reason := range slices.Sorted(maps.Keys(counts[name])) {
			n := counts[name][reason]
			total += n
			why = append(why, fmt.Sprintf("%s (%d)", reason, n))
		}
		out = append(out, fmt.Sprintf("variant %s leaves out %s: %s", name, say.Cases(total), strings.Join(why, "; ")))
	}
	return out
}
