package show

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
)

// width is how wide a line of the table becomes.
const width = 80

// Failures returns what people read of a run's failures, of which there are groups in
// all. name is the run as commands name it.
func Failures(run *tally.Run, r *tally.Failures, all int, by cause.By, name advise.Run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s, %s:\n%s.\n", say.Plain(run.Name, 60), say.Plain(run.Dataset, 40), say.Count(r.Total, "result", "results"), r)
	switch {
	case r.Wrong+r.Errors == 0:
		return b.String()
	case r.Ran != nil:
		fmt.Fprintf(&b, "Cases run: %d of %d that count.\n", r.Ran.Cases, r.Ran.Of)
	}
	b.WriteString("\n")
	if blame := r.Blame.String(); blame != "" {
		fmt.Fprintf(&b, "%s.\n\n", strings.Join(say.Wrap(blame, width), "\n"))
	}
	if r.Listed > 0 {
		fmt.Fprintf(&b, "%s to cases with a listed defect: see `bfcl errata`.\n\n", say.Count(r.Listed, "wrong answer is", "wrong answers are"))
	}
	b.WriteString("  n   share  points  cause\n")
	for i := range r.Groups {
		g := &r.Groups[i]
		line := fmt.Sprintf("%4d %6.1f%% %7.2f  %s", g.Count, 100*g.Share, g.Lost, g.Text())
		fmt.Fprintf(&b, "%s\n%s\n", clip(line, width), placed(g))
		if g.Suspect != nil {
			for _, line := range say.Wrap(say.Plain(g.Suspect.Evidence, 500), 51) {
				fmt.Fprintf(&b, "%*s%s\n", beside, "", line)
			}
		}
	}
	if all > len(r.Groups) {
		fmt.Fprintf(&b, "\n%s more: --limit 0 shows all.\n", say.Count(all-len(r.Groups), "group", "groups"))
	}
	b.WriteString("\nnext:\n")
	top := r.Groups[0]
	if by != cause.ByParameter {
		finer := map[cause.By]cause.By{cause.ByKind: cause.ByFunction, cause.ByFunction: cause.ByParameter}[by]
		fmt.Fprintf(&b, "  %s\n", name.Show("failures", "--cause", string(top.Kind), "--group", string(finer)))
	}
	if c, ok := name.Explain(top.Examples[0], traced(run, top.Examples[0])); ok {
		fmt.Fprintf(&b, "  %s\n", c)
	}
	return b.String()
}

// beside is the indentation of texts on a group.
const beside = 22

// placed is a line with the categories of a group's failures and a few of their ids.
func placed(g *tally.Alike) string {
	most, n := "", 0
	for name, count := range g.Categories {
		if count > n || count == n && name < most {
			most, n = name, count
		}
	}
	where := most
	if rest := len(g.Categories) - 1; rest > 0 {
		where = fmt.Sprintf("%s %d, %s", most, n, say.Count(rest, "other category", "other categories"))
	}
	line := fmt.Sprintf("%*s%s: ", beside, "", where)
	for i, id := range g.Examples {
		id = say.Plain(id, 60)
		switch fits := utf8.RuneCountInString(line)+len(id)+2 <= width; {
		case !fits && i > 0:
			return line
		case !fits:
			line = fmt.Sprintf("%s\n%*s", strings.TrimRight(line, " "), beside, "")
		case i > 0:
			line += ", "
		}
		line += id
	}
	return line
}

// traced reports whether trace explains a case of the run, not judge: a conversation,
// and a case that has an error in place of an answer.
func traced(run *tally.Run, id string) bool {
	for _, part := range run.Parts {
		for i := range part.Results {
			if r := &part.Results[i]; r.Case.ID == id {
				return r.Case.Scene != nil || r.Status == eval.Error
			}
		}
	}
	return false
}
