// Package errata lists the cases of the official datasets that are wrong, in
// fixtures/errata. Official scores ignore it.
//
//	errata   the list, and which entries hold for which data
//	accept   answers judged by what an entry accepts
//
// It is above fixtures, the judges and the oracle, and below the command.
package errata

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
)

// A Kind says what is wrong with a case.
type Kind string

// The kinds of errata.
const (
	// Wrong cases accept no right answer.
	Wrong Kind = "wrong"
	// Narrow cases refuse an answer that follows as well as the accepted ones.
	Narrow Kind = "narrow"
	// Open cases do not hold what decides between answers.
	Open Kind = "open"
	// Rule cases have a right key, of which the checker refuses an equal value.
	Rule Kind = "rule"
	// Contradiction is a key that does not fit the function's document but
	// refuses no right answer. It is no defect, and no score leaves it out.
	Contradiction Kind = "contradiction"
)

// Kinds returns all kinds, the defects first.
func Kinds() []Kind { return []Kind{Wrong, Narrow, Open, Rule, Contradiction} }

// Means returns the kind in a few words.
func (k Kind) Means() string {
	return map[Kind]string{
		Wrong:         "no right answer is accepted",
		Narrow:        "an answer that follows as well is refused",
		Open:          "the case does not hold what decides",
		Rule:          "the checker refuses an equal value",
		Contradiction: "the key does not fit the document, and refuses no right answer",
	}[k]
}

// An Item is one entry of the list.
type Item struct {
	ID   string `yaml:"id" json:"id"`
	Kind Kind   `yaml:"kind" json:"kind"`
	// Mode is the mode that the entry concerns; "" for both.
	Mode eval.Mode `yaml:"mode" json:"mode,omitempty"`
	// Quote are the decisive words, as they stand in the case.
	Quote string `yaml:"quote" json:"quote,omitempty"`
	// Accepts are whole answers that the case refuses and should accept: Python
	// calls; of a conversation a JSON object from the numbers of turns to their
	// calls; about a memory a text. Without any, nobody can say what the key should be.
	Accepts []string `yaml:"accepts" json:"accepts,omitempty"`
	// Found says how the entry was found: by "readers", who are two at least, by one
	// "reader", or by the data, such as "own": the case refuses its own answer.
	Found string `yaml:"found" json:"found"`
	// Since is upstream's release since which the case is as it is.
	Since string `yaml:"since" json:"since"`
	// Reference is the address of a public report; usually "".
	Reference string `yaml:"reference" json:"reference,omitempty"`
	// Reason is a single line.
	Reason string `yaml:"reason" json:"reason"`
}

// Concerns reports whether the item is about answers in a mode.
func (item *Item) Concerns(mode eval.Mode) bool { return item.Mode == "" || item.Mode == mode }

// Defect reports whether a case cannot tell right answers from wrong ones.
func (item *Item) Defect() bool { return item.Kind != Contradiction }

// Line returns the entry in a line.
func (item *Item) Line() string {
	return fmt.Sprintf("%s (%s): %s", item.Kind, item.Kind.Means(), item.Reason)
}

// Reading is how a category's cases were read.
type Reading struct {
	Category string `yaml:"category" json:"category"`
	// Cases is the size of the category. Read were chosen because models fail
	// them, and read twice: with Agreed equal verdicts, and this Kappa.
	Cases  int     `yaml:"cases" json:"cases"`
	Read   int     `yaml:"read" json:"read"`
	Agreed int     `yaml:"agreed" json:"agreed"`
	Kappa  float64 `yaml:"kappa" json:"kappa"`
	// Sampled of the others were drawn at random and read. Found of these have a
	// defect, Wrong of them the kind of this name.
	Sampled int `yaml:"sampled" json:"sampled"`
	Found   int `yaml:"found" json:"found"`
	Wrong   int `yaml:"wrong" json:"wrong"`
}

