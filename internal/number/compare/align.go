package compare

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// Options say what may be compared and how.
type Options struct {
	// Intersect compares only the cases that all runs have with identical
	// content, if the runs have different cases or datasets.
	Intersect bool
	// Measure is what is compared: the accuracy or, for several trials, pass@k
	// or pass^k. Cases with fewer answers than it needs are left out.
	Measure stat.Measure
	// AllowErrors counts infrastructure errors as upstream does; otherwise
	// pairs with an error are left out.
	AllowErrors bool
	// Keep keeps the cases that differ in each pair of a ranking.
	Keep bool
}

// Align checks that the runs have the same cases: the same dataset, categories
// and ids. With Intersect it cuts the runs to what they have in common. The
// notes say what was left out, and in which settings the runs differ besides
// the model.
func Align(runs []*tally.Run, o Options) (aligned []*tally.Run, notes []string, err error) {
	sets := make([]map[string]*eval.Case, len(runs))
	for i, r := range runs {
		for _, other := range runs[:i] {
			if id := record.Shared(&other.Run, &r.Run); id != "" {
				return nil, nil, option.Misuse("%s and %s are the same run, or share a shard (run %s): a run does not differ from itself; name another run", named(other), named(r), say.Plain(id, 50))
			}
		}
		sets[i] = casesOf(r)
		if len(sets[i]) == 0 {
			return nil, nil, fmt.Errorf("%s has no cases: there is nothing to compare", named(r))
		}
	}
	samples, err := sampled(runs)
	if err != nil && !o.Intersect {
		return nil, nil, err
	}
	if !o.Intersect && !samples {
		for i := range runs[1:] {
			if err := same(runs[0], runs[i+1], sets[0], sets[i+1]); err != nil {
				return nil, nil, fmt.Errorf("%w; compare what they have in common with --intersect", err)
			}
		}
		return runs, Besides(runs), nil
	}
	common, changed := intersect(runs, sets)
	if len(common) == 0 {
		return nil, nil, errors.New("the runs have no case in common")
	}
	if changed > 0 {
		notes = append(notes, fmt.Sprintf("%s left out because the runs' datasets differ in them", say.Count(changed, "case is", "cases are")))
	}
	for i, r := range runs {
		aligned = append(aligned, cut(r, common))
		if left := len(sets[i]) - len(common); left > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d of %d cases are left out because the other runs lack them", named(r), left, len(sets[i])))
		}
	}
	return aligned, append(notes, Besides(runs)...), nil
}

// sampled reports whether a run is a sample, so that other runs may have more
// cases: a smaller sample is part of a larger one with the same seed. Samples
// with different seeds have few cases in common, and are refused.
func sampled(runs []*tally.Run) (bool, error) {
	var first *tally.Run
	for _, r := range runs {
		switch {
		case r.Digest != runs[0].Digest:
			return false, nil // reported where the cases are compared
		case r.Sample == nil:
		case first == nil:
			first = r
		case first.Sample.Seed != r.Sample.Seed || allocation(first) != allocation(r):
			return false, fmt.Errorf("the runs are different samples: %s has seed %d (%s), %s has seed %d (%s); run one again with the other's -seed and -sample, or compare what they have in common with --intersect",
				named(first), first.Sample.Seed, say.Plain(first.Sample.Spec, 100), named(r), r.Sample.Seed, say.Plain(r.Sample.Spec, 100))
		}
	}
	return first != nil, nil
}

// allocation is how a sample's cases were shared out.
func allocation(r *tally.Run) string {
	_, by, _ := strings.Cut(r.Sample.Spec, ",")
	return by
}

// Besides returns the settings in which the runs differ from the first, besides
// the model.
func Besides(runs []*tally.Run) (notes []string) {
	for _, r := range runs[1:] {
		if runs[0].Upstream || r.Upstream {
			continue
		}
		if differ := record.BesidesModel(&runs[0].Run, &r.Run); differ != "" {
			notes = append(notes, fmt.Sprintf("%s and %s differ in more than the model: %s", named(runs[0]), named(r), say.Plain(differ, 1000)))
		}
	}
	return notes
}

