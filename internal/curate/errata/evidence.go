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

// A Finding is the evidence against a case in the data itself.
type Finding struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	// Refused has, by mode, the error types of the verdicts on the case's own
	// possible answer, written as a model writes it. Modes that accept it are
	// left out.
	Refused map[eval.Mode]string `json:"refused,omitempty"`
	// Conflicts says where the answer does not fit the function's document.
	Conflicts []string `json:"conflicts,omitempty"`
}

// Kind returns the kind of erratum that the finding amounts to.
func (f *Finding) Kind() Kind {
	switch len(f.Refused) {
	case 0:
		return Contradiction
	case len(modes):
		return Refused
	}
	return Misread
}

var modes = []eval.Mode{eval.FC, eval.Prompt}

// Find returns the findings in all categories whose judge needs nothing but the
// data, and the number of cases checked.
func Find(d *fixtures.Dataset) (found []Finding, cases int, err error) {
	for _, cat := range categories.All() {
		if !computable(cat) || !d.Has(cat) {
			continue
		}
		all, err := d.Cases(cat)
		if err != nil {
			return nil, 0, err
		}
		for _, c := range all {
			cases++
			if f := look(cat, c); f != nil {
				found = append(found, *f)
			}
		}
	}
	return found, cases, nil
}

// computable reports whether a category is scored and its possible answers need
// no memory, web or API.
func computable(cat *eval.Category) bool {
	return cat.Answers() && !cat.Agentic() && !cat.Executes && !cat.Unscored && !cat.Unused
}

func look(cat *eval.Category, c *eval.Case) *Finding {
	f := &Finding{ID: c.ID, Category: cat.Name, Refused: map[eval.Mode]string{}}
	for _, mode := range modes {
		if v := best(cat, c, mode); v.Status != eval.Pass {
			f.Refused[mode] = v.ErrorType
		}
	}
	if !cat.MultiTurn() {
		f.Conflicts = conflicts(c)
	}
	if len(f.Refused)+len(f.Conflicts) == 0 {
		return nil
	}
	return f
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
func conflicts(c *eval.Case) (out []string) {
	if c.Answer == nil {
		return nil
	}
	for _, item := range c.Answer.Items {
		call, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		for name, v := range call.All() {
			accepted, ok := v.(*pyval.Dict)
			if doc := document(c, pyval.Text(name)); ok && doc != nil {
				out = append(out, against(doc, accepted)...)
			}
		}
	}
	return out
}

// document returns the document of a function as the judges find it: by its
// name or, in the first release, the first whose name is a part of the key.
func document(c *eval.Case, name string) *pyval.Dict {
	for i, known := range c.ToolNames() {
		if known == name {
			return c.Tools[i]
		}
	}
	for i, known := range c.ToolNames() {
		if strings.Contains(name, known) {
			return c.Tools[i]
		}
	}
	return nil
}

func against(doc, accepted *pyval.Dict) (out []string) {
	v, _ := doc.GetStr("parameters")
	parameters, ok := v.(*pyval.Dict)
	if !ok {
		return nil
	}
	v, _ = parameters.GetStr("properties")
	properties, ok := v.(*pyval.Dict)
	if !ok {
		return nil
	}
	v, _ = parameters.GetStr("required")
	required := pyval.NewList()
	if list, ok := v.(*pyval.List); ok {
		required = list
	}
	for _, name := range required.Items {
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
		switch known := properties.Has(pyval.Text(name)); {
		case !known && optional(values):
			out = append(out, fmt.Sprintf("%s is in the answer, which may leave it out, but not in the document", pyval.Text(name)))
		case !known:
			out = append(out, fmt.Sprintf("%s is required by the answer, but not in the document", pyval.Text(name)))
		}
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

// Against compares the list with the findings and returns each difference. A
// misread case need not be in the list, because that depends on how calls are
// written here. A reported case needs no finding.
func (l *List) Against(found []Finding) (wrong []string) {
	listed := map[string]Item{}
	for _, item := range l.Items {
		listed[item.ID] = item
	}
	for i := range found {
		item, known := listed[found[i].ID]
		delete(listed, found[i].ID)
		switch is := found[i].Kind(); {
		case known && item.Kind != is:
			wrong = append(wrong, fmt.Sprintf("%s is listed as %s, but found to be %s", found[i].ID, item.Kind, is))
		case known && item.Mode != "" && found[i].Refused[item.Mode] == "":
			wrong = append(wrong, fmt.Sprintf("%s is listed as misread in %s mode, but its answer is accepted there", found[i].ID, item.Mode))
		case !known && is != Misread:
			wrong = append(wrong, fmt.Sprintf("%s is found to be %s, but not in the list", found[i].ID, is))
		}
	}
	for _, item := range l.Items {
		if _, left := listed[item.ID]; left && item.Kind != Reported {
			wrong = append(wrong, fmt.Sprintf("%s is listed as %s, but nothing is found against it", item.ID, item.Kind))
		}
	}
	return wrong
}