// A List is the errata of one dataset.
type List struct {
	Dataset  string    `yaml:"dataset"`
	Readings []Reading `yaml:"readings"`
	Items    []Item    `yaml:"cases"`
}

// Find returns a case's entry; nil if it has none.
func (l *List) Find(id string) *Item {
	if l == nil {
		return nil
	}
	at := slices.IndexFunc(l.Items, func(item Item) bool { return item.ID == id })
	if at < 0 {
		return nil
	}
	return &l.Items[at]
}

var known = map[string]func() (*List, error){"v4": once("v4"), "v1": once("v1")}

func once(dataset string) func() (*List, error) {
	return sync.OnceValues(func() (*List, error) {
		data, err := fixtures.Errata(dataset)
		if err != nil {
			return nil, err
		}
		return Parse(fixtures.ErrataDir+"/"+dataset+".yaml", data)
	})
}

// Of returns what the file of "v4" or "v1" holds.
func Of(dataset string) (*List, error) { return known[dataset]() }

// For returns the errata of data with this digest, each under the id that its
// case has there; nil if the data is not upstream's.
func For(digest string) (*List, error) {
	is, ok := eval.Known(digest)
	if !ok {
		return nil, nil
	}
	all, err := Of("v4")
	if err != nil {
		return nil, err
	}
	out := &List{Dataset: is.Release}
	if is.IsOfficial("v4") {
		out.Readings = all.Readings
	}
	for _, item := range all.Items {
		if item.Since <= is.Release {
			at := max(strings.LastIndexByte(item.ID, '_'), 0)
			if name := firstNames[item.ID[:at]]; is.Release == "v1" && name != "" { // later releases' ids are read as today's
				item.ID = name + item.ID[at:]
			}
			out.Items = append(out.Items, item)
		}
	}
	if is.IsOfficial("v1") {
		own, err := Of("v1")
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, own.Items...)
	}
	return out, nil
}

// firstNames are the first release's names of categories, by today's.
var firstNames = map[string]string{
	"simple_python": "simple", "simple_java": "java", "simple_javascript": "javascript", "multiple": "multiple_function",
	"parallel": "parallel_function", "parallel_multiple": "parallel_multiple_function", "irrelevance": "relevance",
}

var idText = pattern.Of(`^[\w.:=&-]+$`)

// Parse reads a list. The error has all faults.
func Parse(file string, data []byte) (*List, error) {
	l := &List{}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(l); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var faults []error
	seen := map[string]bool{}
	for i := range l.Items {
		item := &l.Items[i]
		for _, fault := range item.faults() {
			faults = append(faults, fmt.Errorf("%s: case %q: %s", file, item.ID, fault))
		}
		if seen[item.ID] {
			faults = append(faults, fmt.Errorf("%s: case %q is listed twice", file, item.ID))
		}
		seen[item.ID] = true
	}
	return l, errors.Join(faults...)
}

// faults returns what is wrong with an entry by itself.
func (item *Item) faults() (out []string) {
	at, err := url.Parse(item.Reference)
	for text, ok := range map[string]bool{
		"want a case's id":                           idText().MatchString(item.ID),
		fmt.Sprintf("kind: want one of %v", Kinds()): slices.Contains(Kinds(), item.Kind),
		"mode: want fc or prompt":                    slices.Contains([]eval.Mode{"", eval.FC, eval.Prompt}, item.Mode),
		"reason: want one line":                      item.Reason != "" && !strings.ContainsAny(item.Reason, "\r\n"),
		"found: is missing":                          item.Found != "",
		"since: want one of upstream's releases":     slices.Contains(fixtures.Officials(), item.Since),
		"quote: is missing":                          item.Quote != "",
		"an open case accepts no other answer":       item.Kind != Open || len(item.Accepts) == 0,
		"reference: want an https address":           item.Reference == "" || err == nil && at.Scheme == "https" && at.Host != "",
	} {
		if !ok {
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return out
}
