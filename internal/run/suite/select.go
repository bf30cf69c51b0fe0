// Package suite turns the user's options into a run: dataset, categories and
// cases, adapter, settings and run folder.
package suite

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Part is a category and those of its cases that are to be run.
type Part struct {
	Category *eval.Category
	Cases    []*eval.Case
}

// A Selection is the list of all that a run consists of. A score is compared
// with it.
type Selection struct {
	Dataset *fixtures.Dataset
	Parts   []Part
	// IDs are the ids the user asked for; nil for all.
	IDs []string
	// Shard is the part of the selection that is to be run.
	Shard Shard
}

// Divide keeps the cases of a shard. Categories without any stay, so that all
// shards list the same categories.
func (s *Selection) Divide(part Shard) {
	if s.Shard = part; part.Whole() {
		return
	}
	for i := range s.Parts {
		s.Parts[i].Cases = slices.DeleteFunc(slices.Clone(s.Parts[i].Cases), func(c *eval.Case) bool { return !part.Has(c) })
	}
}

// Cases returns the number of selected cases.
func (s *Selection) Cases() int {
	n := 0
	for _, part := range s.Parts {
		n += len(part.Cases)
	}
	return n
}

// Categories returns the selected categories.
func (s *Selection) Categories() []*eval.Category {
	out := make([]*eval.Category, len(s.Parts))
	for i, part := range s.Parts {
		out[i] = part.Category
	}
	return out
}

// Names returns the names of the selected categories.
func (s *Selection) Names() []string {
	out := make([]string, 0, len(s.Parts))
	for _, part := range s.Parts {
		out = append(out, part.Category.Name)
	}
	return out
}

// Select finds the cases. Of a group it takes the categories that the dataset
// has; a category asked for by its own name must exist. ids is a
// comma-separated list, as ReadIDs returns it or run.json states it; "" is all
// cases.
func Select(dataset *fixtures.Dataset, names, ids string) (*Selection, error) {
	return selectFor(dataset, names, ids, eval.Prompt, func(*eval.Category) error { return nil })
}

