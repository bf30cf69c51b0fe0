package evaluate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Lack is a category of a model that has no score, and all that is missing.
type Lack struct {
	Model    string `json:"model"`
	Category string `json:"category"`
	// Why says it in a few words.
	Why string `json:"why"`
	// Cases are the ids of those that have no answer, or none that can be
	// judged.
	Cases []string `json:"cases,omitempty"`
	// Causes are what kept answers from being judged, each once.
	Causes []string `json:"causes,omitempty"`
}

// mostNamed is how many of a list a text names; JSON has all.
const mostNamed = 10

// Error returns the lack, with its causes on lines of their own.
func (l *Lack) Error() string {
	text := fmt.Sprintf("%s, %s: %s", safe.Plain(l.Model, 200), l.Category, l.Why)
	if len(l.Cases) > 0 {
		text += ": " + listed(l.Cases)
	}
	for _, cause := range l.Causes[:min(len(l.Causes), mostNamed)] {
		text += "\n    " + cause
	}
	if left := len(l.Causes) - mostNamed; left > 0 {
		text += fmt.Sprintf("\n    and %d more", left)
	}
	return text
}

// listed names the first of many.
func listed(list []string) string {
	var out []string
	for _, item := range list[:min(mostNamed, len(list))] {
		out = append(out, safe.Printable(item, 300))
	}
	text := strings.Join(out, ", ")
	if left := len(list) - mostNamed; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}

// An IncompleteError names the categories that have no score. The report and
// what was written hold the others.
type IncompleteError struct{ Lacks []Lack }

// Error has a line for each category.
func (e *IncompleteError) Error() string {
	lines := []string{plural(len(e.Lacks), "category is incomplete and has no score:", "categories are incomplete and have no score:")}
	for i := range e.Lacks {
		lines = append(lines, "  "+e.Lacks[i].Error())
	}
	return strings.Join(lines, "\n")
}

// incomplete is nil if every category has a score.
func (r *Report) incomplete() error {
	var all []Lack
	for _, m := range r.Models {
		all = append(all, m.Lacks...)
	}
	if len(all) == 0 {
		return nil
	}
	return &IncompleteError{all}
}

// lack takes a category out of a model's, and keeps why.
func (m *Model) lack(category string, err error) {
	var known *Lack
	if !errors.As(err, &known) {
		known = &Lack{Why: safe.Printable(err.Error(), 1000)}
	}
	known.Model, known.Category = m.Name, category
	m.Lacks = append(m.Lacks, *known)
	m.Categories = slices.DeleteFunc(m.Categories, func(c *Category) bool { return c.Name == category })
}

// unjudged takes out the categories with verdicts that are none: something could
// not be asked, and no score may come of that. Allowed, such an answer is wrong,
// as an API that did not answer makes it upstream.
func (r *Report) unjudged(allowed bool) {
	for _, m := range r.Models {
		for _, c := range slices.Clone(m.Categories) {
			l := &Lack{}
			for i := range c.Verdicts {
				v := &c.Verdicts[i]
				if v.Status != eval.Error {
					continue
				}
				if allowed {
					v.Status = eval.Fail
					continue
				}
				l.Cases = append(l.Cases, v.ID)
				if cause := safe.Printable(pyval.Text(orNone(v.Detail)), 600); !slices.Contains(l.Causes, cause) {
					l.Causes = append(l.Causes, cause)
				}
			}
			if len(l.Cases) > 0 {
				l.Why = fmt.Sprintf("%s be judged (--allow-errors counts them as wrong)", plural(len(l.Cases), "answer cannot", "answers cannot"))
				m.lack(c.Name, l)
			}
		}
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// stated holds a run's folder against its run.json: it must be of this dataset, and
// a category that was run and has no file has lost its answers. The note says that
// there are more trials than are looked at.
func (m *Model) stated(o Options) (note string, err error) {
	run, err := m.folder.Run()
	if err != nil || run == nil {
		return "", err
	}
	digest, err := o.Dataset.Digest()
	if err != nil {
		return "", err
	}
	if run.Trials > 1 {
		note = fmt.Sprintf("%s: only the first of the run's %d trials is evaluated; bfcl score uses all of them", m.folder.Dir, run.Trials)
	}
	if run.Digest != digest {
		return "", fmt.Errorf("%s was run on other cases: its dataset %.100q had digest %.12q, %.100q has %.12q; name the run's own dataset with --dataset and --data (or evaluate a copy of only its result folder)", m.folder.Dir, run.Dataset, run.Digest, o.Dataset.Name, digest)
	}
	if o.Categories != "" || o.Partial {
		return note, nil
	}
	for _, name := range run.Categories {
		if m.folder.Files[name] == "" {
			m.lack(name, &Lack{Why: "it was run but has no result file"})
		}
	}
	return note, nil
}
