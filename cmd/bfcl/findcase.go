package main

import (
	"path"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/near"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// find returns the case of this name in the recorded categories.
func (r *recording) find(name string) (*eval.Category, *eval.Case, error) {
	var names []string
	for _, cat := range r.dataset.Categories().All() {
		if r.holds(cat.Name) && r.dataset.Has(cat) {
			names = append(names, cat.Name)
		}
	}
	if len(names) == 0 {
		return nil, nil, misuse.Errorf("%s has no answers to cases of dataset %q: name the right dataset with --dataset", r.dir, r.dataset.Name)
	}
	if id, put := variant.Cut(strings.TrimPrefix(name, "TestBFCL/")); put != "" && r.run != nil {
		return findVaried(r.dataset, names, id, put, r.run.Seed)
	}
	return findCase(r.dataset, names, name)
}

// findVaried returns a case as it was asked in a variant.
func findVaried(d *fixtures.Dataset, names []string, id, put string, seed uint64) (*eval.Category, *eval.Case, error) {
	_, plain, err := findCase(d, names, path.Base(id))
	if err != nil {
		return nil, nil, err
	}
	sel, err := suite.SelectVaried(d, plain.Category, plain.ID, variant.None+","+put, seed)
	if err != nil {
		return nil, nil, err
	}
	for _, part := range sel.Parts {
		if part.Category.Variant == put {
			return part.Category, part.Cases[0], nil
		}
	}
	return nil, nil, misuse.Errorf("case %s has no variant %s: %s", plain.ID, put, sel.LeftOut[0].Why)
}

func (r *recording) holds(category string) bool {
	if r.run != nil {
		return slices.Contains(r.run.Categories, category)
	}
	return r.folder.Files[category] != ""
}

// findCase returns the case with this id, or with this category/id if the id
// alone is not unique.
func findCase(d *fixtures.Dataset, names []string, name string) (*eval.Category, *eval.Case, error) {
	name = strings.TrimPrefix(name, "TestBFCL/")
	all, err := suite.Select(d, strings.Join(names, ","), "")
	if err != nil {
		return nil, nil, err
	}
	category, id, _ := strings.Cut(name, "/")
	var cats []*eval.Category
	var found []*eval.Case
	var ids []string
	for _, part := range all.Parts {
		for _, c := range part.Cases {
			ids = append(ids, c.ID)
			if c.ID == name || part.Category.Name == category && c.ID == id {
				cats, found = append(cats, part.Category), append(found, c)
			}
		}
	}
	switch len(found) {
	case 0:
		return nil, nil, misuse.Errorf("there is no case %q in the available categories of dataset %q%s", name, d.Name, near.Hint(name, ids))
	case 1:
		return cats[0], found[0], nil
	}
	var full []string
	for _, cat := range cats {
		full = append(full, cat.Name+"/"+name)
	}
	return nil, nil, misuse.Errorf("the id is in several categories: use %s", strings.Join(full, " or "))
}
