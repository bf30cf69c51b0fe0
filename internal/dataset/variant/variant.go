// Package variant changes how cases are posed and keeps their right answers:
// a change of names or schemas has a counterpart that maps an answer's calls
// back before the judge, which is unchanged, sees them.
//
//	Parse     what -variant says
//	Set       the variants of a run: cases varied by seed and id alone
//	Category  a category whose answers are mapped back and judged as plain ones
package variant

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
)

// None is the name for no variant: the cases as the dataset has them.
const None = "none"

// mark separates a case's id, or a category's name, from the variant.
const mark = "~"

// MaxTools is how many tools a case may have with distractors, which is the
// most that some providers accept.
const MaxTools = 128

// A kind is a way to vary cases.
type kind struct {
	name string
	// counts reports whether the name is followed by a number.
	counts bool
	// unfit returns why the kind is not for a category; nil for all.
	unfit func(*eval.Category) string
	// vary makes the variation of a case, or returns why there is none.
	vary func(m *maker) (left string)
}

var kinds = []kind{
	{name: "order", vary: (*maker).order},
	{name: "opaque", unfit: carriedOut, vary: (*maker).opaque},
	{name: "distractors", counts: true, unfit: refusing, vary: (*maker).distractors},
	{name: "schema", unfit: unschematic, vary: (*maker).schema},
}

func carriedOut(cat *eval.Category) string {
	if cat.Executes || cat.MultiTurn() {
		return "its calls are carried out by name"
	}
	return ""
}

func refusing(cat *eval.Category) string {
	if cat.Rule == eval.Irrelevance {
		return "no call is right, and an added tool might answer"
	}
	return ""
}

func unschematic(cat *eval.Category) string {
	switch {
	case cat.Language != eval.Python:
		return fmt.Sprintf("its tools are in %s", cat.Language)
	case cat.Rule == eval.Varied:
		return "documents are also written as Python or XML text, which has no $defs or anyOf"
	}
	return carriedOut(cat)
}

// A Spec is a requested variant.
type Spec struct {
	kind kind
	// N is the number after the name; 0 for kinds without one.
	N int
}

// String returns the variant's name in ids: "order", "distractors8".
func (s Spec) String() string {
	if s.N == 0 {
		return s.kind.name
	}
	return s.kind.name + strconv.Itoa(s.N)
}

// Parse reads the value of -variant, such as "none,order,distractors:8". It
// returns no variants for "" and "none". All others need "none" beside them,
// because they are compared with the plain cases of the same run.
func Parse(text string) ([]Spec, error) {
	var out []Spec
	plain := text == ""
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word == None || word == "" {
			plain = plain || word == None
			continue
		}
		s, err := parseOne(word)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o Spec) bool { return o.String() == s.String() }) {
			return nil, fmt.Errorf("%s is named twice", s)
		}
		out = append(out, s)
	}
	if !plain {
		return nil, fmt.Errorf("%q does not include none: variants are compared with the plain cases of the same run, so write none,%s", text, text)
	}
	return out, nil
}

func parseOne(word string) (Spec, error) {
	name, number, counted := strings.Cut(word, ":")
	if bare := strings.TrimRight(word, "0123456789"); !counted && bare != word {
		name, number, counted = bare, word[len(bare):], true
	}
	at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if at < 0 {
		return Spec{}, fmt.Errorf("unknown variant %.80q%s: use %s", word, say.Hint(name, Names()), strings.Join(Names(), ", "))
	}
	switch k := kinds[at]; {
	case !k.counts && counted:
		return Spec{}, fmt.Errorf("%s takes no number", name)
	case !k.counts:
		return Spec{kind: k}, nil
	case !counted:
		return Spec{}, fmt.Errorf("%s needs a number, such as %s:8", name, name)
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n >= MaxTools || strconv.Itoa(n) != number {
		return Spec{}, fmt.Errorf("%s takes a number from 1 to %d, not %.40q", name, MaxTools-1, number)
	}
	return Spec{kind: kinds[at], N: n}, nil
}

// Names returns the names that -variant accepts.
func Names() []string {
	out := []string{None}
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return out
}

// Join writes variants as Parse reads them, with none; "" if there are no
// variants.
func Join(specs []Spec) string {
	if len(specs) == 0 {
		return ""
	}
	out := None
	for _, s := range specs {
		out += "," + s.String()
	}
	return out
}

// Label returns the name of a case or category in a variant.
func Label(name, variant string) string { return name + mark + variant }

// Cut splits the name of a case or category from its variant, which is "" if it
// has none.
func Cut(name string) (plain, variant string) {
	at := strings.LastIndex(name, mark)
	if at < 0 {
		return name, ""
	}
	if s, err := parseOne(name[at+1:]); err != nil || s.String() != name[at+1:] {
		return name, ""
	}
	return name[:at], name[at+1:]
}
