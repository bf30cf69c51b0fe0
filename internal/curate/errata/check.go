package errata

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
)

// Proved counts what was proved of a list.
type Proved struct {
	// Entries were checked, of which Quoted have a quotation that stands in the
	// case, and Amended an answer that is refused and passes with the amended
	// key.
	Entries int `json:"entries"`
	Quoted  int `json:"quoted"`
	Amended int `json:"amended"`
	// Faults say what does not hold.
	Faults []string `json:"faults"`
}

// Prove checks each entry against the dataset: its quotation stands in the case,
// the possible answer is accepted, and each answer that it accepts is refused
// and passes with the amended key, in the modes that it concerns.
func (l *List) Prove(d *fixtures.Dataset) (*Proved, error) {
	out := &Proved{Entries: len(l.Items), Faults: []string{}}
	left := map[string]*Item{}
	for i := range l.Items {
		left[l.Items[i].ID] = &l.Items[i]
	}
	for _, cat := range categories.All() {
		if !d.Has(cat) || cat.Unscored || d.Retired(cat) {
			continue
		}
		cases, err := d.Cases(cat)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			item := left[c.ID]
			if item == nil {
				continue
			}
			delete(left, c.ID)
			texts, err := readable(d, cat, c)
			if err != nil {
				return nil, err
			}
			for _, fault := range out.prove(item, cat, c, texts) {
				out.Faults = append(out.Faults, item.ID+": "+fault)
			}
		}
	}
	for id := range left {
		out.Faults = append(out.Faults, id+": the dataset has no such case")
	}
	slices.Sort(out.Faults)
	return out, nil
}

// readable returns the texts that a case's quotation may be from. A question
// about a memory has the conversations before it.
func readable(d *fixtures.Dataset, cat *eval.Category, c *eval.Case) (string, error) {
	texts := textsOf(c)
	before, err := d.Prerequisites(cat)
	for _, earlier := range before {
		if slices.Contains(c.Needs, earlier.ID) {
			texts = append(texts, textsOf(earlier)...)
		}
	}
	return spaced(strings.Join(texts, "\n")), err
}

func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

func (p *Proved) prove(item *Item, cat *eval.Category, c *eval.Case, texts string) (faults []string) {
	if item.Quote != "" {
		p.Quoted++
		if !strings.Contains(texts, spaced(item.Quote)) {
			faults = append(faults, "its quotation does not stand in the case")
		}
	}
	if cat.Executes {
		if item.Amends() {
			faults = append(faults, "what an executable case accepts depends on its function")
		}
		return faults
	}
	refused := map[eval.Mode]string{}
	if !cat.MultiTurn() {
		refused = refusals(cat, c)
	}
	for _, mode := range modes {
		switch own := item.Found == Own && item.Concerns(mode); {
		case own && refused[mode] == "":
			faults = append(faults, fmt.Sprintf("its own answer is accepted in %s mode", mode))
		case !own && refused[mode] != "" && item.Found != Own:
			faults = append(faults, fmt.Sprintf("its own answer is refused in %s mode, which %q finds", mode, Own))
		}
	}
	for _, text := range item.Accepts {
		faults = append(faults, item.proveAnswer(cat, c, text)...)
	}
	if item.Amends() && len(faults) == 0 {
		p.Amended++
	}
	return faults
}

// proveAnswer checks an answer that an entry accepts.
func (item *Item) proveAnswer(cat *eval.Category, c *eval.Case, text string) (faults []string) {
	for _, mode := range modes {
		s := eval.SettingsFor(mode)
		result, err := answered(cat, c, text, mode)
		if err != nil {
			return append(faults, err.Error())
		}
		_, v := cat.Verdict(c, result, s)
		passes, err := item.Accept(cat, c, result, s)
		switch {
		case err != nil:
			faults = append(faults, err.Error())
		case v.Passed() && item.Concerns(mode):
			faults = append(faults, fmt.Sprintf("%.200s is accepted today in %s mode", text, mode))
		case !passes && item.Concerns(mode):
			faults = append(faults, fmt.Sprintf("%.200s is refused by the amended key in %s mode", text, mode))
		}
	}
	return faults
}

// Against compares the list with what detectors prove, and returns each
// difference.
func (l *List) Against(found []Finding) (wrong []string) {
	proved := map[string]map[string]bool{}
	for _, f := range found {
		if !f.Certain {
			continue
		}
		if proved[f.ID] == nil {
			proved[f.ID] = map[string]bool{}
		}
		proved[f.ID][f.Detector] = true
		if item := l.Find(f.ID); item == nil && (f.Detector != Own || f.Mode == "") { // how calls are written decides in one mode
			wrong = append(wrong, fmt.Sprintf("%s: found by %q, but not in the list", f.ID, f.Detector))
		}
	}
	for _, item := range l.Items {
		if item.Found != Readers && item.Reference == "" && !proved[item.ID][item.Found] {
			wrong = append(wrong, fmt.Sprintf("%s: listed as found by %q, which does not find it", item.ID, item.Found))
		}
	}
	slices.Sort(wrong)
	return slices.Compact(wrong)
}
