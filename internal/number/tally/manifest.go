package tally

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

func openDataset(c *source, o Options) (*fixtures.Dataset, error) {
	name := cmp.Or(o.Dataset, c.run.DatasetPath())
	dataset, err := o.open(name, o.Data)
	if err != nil && o.Data == "" && c.run.DataDir != "" {
		if there, again := o.open(name, c.run.DataDir); again == nil {
			dataset, err = there, nil
		}
	}
	switch {
	case err != nil && score.LayoutOf(name).Name == name:
		return nil, fmt.Errorf("%s: %w", c.path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w; if the dataset has moved, name its folder with --dataset", c.path, err)
	}
	// The run may name any folder: do not read one that has none of its
	// categories.
	held, err := dataset.Categories().Select(c.categories, func(cat *eval.Category, _ bool) error { return dataset.Need(cat) })
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.path, err)
	case len(held) == 0:
		return nil, fmt.Errorf("%s: dataset %q has none of the categories %.200q", c.path, c.run.Dataset, c.categories)
	}
	digest, err := dataset.Digest()
	if err != nil {
		return nil, err
	}
	if digest != c.run.Digest {
		return nil, fmt.Errorf("%s was run on other cases: its dataset %q had digest %.12q, the one here has %.12q; score it with the version of the dataset it was run on", c.path, c.run.Dataset, c.run.Digest, digest)
	}
	return dataset, nil
}

// unite merges the selections, with each case once, in the dataset's order.
func (b *board) unite(selections []*suite.Selection) error {
	if len(selections) == 1 {
		b.parts = selections[0].Parts
		return nil
	}
	chosen := map[string]map[string]bool{}
	for _, s := range selections {
		for _, part := range s.Parts {
			if chosen[part.Category.Name] == nil {
				chosen[part.Category.Name] = map[string]bool{}
			}
			for _, c := range part.Cases {
				chosen[part.Category.Name][c.ID] = true
			}
		}
	}
	for _, cat := range b.dataset.Categories().All() {
		if len(chosen[cat.Name]) == 0 {
			continue
		}
		cases, err := b.dataset.Cases(cat)
		if err != nil {
			return err
		}
		cases = slices.DeleteFunc(cases, func(c *eval.Case) bool { return !chosen[cat.Name][c.ID] })
		b.parts = append(b.parts, suite.Part{Category: cat, Cases: cases})
	}
	return nil
}

// Sizes returns a dataset's numbers of cases per category, for score.Options:
// nil for official datasets, because the score's layout has their sizes.
func Sizes(dataset *fixtures.Dataset, name string) (map[string]int, error) {
	if score.LayoutOf(name).Name == name {
		return nil, nil
	}
	sizes := map[string]int{}
	for _, cat := range dataset.Categories().All() {
		if !dataset.Has(cat) {
			continue
		}
		size, err := dataset.Size(cat)
		if err != nil {
			return nil, err
		}
		sizes[cat.Name] = size
	}
	return sizes, nil
}

// LayoutOf returns the layout of a dataset: that of its release, or of a user's
// own suite.
func LayoutOf(dataset *fixtures.Dataset) *score.Layout {
	own := dataset.Own()
	if own == nil {
		release := dataset.Release()
		if is, err := dataset.Origin(); err == nil && is.State == eval.Commit {
			release = is.Release
		}
		return score.LayoutOf(release)
	}
	var list []score.Weighted
	for _, c := range own.Categories {
		list = append(list, score.Weighted{Category: c.Name, Weight: c.Weight})
	}
	return score.Own(list)
}