func named(r *tally.Run) string { return say.Plain(r.Name, 200) }

// casesOf returns the cases of a run by category and id.
func casesOf(r *tally.Run) map[string]*eval.Case {
	out := make(map[string]*eval.Case, r.Len())
	for cat, result := range r.All() {
		out[keyOf(cat, result.Case)] = result.Case
	}
	return out
}

func keyOf(cat *eval.Category, c *eval.Case) string { return cat.Name + "/" + c.ID }

// same returns an error that names the first difference between the cases of
// two runs.
func same(a, b *tally.Run, casesA, casesB map[string]*eval.Case) error {
	if a.Digest != b.Digest {
		return fmt.Errorf("the runs have different cases: %s used dataset %s with digest %.12q, %s used %s with %.12q",
			named(a), say.Quote(a.Dataset, 100), a.Digest, named(b), say.Quote(b.Dataset, 100), b.Digest)
	}
	onlyA, onlyB := lacking(casesA, casesB), lacking(casesB, casesA)
	if len(onlyA)+len(onlyB) == 0 {
		return nil
	}
	var said []string
	for _, side := range []struct {
		has, lacks *tally.Run
		keys       []string
	}{{a, b, onlyA}, {b, a, onlyB}} {
		if len(side.keys) > 0 {
			said = append(said, fmt.Sprintf("%s lacks %d of the cases of %s, such as %s", named(side.lacks), len(side.keys), named(side.has), say.Plain(side.keys[0], 120)))
		}
	}
	return fmt.Errorf("the runs have different cases (%d and %d): %s", len(casesA), len(casesB), strings.Join(said, "; "))
}

// lacking returns the keys of a that b lacks, sorted.
func lacking(a, b map[string]*eval.Case) []string {
	var out []string
	for key := range a {
		if b[key] == nil {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// intersect finds the cases that all runs have. If the datasets differ, the
// question, tools and answers of a case must still be the same.
func intersect(runs []*tally.Run, sets []map[string]*eval.Case) (common map[string]bool, changed int) {
	common = map[string]bool{}
	for key, first := range sets[0] {
		everywhere, alike := true, true
		for i, set := range sets[1:] {
			c := set[key]
			everywhere = everywhere && c != nil
			alike = alike && (c == nil || runs[i+1].Digest == runs[0].Digest || fingerprint(c) == fingerprint(first))
		}
		switch {
		case everywhere && alike:
			common[key] = true
		case everywhere:
			changed++
		}
	}
	return common, changed
}

// fingerprint returns a digest of everything in a case that a verdict can
// depend on.
func fingerprint(c *eval.Case) [sha256.Size]byte {
	text := pyval.Repr(c.Entry)
	if c.Answer != nil {
		text += pyval.Repr(c.Answer)
	}
	return sha256.Sum256([]byte(text))
}

// answered cuts the runs to the cases that all of them answered as often as the
// measure needs: what is compared. Otherwise each would be measured over its own.
func answered(runs []*tally.Run, o Options) []*tally.Run {
	count, keep := map[string]int{}, map[string]bool{}
	for _, r := range runs {
		for _, a := range r.Attempted(o.AllowErrors) {
			if _, ok := o.Measure.Of(a.Answered, a.Right); ok {
				key := keyOf(a.Category, a.Case)
				count[key]++
				keep[key] = count[key] == len(runs)
			}
		}
	}
	out := make([]*tally.Run, len(runs))
	for i, r := range runs {
		out[i] = cut(r, keep)
	}
	return out
}

// cut returns the run with only the given cases.
func cut(r *tally.Run, keep map[string]bool) *tally.Run {
	out := *r
	out.Parts = nil
	for _, part := range r.Parts {
		kept := tally.Part{Category: part.Category}
		for _, result := range part.Results {
			if keep[keyOf(part.Category, result.Case)] {
				kept.Results = append(kept.Results, result)
			}
		}
		if len(kept.Results) > 0 {
			out.Parts = append(out.Parts, kept)
		}
	}
	return &out
}
