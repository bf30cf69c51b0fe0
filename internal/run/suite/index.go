package suite

import (
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/say"
)

// An Index finds the cases of a dataset by their names.
type Index struct {
	dataset string
	by      map[string][]Indexed // by id, and by category/id
	ids     []string
}

// Indexed is a case with its category.
type Indexed struct {
	Category *eval.Category
	Case     *eval.Case
}

// IndexOf returns the index of the cases of these categories; nil are all that
// the dataset has.
func IndexOf(d *fixtures.Dataset, names []string) (*Index, error) {
	if names == nil {
		for _, cat := range d.Categories().All() {
			if d.Has(cat) {
				names = append(names, cat.Name)
			}
		}
	}
	all, err := Select(d, strings.Join(names, ","), "")
	if err != nil {
		return nil, err
	}
	x := &Index{dataset: d.Name, by: map[string][]Indexed{}}
	for _, part := range all.Parts {
		for _, c := range part.Cases {
			one := Indexed{part.Category, c}
			x.by[c.ID] = append(x.by[c.ID], one)
			x.by[part.Category.Name+"/"+c.ID] = []Indexed{one}
			x.ids = append(x.ids, c.ID)
		}
	}
	return x, nil
}

// Find returns the case with an id, or with a category/id if the id alone is not
// unique.
func (x *Index) Find(name string) (Indexed, error) {
	name = strings.TrimPrefix(name, "TestBFCL/")
	found := x.by[name]
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		var full []string
		for _, one := range found {
			full = append(full, one.Category.Name+"/"+name)
		}
		return Indexed{}, misuse.Errorf("the id is in several categories: use %s", strings.Join(full, " or "))
	}
	return Indexed{}, misuse.Errorf("there is no case %.200q in the available categories of dataset %q%s", name, x.dataset, say.Hint(name, x.ids))
}
