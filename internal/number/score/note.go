package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/say"
)

// notes returns the sentences below the table.
func (p *printer) notes() string {
	notes := p.score.Remarks()
	if d, ok := p.score.Detectable(); ok {
		notes = append(notes, say.Detects(100*d)+" between two models, in 80% of such pairs of runs; bfcl compare, case by case, less")
	}
	if len(notes) == 0 {
		return ""
	}
	var b strings.Builder
	for _, note := range notes {
		b.WriteString("\n" + strings.Join(say.Wrap(note, 78), "\n  "))
	}
	return b.String() + "\n"
}

// Remarks returns what changes the meaning of the score's figures, the most
// important first.
func (s *Score) Remarks() (notes []string) {
	all := s.Overall
	switch {
	case s.Shard != "":
		notes = append(notes, fmt.Sprintf("This is only shard %s; `bfcl score` with the folders of all shards gives the run's score.", s.Shard))
	case all.NA:
		notes = append(notes, "No case that counts was scored, so there is no overall.")
	case len(all.Missing) > 0 && s.Shape().DropsMissing:
		notes = append(notes, fmt.Sprintf("Overall leaves out %s, as upstream's first release does: %s.",
			say.Count(len(all.Missing), "missing category", "missing categories"), list(all.Missing)))
	case len(all.Missing) > 0:
		notes = append(notes, fmt.Sprintf("Overall counts %s as 0, as upstream's table does: %s. "+
			"\"Overall (cases run)\" leaves them out; it is not comparable with a complete run's overall.",
			say.Count(len(all.Missing), "missing category", "missing categories"), list(all.Missing)))
	}
	n := 0
	for _, p := range s.Categories { // those that do not count, too
		n += p.Errors
	}
	if n > 0 {
		what := "left out of the accuracies; they are retried on resume"
		if s.AllowErrors {
			what = "counted as answers without a call, as upstream does, but for cases that a recording lacks"
		}
		notes = append(notes, fmt.Sprintf("%s in infrastructure errors: %s.",
			say.Count(n, "case ended", "cases ended"), what))
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Finishes)) {
		kind, said, _ := strings.Cut(reason, ": ")
		why := "which no table here has"
		if kind == "filtered" {
			why = "a filter's"
		}
		notes = append(notes, fmt.Sprintf("%s ended with the finish reason %s, %s: what came was judged.", say.Count(s.Finishes[reason], "answer", "answers"), printable(said), why))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Skipped)) {
		are := "is"
		if len(s.Skipped[name]) > 1 {
			are = "are"
		}
		notes = append(notes, fmt.Sprintf("%s was skipped: %s %s not set.", printable(name), printable(strings.Join(s.Skipped[name], ", ")), are))
	}
	if s.Embedder != "" { // only results with upstream's own model are comparable with its figures
		text := fmt.Sprintf("memory_vector was searched with vectors of the embedder %s", printable(s.Embedder))
		if strings.Contains(s.Embedder, "all-MiniLM-L6-v2") {
			text += ", the model that upstream uses."
		} else {
			text += "; upstream uses all-MiniLM-L6-v2, so published figures are not comparable."
		}
		notes = append(notes, text)
	}
	return notes
}

// Detectable returns the smallest true difference to another model's overall,
// over what ran, that 80% of runs of the same size find without pairing. ok is
// false if nothing counts.
func (s *Score) Detectable() (difference float64, ok bool) {
	if s.Overall.NA {
		return 0, false
	}
	return min(1, s.Overall.Ran.Detectable()), true
}

func list(names []string) string {
	const most = 6
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most-1], ", "), len(names)-most+1)
}

// printable makes a name safe for a terminal.
func printable(s string) string { return say.Printable(s, 100) }
