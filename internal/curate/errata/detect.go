package errata

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Finding is what a detector says against a case.
type Finding struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Detector string `json:"detector"`
	// Certain findings are proved by the data itself; others are a reason to
	// read the case.
	Certain bool `json:"certain"`
	// Mode is the mode in which a case refuses its own answer; "" for both, and
	// for other findings.
	Mode     eval.Mode `json:"mode,omitempty"`
	Evidence string    `json:"evidence"`
}

// A Detector looks for one kind of defect.
type Detector struct {
	Name string
	// Says is what a finding says.
	Says    string
	Certain bool
	look    func(s *sight) []string
}

// Detectors returns all detectors, those that prove something first. The modes
// of "own" are found by themselves.
func Detectors() []Detector {
	return []Detector{
		{Own, "the case's own possible answer is refused", true, nil},
		{"document", "the key does not fit the function's document", true, (*sight).conflicts},
		{"enum", "no accepted value is in the document's enum", true, (*sight).outsideEnum},
		{"integers", "integers of the question are refused inside a list of floats", true, (*sight).integers},
		{"simulator", "the reference's call fails on its own simulator", false, (*sight).failing},
		{"twins", "an equal case has a key that agrees in no value", false, nil},
		{"date", "a relative date is told, and the key demands a year", false, (*sight).relativeDate},
		{"order", "a list is demanded in another order than the question's", false, (*sight).order},
		{"answerable", "no call may be made, and a function's values may all stand in the question", false, (*sight).answerable},
	}
}

// Look returns what the detector finds in a case.
func (d Detector) Look(cat *eval.Category, c *eval.Case) []string {
	if d.look == nil {
		return nil
	}
	return d.look(newSight(cat, c))
}

// Own is the detector of cases that refuse their own answer.
const Own = "own"

// Find returns the findings in all categories whose judge needs nothing but the
// data, and the number of cases checked.
func Find(d *fixtures.Dataset) (found []Finding, cases int, err error) {
	for _, cat := range categories.All() {
		if cat.Agentic() || cat.Executes || cat.Unscored || cat.Unused || !d.Has(cat) || d.Retired(cat) {
			continue
		}
		all, err := d.Cases(cat)
		if err != nil {
			return nil, 0, err
		}
		twins := map[string][]*eval.Case{}
		for _, c := range all {
			cases++
			found = append(found, look(cat, c)...)
			twins[poses(c)] = append(twins[poses(c)], c)
		}
		for _, c := range all {
			equal := twins[poses(c)]
			if at := slices.IndexFunc(equal, func(other *eval.Case) bool { return other.ID != c.ID && contradict(c, other) }); at >= 0 {
				found = append(found, Finding{ID: c.ID, Category: cat.Name, Detector: "twins", Evidence: "see " + equal[at].ID})
			}
		}
	}
	return found, cases, nil
}

func look(cat *eval.Category, c *eval.Case) (out []Finding) {
	refused := refusals(cat, c)
	for mode, errorType := range refused {
		if mode == eval.FC || refused[eval.FC] == "" { // one finding if both refuse it
			f := Finding{ID: c.ID, Category: cat.Name, Detector: Own, Certain: true, Mode: mode, Evidence: errorType}
			if len(refused) > 1 {
				f.Mode = ""
			}
			out = append(out, f)
		}
	}
	for _, d := range Detectors() {
		for _, text := range d.Look(cat, c) {
			out = append(out, Finding{ID: c.ID, Category: cat.Name, Detector: d.Name, Certain: d.Certain, Evidence: text})
		}
	}
	return out
}

var modes = []eval.Mode{eval.FC, eval.Prompt}

// refusals returns, by the modes that refuse it, the error types of the verdicts
// on a case's own possible answer.
func refusals(cat *eval.Category, c *eval.Case) map[eval.Mode]string {
	out := map[eval.Mode]string{}
	for _, mode := range modes {
		if v := best(cat, c, mode); v.Status != eval.Pass {
			out[mode] = v.ErrorType
		}
	}
	return out
}

// best returns the verdict on the possible answer with all its parameters or,
// if that is refused, without the optional ones.
func best(cat *eval.Category, c *eval.Case, mode eval.Mode) eval.Verdict {
	_, whole := cat.Verdict(c, oracle.Answer(c, mode), eval.SettingsFor(mode))
	if whole.Status == eval.Pass || cat.MultiTurn() || c.Answer == nil {
		return whole
	}
	short := *c
	short.Answer = &pyval.List{}
	for _, item := range c.Answer.Items {
		short.Answer.Items = append(short.Answer.Items, withoutOptional(item))
	}
	if _, v := cat.Verdict(c, oracle.Answer(&short, mode), eval.SettingsFor(mode)); v.Status == eval.Pass {
		return v
	}
	return whole
}

// withoutOptional returns an expected call without the parameters that may be
// left out.
func withoutOptional(item pyval.Value) pyval.Value {
	call, ok := item.(*pyval.Dict)
	if !ok {
		return item
	}
	out := pyval.NewDict(call.Len())
	for name, v := range call.All() {
		accepted, ok := v.(*pyval.Dict)
		if !ok {
			return item
		}
		kept := pyval.NewDict(accepted.Len())
		for parameter, values := range accepted.All() {
			if !optional(values) {
				_ = kept.Set(parameter, values) // a key of a dict is hashable
			}
		}
		_ = out.Set(name, kept)
	}
	return out
}

// conflicts compares each expected call with its function's document.
func (s *sight) conflicts() (out []string) {
	for doc, accepted := range s.expected() {
		out = append(out, against(doc, accepted)...)
	}
	return out
}

// document returns the document of a function as the judges find it: by its
// name or, in the first release, the first whose name is a part of the key.
func document(c *eval.Case, name string) *pyval.Dict {
	names := c.ToolNames()
	at := slices.Index(names, name)
	if at < 0 {
		at = slices.IndexFunc(names, func(known string) bool { return strings.Contains(name, known) })
	}
	if at < 0 {
		return nil
	}
	return c.Tools[at]
}

func against(doc, accepted *pyval.Dict) (out []string) {
	properties := doc.Child("parameters").Child("properties")
	if properties == nil {
		return nil
	}
	for _, name := range itemsOf(doc.Child("parameters"), "required") {
		switch values, known := accepted.Get(name); {
		case !known:
			out = append(out, fmt.Sprintf("%s is required, but the answer does not have it", pyval.Text(name)))
		case optional(values):
			out = append(out, fmt.Sprintf("%s is required, but the answer may leave it out", pyval.Text(name)))
		case empty(values):
			out = append(out, fmt.Sprintf("%s is required, but no value of it is accepted", pyval.Text(name)))
		}
	}
	for name, values := range accepted.All() {
		if properties.Has(pyval.Text(name)) {
			continue
		}
		is := "required by the answer"
		if optional(values) {
			is = "in the answer, which may leave it out"
		}
		out = append(out, fmt.Sprintf("%s is %s, but not in the document", pyval.Text(name), is))
	}
	return out
}

// optional reports whether a parameter may be left out: an empty text is among
// its accepted values.
func optional(values pyval.Value) bool {
	list, ok := values.(*pyval.List)
	return ok && slices.Contains(list.Items, pyval.Value(pyval.Str("")))
}

func empty(values pyval.Value) bool {
	list, ok := values.(*pyval.List)
	return ok && len(list.Items) == 0
}