// selectFor is Select without the categories that cannot be asked in a mode or
// are objected to. Such a category is an error if it is asked for by its own
// name.
func selectFor(dataset *fixtures.Dataset, names, ids string, mode eval.Mode, objection func(*eval.Category) error) (*Selection, error) {
	var refused error
	chosen, err := dataset.Categories().Select(names, func(cat *eval.Category, named bool) error {
		if cat.PromptOnly && mode != eval.Prompt {
			return fmt.Errorf("category %q is for prompt mode only: add -mode=prompt", cat.Name)
		}
		if err := dataset.Offer(cat, named); err != nil {
			if dataset.Has(cat) {
				refused = err
			}
			return err
		}
		if err := objection(cat); err != nil {
			refused = err
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(chosen) == 0 && refused != nil {
		return nil, refused
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("dataset %q has none of the categories %q", dataset.Name, names)
	}
	sel := &Selection{Dataset: dataset}
	sel.IDs = splitIDs(strings.Split(ids, ","))
	if sel.Parts, err = load(dataset, chosen); err != nil {
		return nil, err
	}
	if sel.IDs != nil {
		err = sel.narrow()
	}
	return sel, err
}

// load reads the categories' files in parallel: most of a run's start is spent
// on parsing JSON.
func load(dataset *fixtures.Dataset, chosen []*eval.Category) ([]Part, error) {
	parts := make([]Part, len(chosen))
	errs := make([]error, len(chosen))
	var wg sync.WaitGroup
	for i, cat := range chosen {
		wg.Go(func() {
			cases, err := dataset.Cases(cat)
			parts[i], errs[i] = Part{Category: cat, Cases: cases}, err
		})
	}
	wg.Wait()
	return parts, errors.Join(errs...)
}

// ReadIDs returns the list of -ids: its value, or the lines of the file that it
// names. Only the flag may name a file: an id in a run.json or a JUnit file
// must not make this program read one.
func ReadIDs(ids string) (string, error) {
	if ids == "" {
		return "", nil
	}
	name, marked := strings.CutPrefix(ids, "@")
	file, err := os.Open(name)
	switch {
	case err != nil && marked:
		return "", fmt.Errorf("-ids: %w", err)
	case err != nil && len(splitIDs(strings.Split(ids, ","))) == 0:
		return "", fmt.Errorf("-ids: %q has no ids: omit the flag for all cases", ids)
	case err != nil:
		return ids, nil
	}
	defer func() { _ = file.Close() }()
	var lines []string
	in := bufio.NewScanner(file)
	for in.Scan() {
		lines = append(lines, strings.TrimPrefix(in.Text(), "\uFEFF"))
	}
	if err := in.Err(); err != nil {
		return "", fmt.Errorf("-ids: %s: %w", name, err)
	}
	out := splitIDs(lines)
	if len(out) == 0 {
		return "", fmt.Errorf("-ids: %s has no ids: write one per line", name)
	}
	return strings.Join(out, ","), nil
}

func splitIDs(words []string) []string {
	var out []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// narrow keeps the cases that were asked for by id, by category/id, or by a
// pattern of these. What no selected case matches is an error.
func (s *Selection) narrow() error {
	w := wish{plain: map[string]bool{}, patterns: map[string]bool{}}
	for _, id := range s.IDs {
		if strings.ContainsAny(id, "*?") {
			w.patterns[id] = true
		}
		w.plain[id] = true
	}
	var parts []Part
	for _, part := range s.Parts {
		kept := Part{Category: part.Category}
		for _, c := range part.Cases {
			if w.has(part.Category.Name, c.ID) {
				kept.Cases = append(kept.Cases, c)
			}
		}
		if len(kept.Cases) > 0 {
			parts = append(parts, kept)
		}
	}
	if len(w.plain) > 0 {
		return s.unknown(w.plain)
	}
	if s.Parts = parts; len(w.patterns) > 0 {
		s.IDs = s.names()
	}
	return nil
}

// A wish is what -ids asks for and is not found yet.
type wish struct {
	plain map[string]bool
	// patterns are those of them that may match several cases.
	patterns map[string]bool
}

// has reports whether a case is asked for.
func (w *wish) has(category, id string) bool {
	full := category + "/" + id
	for _, name := range []string{id, full} {
		if w.plain[name] {
			delete(w.plain, name)
			return true
		}
	}
	found := false
	for pattern := range w.patterns {
		byID, _ := path.Match(pattern, id)
		byName, _ := path.Match(pattern, full)
		if byID || byName {
			delete(w.plain, pattern)
			found = true
		}
	}
	return found
}

// names are the ids of the cases, with the category in front of those that are
// in several.
func (s *Selection) names() (out []string) {
	times := map[string]int{}
	for _, part := range s.Parts {
		for _, c := range part.Cases {
			times[c.ID]++
		}
	}
	for _, part := range s.Parts {
		for _, c := range part.Cases {
			name := c.ID
			if times[name] > 1 {
				name = part.Category.Name + "/" + name
			}
			out = append(out, name)
		}
	}
	return out
}

func (s *Selection) unknown(ids map[string]bool) error {
	const shown = 5
	var names []string
	for _, id := range s.IDs {
		if ids[id] && len(names) < shown {
			names = append(names, fmt.Sprintf("%q", id))
		}
	}
	example := ""
	if len(s.Parts) > 0 && len(s.Parts[0].Cases) > 0 {
		example = fmt.Sprintf(" (ids look like %q)", s.Parts[0].Cases[0].ID)
	}
	return fmt.Errorf("%s in dataset %q, categories %s: %s%s",
		say.Count(len(ids), "unknown case id", "unknown case ids"), s.Dataset.Name, strings.Join(s.Names(), ","), strings.Join(names, ", "), example)
}
