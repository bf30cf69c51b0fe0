package show

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
)

// Doctor writes what a look at a server has found: the answer, its evidence, and the
// command that fits. run is the command that the look was for.
func Doctor(w io.Writer, dataset string, r *doctor.Report, run advise.Command) {
	for _, line := range say.Wrap(answerOf(score.LayoutOf(dataset), r), width) {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "\nserver: %s\n\n", cmp.Or(r.Server.String(), "it tells nothing about itself"))
	seen := map[string]bool{}
	for _, f := range r.Findings {
		lines := say.Wrap(found(f), 51)
		if f.Remedy != "" && !seen[f.Remedy] {
			lines = append(lines, say.Wrap("→ "+f.Remedy, 51)...)
		}
		seen[f.Remedy] = true
		names := say.Wrap(f.Question, 20)
		for i := range max(len(lines), len(names)) {
			state := ""
			if i == 0 {
				state = string(f.State)
			}
			fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-8s%-21s%s", state, at(names, i), at(lines, i)), " "))
		}
	}
	writeCure(w, r, run)
}

// answerOf is the answer in a sentence or two.
func answerOf(layout *score.Layout, r *doctor.Report) string {
	points := 0.0
	for _, s := range layout.Overall.Shares(func(category string) (int, bool) { return layout.Sizes[category], true }) {
		points += 100 * s.Weight * r.Lost[s.Category]
	}
	worst := doctor.Finding{}
	for _, f := range r.Findings {
		if f.State == r.Worst() && f.State != doctor.Fine && (worst.Said == "" || f.Wrong > worst.Wrong) {
			worst = f
		}
	}
	right := fmt.Sprintf("%d of %d answers are exactly right", r.Right, r.Asked)
	said := found(worst)
	if worst.Remedy != "" {
		said += ". Change: " + worst.Remedy
	}
	switch r.Worst() {
	case doctor.Fine:
		if r.Right < r.Asked {
			return "healthy: the server loses nothing; " + right + ", and the model itself writes the others so."
		}
		return "healthy: " + right + "."
	case doctor.Fault:
		if points < .05 {
			return "nothing that a run asks for is lost (" + right + "), but: " + said + "."
		}
		return fmt.Sprintf("about %.1f points of the overall of %s are lost (%s), most by the %s.", points, layout.Name, right, said)
	}
	return "could not tell (" + right + "): " + said + "."
}

// found is what a finding says, and of which layer.
func found(f doctor.Finding) string {
	if f.Layer == "" {
		return f.Said
	}
	return f.Layer.Words() + ": " + f.Said
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// writeCure says which command to run, and what its flags gain.
func writeCure(w io.Writer, r *doctor.Report, run advise.Command) {
	switch {
	case r.Cure != nil:
		run.Words = append(slices.Clip(run.Words), r.Cure.Flags...)
		fmt.Fprintf(w, "\nWith %s %d of %d questions have the right answer:\n", strings.Join(r.Cure.Flags, " "), r.Cure.Right, r.Cure.Of)
	case r.Refused() != "": // and so would be the run
		return
	case r.Worst() == doctor.Fault:
		fmt.Fprint(w, "\nNone of the flags that were tried gains anything:\n")
	}
	fmt.Fprintf(w, "\n  %s\n", run)
}
