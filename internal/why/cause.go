package why

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// causeOf returns the cause of a failed answer, whose kind is known. If the
// answer is not available, it says what the case wants.
func causeOf(r *eval.Result, s eval.Settings) cause.Cause {
	out := cause.Cause{Kind: r.Cause.Kind}
	f, conversed := r.Fault.(*multiturn.Fault)
	switch {
	case out.Kind == cause.Infrastructure:
		return out
	case conversed:
		blameTurn(&out, f)
		return out.Safe()
	case r.Category.Rule == eval.Agentic: // what is accepted are texts, not calls
		var texts []string
		for _, v := range items(r.Case.Answer) {
			texts = append(texts, pyval.Text(v))
		}
		out.Want = strings.Join(texts, " or ")
	default:
		out.Function = expected(r.Case, 0)
	}
	switch {
	case r.Result == nil:
	case out.Kind == cause.UnwantedCall:
		out.Function = callAt(r.Decoded, 0)
	case out.Kind == cause.WrongCount:
		out.Got = counts(r.Decoded, r.Case.Answer)
	case out.Kind == cause.WrongAnswer:
		last := r.Result
		for list := items(last); len(list) > 0; list = items(last) {
			last = list[len(list)-1] // in which the final answer stands
		}
		out.Got = strings.TrimSpace(textOf(last))
	case compared[out.Kind] && r.Category.Compares() && r.Case.Expected == nil:
		blameCall(&out, r, s)
	}
	return out.Safe()
}

// compared are the kinds that comparing call by call explains.
var compared = map[cause.Kind]bool{cause.WrongFunction: true, cause.MissingRequired: true, cause.Unexpected: true, cause.WrongType: true, cause.WrongValue: true}

// blameCall finds the expected call that got least far, and what is wrong with
// the call nearest to it.
func blameCall(o *cause.Cause, r *eval.Result, s eval.Settings) {
	n, ok := judge.Inspect(r.Case.Tools, r.Decoded, r.Case.Answer, categories.Options(r.Category, r.Case, s))
	if !ok || n.Wanted() == 0 || n.Made() == 0 || n.Made() > most {
		return
	}
	pairs, _ := pair(n)
	worst := slices.MinFunc(pairs, func(a, b Pair) int { return cmp.Compare(a.level, b.level) })
	o.Function = expected(r.Case, worst.Wanted)
	if worst.level <= cause.Call || o.Kind == cause.WrongFunction {
		made := worst.Made
		if made < 0 { // none is left for it
			made = min(worst.Wanted, n.Made()-1)
		}
		o.Got = callAt(r.Decoded, made)
		return
	}
	found := n.Faults(worst.Made, worst.Wanted)
	o.Parameter = found.First.Name
	if found.First.Value != nil && o.Kind != cause.Unexpected {
		o.Want, o.Got = acceptedValues(r.Case.Answer.Items[worst.Wanted], o.Parameter), pyval.Repr(found.First.Value)
	}
}

// counts says how the number of calls differs from the number wanted.
func counts(decoded pyval.Value, answer *pyval.List) string {
	made, _ := pyval.Len(decoded)
	wanted := 0
	if answer != nil {
		wanted = len(answer.Items)
	}
	switch {
	case made == 1 && wanted > 1:
		return cause.OneCall
	case made < wanted:
		return "too few calls"
	case wanted == 1:
		return "several calls where one was wanted"
	case made > wanted:
		return "too many calls"
	}
	return ""
}

// expected returns the function of an expected call; "" if there is none.
func expected(c *eval.Case, at int) string {
	if c.Answer == nil || at >= len(c.Answer.Items) {
		return ""
	}
	return nameOf(c.Answer.Items[at])
}

// acceptedValues returns the values that an expected call accepts for a
// parameter, without the one that stands for leaving it out.
func acceptedValues(call pyval.Value, name string) string {
	_, args := split(call)
	values := args.List(name)
	var texts []string
	for _, v := range values {
		if v != pyval.Value(pyval.Str("")) || len(values) == 1 {
			texts = append(texts, pyval.Repr(v))
		}
	}
	return strings.Join(texts, " or ")
}

// callAt returns the function of an answer's call; "" if there is none.
func callAt(decoded pyval.Value, at int) string {
	if list := items(decoded); at < len(list) {
		return nameOf(list[at])
	}
	return ""
}

func nameOf(call pyval.Value) string {
	if d, ok := call.(*pyval.Dict); ok && d.Len() > 0 {
		key, _ := d.At(0)
		return textOf(key)
	}
	return called(textOf(call))
}

// called returns the function's name in a call written as text.
func called(call string) string {
	name, _, _ := strings.Cut(call, "(")
	return strings.TrimSpace(name)
}

// blameTurn finds the first wanted call that was not made, or the path in
// the state that differs.
func blameTurn(o *cause.Cause, f *multiturn.Fault) {
	o.Function = missingCall(f)
	if f.Class == "" || f.Changes == nil {
		return
	}
	if o.Function == "" {
		o.Function = f.Class
	}
	if changes := f.Changes(); len(changes) > 0 {
		// Only the beginning of a path in a state is defined by the class; keys are data.
		path := changes[0].Path
		o.Parameter = f.Class + "." + path[:strings.IndexAny(path+".", "[.")]
	}
}

func missingCall(f *multiturn.Fault) string {
	made := map[string]bool{}
	for _, step := range f.Calls {
		for _, call := range step {
			made[called(call)] = true
		}
	}
	for _, call := range f.Wanted {
		if name := called(call); !made[name] {
			return name
		}
	}
	if len(f.Wanted) > 0 {
		return called(f.Wanted[0])
	}
	return ""
}
