package prompt

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Category is the name of the category that poses cases of other categories
// in every configuration.
const Category = "format_sensitivity"

// A Listing names the cases of one category that are posed in every
// configuration.
type Listing struct {
	Category string
	IDs      []string
}

// ParseListing reads the file of the category format_sensitivity: an object of
// categories and their ids, in the order in which they are posed.
func ParseListing(data []byte) ([]Listing, error) {
	v, err := pyval.ParseJSON(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Category, err)
	}
	file, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("%s: must be an object, not %s", Category, pyval.TypeName(v))
	}
	var out []Listing
	for name, v := range file.All() {
		ids, err := listedIDs(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %.80q: %w", Category, pyval.Text(name), err)
		}
		if len(ids) > 0 {
			out = append(out, Listing{pyval.Text(name), ids})
		}
	}
	return out, nil
}

func listedIDs(v pyval.Value) ([]string, error) {
	list, ok := v.(*pyval.List)
	if !ok {
		return nil, fmt.Errorf("must be a list of ids, not %s", pyval.TypeName(v))
	}
	ids := make([]string, len(list.Items))
	for i, item := range list.Items {
		id, ok := item.(pyval.Str)
		if !ok {
			return nil, fmt.Errorf("an id must be a text, not %s", pyval.TypeName(item))
		}
		ids[i] = string(id)
	}
	return ids, nil
}

// Variations returns the cases of the category format_sensitivity: each listed
// case in all configurations, in the order of the category's file, not of the
// listing. The function load returns the cases of a category. The documents
// have the hint of the case's own language already, and posing adds that of the
// category, so a function has two hints, as in upstream's load_dataset_entry.
func (w *Wording) Variations(listings []Listing, load func(category string) ([]*eval.Case, error)) ([]*eval.Case, error) {
	var out []*eval.Case
	configs := configTexts()
	for _, l := range listings {
		cases, err := l.pick(load)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			tools, err := w.Tools.HintedAll(c.Tools, c.Language)
			if err != nil {
				return nil, fmt.Errorf("case %.200q: %w", c.ID, err)
			}
			for _, config := range configs {
				v := *c
				v.ID = fmt.Sprintf("%s_%d:%s:%s", Category, len(out), config, c.ID)
				v.Category, v.Language, v.Tools = Category, eval.Python, tools
				out = append(out, &v)
			}
		}
	}
	return out, nil
}

func configTexts() []string {
	var out []string
	for _, c := range Configs() {
		out = append(out, c.String())
	}
	return out
}

// pick returns the listed cases in the file's order.
func (l *Listing) pick(load func(string) ([]*eval.Case, error)) ([]*eval.Case, error) {
	cases, err := load(l.Category)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Category, err)
	}
	missing := make(map[string]bool, len(l.IDs))
	for _, id := range l.IDs {
		missing[id] = true
	}
	var out []*eval.Case
	for _, c := range cases {
		if missing[c.ID] {
			out = append(out, c)
			delete(missing, c.ID)
		}
	}
	for _, id := range l.IDs {
		if missing[id] {
			return nil, fmt.Errorf("%s lists case %.200q, which category %s does not have", Category, id, l.Category)
		}
	}
	return out, nil
}
