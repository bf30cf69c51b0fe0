// Package errata lists the cases of the official datasets that are wrong, in
// fixtures/errata.yaml, and computes the evidence for the list from the data.
// Default scores ignore it.
//
// It is above fixtures, the judges and the oracle, and below the command.
package errata

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/yamlfile"
)

// A Kind says what is wrong with a case.
type Kind string

// The kinds of errata.
const (
	// Refused cases refuse their own possible answer in both function-calling
	// mode and prompt mode. Adjusted scores leave them out.
	Refused Kind = "refused"
	// Misread cases refuse it in only one of the two modes.
	Misread Kind = "misread"
	// Contradiction is an answer that does not fit the function's document but
	// can be given.
	Contradiction Kind = "contradiction"
	// Reported cases are wrong by a public report that upstream has not acted
	// on, and that the data itself does not prove. No score leaves them out.
	Reported Kind = "reported"
)

var kinds = []Kind{Refused, Misread, Contradiction, Reported}

// An Item is one entry of the list.
type Item struct {
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// Mode is the mode in which a Misread case refuses its own answer; "" for
	// other kinds, which concern both.
	Mode eval.Mode `json:"mode,omitempty"`
	// Reference is the address of a public report; "" if there is only the
	// computed evidence.
	Reference string `json:"reference,omitempty"`
	// Reason is a single line.
	Reason string `json:"reason"`
}

// Concerns reports whether the item is about answers in a mode.
func (item *Item) Concerns(mode eval.Mode) bool { return item.Mode == "" || item.Mode == mode }

// A List is the errata of one dataset.
type List struct {
	Dataset string
	// Digests are the digests of the dataset's contents for which the list
	// holds.
	Digests []string
	Items   []Item
}

// Excluded returns the ids of the cases that an adjusted score leaves out.
func (l *List) Excluded() []string {
	var out []string
	for _, item := range l.Items {
		if item.Kind == Refused {
			out = append(out, item.ID)
		}
	}
	return out
}

// For returns the list of a dataset with this digest; nil if none is known.
func For(digest string) (*List, error) {
	lists, err := Known()
	for _, l := range lists {
		if slices.Contains(l.Digests, digest) {
			return l, nil
		}
	}
	return nil, err
}

// Known returns all lists.
func Known() ([]*List, error) { return Parse(fixtures.ErrataFile, fixtures.Errata()) }

var (
	digestText = regexp.MustCompile(`^[0-9a-f]{64}$`)
	idText     = regexp.MustCompile(`^[\w.:=&-]+$`)
)

// Parse reads lists. The error has all faults, with file and line.
func Parse(file string, data []byte) ([]*List, error) {
	r := &reader{Reader: yamlfile.New(file)}
	if doc := r.Parse(data); doc != nil {
		r.each(doc, "errata", func(n *yaml.Node) { r.list(n) })
	}
	return r.lists, r.Err()
}

type reader struct {
	*yamlfile.Reader
	lists []*List
}

// each calls f for the items of a list.
func (r *reader) each(n *yaml.Node, where string, f func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		r.Fault(n, "%s: want a list, found %s", where, yamlfile.Kind(n))
		return
	}
	for _, item := range n.Content {
		if item = r.Follow(item); item != nil {
			f(item)
		}
	}
}

func (r *reader) list(n *yaml.Node) {
	l := &List{}
	r.Known(n, "errata", []string{"dataset", "digests", "cases"}, func(key string, _, v *yaml.Node) {
		switch key {
		case "dataset":
			if l.Dataset = v.Value; !slices.Contains(fixtures.Officials(), l.Dataset) {
				r.Fault(v, "dataset: want one of %s", strings.Join(fixtures.Officials(), ", "))
			}
		case "digests":
			r.each(v, "digests", func(d *yaml.Node) {
				if !digestText.MatchString(d.Value) {
					r.Fault(d, "digests: a digest has 64 digits 0-9, a-f")
				}
				l.Digests = append(l.Digests, d.Value)
			})
		case "cases":
			r.each(v, "cases", func(c *yaml.Node) { r.item(l, c) })
		}
	})
	if l.Dataset == "" || len(l.Digests) == 0 {
		r.Fault(n, "errata: dataset and digests are required")
	}
	r.lists = append(r.lists, l)
}

func (r *reader) item(l *List, n *yaml.Node) {
	var item Item
	r.Known(n, "case", []string{"id", "kind", "mode", "reference", "reason"}, func(key string, _, v *yaml.Node) {
		if fault := item.set(key, v.Value); fault != "" {
			r.Fault(v, "%s: %s", key, fault)
		}
	})
	if item.ID == "" || item.Kind == "" || item.Reason == "" {
		r.Fault(n, "case: id, kind and reason are required")
	}
	if (item.Kind == Misread) != (item.Mode != "") {
		r.Fault(n, "case: kind misread, and no other, needs the mode in which the answer is refused")
	}
	if item.Kind == Reported && item.Reference == "" {
		r.Fault(n, "case: kind reported needs the reference of the report")
	}
	if slices.ContainsFunc(l.Items, func(other Item) bool { return other.ID == item.ID }) {
		r.Fault(n, "case %s is listed twice", yamlfile.Printable(item.ID))
	}
	l.Items = append(l.Items, item)
}

// set sets a field and returns what is wrong with its value.
func (item *Item) set(key, value string) (fault string) {
	switch key {
	case "id":
		if item.ID = value; !idText.MatchString(value) {
			return "want a case's id"
		}
	case "kind":
		if item.Kind = Kind(value); !slices.Contains(kinds, item.Kind) {
			return fmt.Sprintf("want one of %v", kinds)
		}
	case "mode":
		var err error
		if item.Mode, err = eval.ParseMode(value); err != nil || item.Mode == "" {
			return "want fc or prompt"
		}
	case "reference":
		item.Reference = value
		if at, err := url.Parse(value); err != nil || at.Scheme != "https" || at.Host == "" {
			return "want an https address"
		}
	case "reason":
		if item.Reason = value; strings.ContainsAny(value, "\n\r") {
			return "want one line"
		}
	}
	return ""
}
