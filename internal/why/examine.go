// Package why says why a case did not pass: how far its answer got, what it got
// wrong, and a text for people. Everything that came from a model is quoted and
// cut to a limit here: test output is line based, and a raw control byte or a
// crafted "--- PASS" line would forge results.
package why

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// Examine finds out how far a result's answer got, why it failed, and what of
// it could not be read. Without an answer only the error type is known.
func Examine(r *eval.Result, s eval.Settings) {
	Rank(r, s)
	if r.Status == eval.Fail {
		r.Cause = causeOf(r, s)
	}
}

// Rank does what Examine does, but finds no more of a cause than its kind.
func Rank(r *eval.Result, s eval.Settings) {
	r.Level, r.Seen, r.Cause = cause.Ground, r.Status != eval.Fail || r.Result != nil, cause.Cause{Kind: cause.KindOf(r.ErrorType)}
	switch r.Status {
	case eval.Pass:
		r.Level, r.Cause.Kind = cause.Values, ""
	case eval.Fail:
		switch cat := r.Category; { // such an answer did not reach the top, however good its calls look
		case r.Result == nil:
		case r.Case.Expected != nil: // the error type itself says what is wrong
			r.Level = cause.Below(r.Cause.Kind)
		case cat.Compares():
			// Upstream matches parallel calls without backtracking, so it refuses some that
			// would match in another order: these too end below the top.
			r.Level = min(climb(r.Case.Tools, r.Decoded, r.Case.Answer, categories.Options(cat, r.Case, s)), cause.Types)
		}
		if r.Result != nil {
			r.Cause.Kind = seenKind(r)
		}
		if s.UnderscoreToDot && s.Mode == eval.FC {
			dots, _ := Dotted(r.Case, r.Result)
			r.Dotted = dots > 0
		}
	}
	r.Unread, r.Beyond, r.Overlooked = unread(r, s), 0, overlooked(r, s)
	if d := dialect.Find(s.Dialect); d != nil && r.Result != nil {
		r.Beyond = d.Unread(r.Result)
	}
}

// seenKind corrects the kind of the error type by looking at the answer.
func seenKind(r *eval.Result) cause.Kind {
	text, _ := r.Result.(pyval.Str)
	kind, empty := r.Cause.Kind, isEmpty(r.Decoded)
	switch {
	case strings.HasPrefix(string(text), eval.InferenceError):
		return cause.Infrastructure
	case kind == cause.Infrastructure: // a failed answer, even if its error type has no kind
		return cause.Unexplained
	case kind == cause.WrongCount && empty:
		return cause.NoCall
	case (kind == cause.Malformed || kind == cause.NoCall) && decode.Attempted(r.Case.ToolNames(), r.Result):
		return cause.Malformed
	case kind == cause.Malformed && (empty || r.Decoded == nil):
		return cause.NoCall
	case kind == cause.Unexplained && r.Category.Compares():
		return r.Level.Missed()
	}
	return kind
}

// isEmpty reports whether an answer was decoded to nothing: an empty list, or
// what the Java and JavaScript decoders return for a text without calls.
func isEmpty(decoded pyval.Value) bool {
	if decoded == nil {
		return false
	}
	n, sized := pyval.Len(decoded)
	return sized && n == 0 || decoded.Kind() == pyval.KindNone
}

// unread returns the parts of an answer from which no call could be read, if calls are
// wanted: the whole answer, nil if it is not available, or steps of a conversation.
func unread(r *eval.Result, s eval.Settings) []pyval.Value {
	switch {
	case r.Category.MultiTurn():
		return unreadSteps(r, s, func(int) bool { return true })
	case unreadable.MatchString(r.ErrorType):
		return []pyval.Value{r.Result}
	}
	return nil
}

// unreadable matches the error types that say that no call could be read.
var unreadable = regexp.MustCompile(`^(ast_decoder:|executable_decoder:|relevance_error:decoder_failed$)`)

// unreadSteps returns the steps without a readable call in some turns of a
// conversation.
func unreadSteps(r *eval.Result, s eval.Settings, in func(turn int) bool) (out []pyval.Value) {
	for i, turn := range items(r.Result) {
		if !in(i) {
			continue
		}
		for k, step := range items(turn) {
			var calls []string
			if r.Steps != nil {
				calls = r.Steps[i][k]
			} else if read, err := multiturn.Execute(step, s); err == nil {
				calls = read
			}
			if multiturn.IsEmpty(calls) {
				out = append(out, step)
			}
		}
	}
	return out
}

// overlooked returns the parts of a right answer that hold a call which was not
// read, where nothing may be called: the answer to an irrelevance case, and steps
// of turns in which the possible answer calls nothing.
func overlooked(r *eval.Result, s eval.Settings) (out []pyval.Value) {
	c := r.Case
	switch {
	case !r.Passed() || r.Result == nil:
	case r.Category.Rule == eval.Irrelevance && dialect.Holds(r.Result, c.Tools):
		out = append(out, r.Result)
	case r.Category.Rule == eval.MultiTurn && c.Answer != nil:
		tools := c.AllTools()
		idle := func(turn int) bool {
			if turn >= len(c.Answer.Items) {
				return false
			}
			list, ok := c.Answer.Items[turn].(*pyval.List)
			return ok && len(list.Items) == 0
		}
		for _, step := range unreadSteps(r, s, idle) {
			if dialect.Holds(step, tools) {
				out = append(out, step)
			}
		}
	}
	return out
}

// items returns what a list holds; nil for other values.
func items(v pyval.Value) []pyval.Value {
	if list, _ := v.(*pyval.List); list != nil {
		return list.Items
	}
	return nil
}

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
