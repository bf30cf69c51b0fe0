package tally

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
)

// An unread is an answer, or a step of one, from which no call could be read.
type unread struct {
	cat   *eval.Category
	c     *eval.Case
	value pyval.Value // nil if it is not available
}

// unreadIn returns what could not be read in some categories, of how many answers.
func unreadIn(parts ...Part) (out []unread, n int) {
	for cat, r := range (&Run{Parts: parts}).answers() {
		n++
		for _, value := range r.Unread {
			out = append(out, unread{cat, r.Case, value})
		}
	}
	return out, n
}

// readable returns the dialect that reads plausible calls in most of the answers,
// of several the family's; without is left out. Each format of a prompt has a
// reader of its own.
func readable(answers []unread, without, family string) (dialect.Candidate, bool) {
	byCategory, counts := map[*eval.Category][]unread{}, map[string]int{}
	for _, a := range answers {
		if a.cat.Name != prompt.Category {
			byCategory[a.cat] = append(byCategory[a.cat], a)
		}
	}
	for cat, list := range byCategory {
		values, tools := make([]pyval.Value, len(list)), make([][]*pyval.Dict, len(list))
		for i, a := range list {
			values[i], tools[i] = a.value, a.c.Tools
		}
		grammar := dialect.V4
		if cat.Release == eval.V1 {
			grammar = dialect.V1
		}
		for _, c := range dialect.Candidates(values, tools, grammar(decode.Format(cat.Language.Key()))) {
			counts[c.Dialect.Name] += c.Reads
		}
	}
	var found []dialect.Candidate
	for _, d := range dialect.All() {
		if n := counts[d.Name]; n > 0 && d.Name != without {
			found = append(found, dialect.Candidate{Dialect: d, Reads: n})
		}
	}
	return dialect.Best(found, family)
}

// ownDialect returns the dialect of the model's family; "" if it is not known.
func ownDialect(r *Run) string {
	name := r.Model
	if r.Command == nil {
		name += " " + r.Parameters["id"]
	}
	if f, ok := dialect.FamilyOf(name); ok {
		return f.Dialect.Name
	}
	return ""
}

// with returns what to do to have a run's answers read with another value of a flag:
// to evaluate recorded answers again, or to run again. A server's chat endpoint is
// then asked to leave calls in the text.
func with(r *Run, flag, value string) string {
	set := "-" + flag + "=" + value
	switch {
	case r.Command != nil:
		set = "-" + set
		old := func(word string) bool { return strings.HasPrefix(word, "--"+flag+"=") }
		return "`" + advise.Command{Words: append(slices.DeleteFunc(slices.Clone(r.Command), old), set)}.String() + "`"
	case len(r.Flags) == 0:
		return "give " + set
	}
	flags := []string{set}
	if flag == "dialect" && r.Parameters["adapter"] == "openai" && r.Mode == eval.FC {
		flags = []string{"-read=dialect", set}
	}
	again, _ := advise.Run{Kind: advise.Folder, Stated: &r.Run}.Again(flags...)
	return "`" + again.String() + "`"
}

// doubts names the categories in which more than half of the answers could
// not be read, or more than a fifth of the unread ones are in another dialect.
// Then the numbers say more about the reader than about the model.
func doubts(r *Run) []string {
	var out, others []string
	for i := range r.Parts {
		switch text := doubt(r, &r.Parts[i]); {
		case text == "":
		case len(out) == 0:
			out = []string{text}
		default:
			others = append(others, r.Parts[i].Category.Name)
		}
	}
	if len(others) > 0 {
		out = append(out, "The same is true of "+strings.Join(others, ", ")+".")
	}
	return append(out, dottedIn(r)...)
}

// dottedIn says how many recorded answers are wrong that name functions with their
// dots: the settings may not be the model's. Of a run that asked itself they are.
func dottedIn(r *Run) []string {
	n, of, _ := r.showing(func(x *eval.Result) bool { return x.Dotted })
	if n == 0 || !r.Upstream && !strings.HasPrefix(r.Model, "replay:") {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d answers are wrong that name functions with their dots, because the model is taken to have seen underscores: %s, if it saw dots.", n, of, strings.Trim(with(r, "underscore-to-dot", "no"), "`"))}
}

// doubt returns "" if the answers of a category may really have no calls.
func doubt(r *Run, p *Part) string {
	const few = 3 // unread answers from which a wrong reader can be suspected
	all, answers := unreadIn(*p)
	if len(all) < few {
		return ""
	}
	likely := likelyIn(r, all)
	if many := !p.Category.MultiTurn() && 2*len(all) > answers; likely == "" && !many {
		return ""
	}
	of := fmt.Sprintf("of %d answers", answers)
	if p.Category.MultiTurn() {
		of = "steps"
	}
	as := ""
	switch {
	case r.Dialect != "":
		as = " in the dialect " + r.Dialect
	case r.Mode != "":
		as = " in " + string(r.Mode) + " mode"
	}
	example := fmt.Sprintf(" The first is %s.", all[0].c.ID)
	if at := slices.IndexFunc(all, func(a unread) bool { return a.value != nil }); at >= 0 {
		example = fmt.Sprintf(" The first, of %s: %s", all[at].c.ID, say.Printable(pyval.Text(all[at].value), 160))
	}
	return fmt.Sprintf("%s: no call could be read from %d %s%s.%s%s", p.Category.Name, len(all), of, as, likely, example)
}

// likelyIn returns a sentence that names the dialect that reads most answers, if
// it reads more than a fifth of them.
func likelyIn(r *Run, all []unread) string {
	const most = 300 // answers that are tried
	tried := slices.DeleteFunc(slices.Clone(all), func(a unread) bool { return a.value == nil })
	tried = tried[:min(most, len(tried))]
	best, ok := readable(tried, r.Dialect, ownDialect(r))
	if !ok || best.Reads*5 <= len(tried) {
		return ""
	}
	return fmt.Sprintf(" In the dialect %s, %d of %d can be read: %s.", best.Dialect.Name, best.Reads, len(tried), with(r, "dialect", best.Dialect.Name))
}

// Warnings returns the warnings to show before any number of the runs, each
// once, with the names of the runs unless it applies to all. allowErrors says that
// infrastructure errors count.
func Warnings(runs []*Run, allowErrors bool) []string {
	said := map[string][]string{}
	var out []string
	for _, r := range runs {
		s, err := r.Answered(allowErrors)
		if err != nil {
			continue // reported by Score
		}
		for _, text := range s.Warnings {
			if said[text] == nil {
				out = append(out, text)
			}
			said[text] = append(said[text], say.Plain(r.Name, 200))
		}
	}
	for i, text := range out {
		if names := said[text]; len(names) < len(runs) {
			out[i] = strings.Join(names, ", ") + ": " + text
		}
	}
	return out
}
