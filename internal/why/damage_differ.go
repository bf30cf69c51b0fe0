package why

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Difference is one thing that differs between two answers.
type Difference struct {
	// Kind says in words what was done, the same for all answers to which the
	// same was done. It is safe to print.
	Kind  string
	Layer Layer
	// Known reports whether a server does such things to every answer; otherwise
	// only another answer says the same.
	Known bool
	// Want and Got are the place as it was and as it came, safe to print.
	Want, Got string
	// applies reports whether the same would change another answer.
	applies func(a Answer) bool
}

// Applies reports whether the same would change another answer.
func (d Difference) Applies(a Answer) bool { return d.applies != nil && d.applies(a) }

// DamageSign returns a sign that an answer's result shows as a difference: it came from
// nothing that can be named.
func DamageSign(kind string, result pyval.Value) Difference {
	const before, after = 60, 100
	text, mark := "", kind[strings.LastIndex(kind, " ")+1:]
	if result != nil {
		text = compact(result)
	}
	at := max(strings.Index(text, mark), 0)
	return Difference{Kind: kind, Layer: Parser, Known: true, Got: say.Plain(strings.ToValidUTF8(text[max(0, at-before):min(len(text), at+after)], ""), before+after)}
}

// A differ collects the differences of two answers.
type differ struct{ found []Difference }

// Differ returns how an answer that came differs from the one that was wanted;
// nothing if they are the same. Texts beside calls are not compared.
func Differ(want, came Answer) []Difference {
	d := &differ{}
	switch n, m := len(want.Calls), len(came.Calls); {
	case n == 0 && m == 0:
		d.texts(want, came)
	case m == 0:
		d.lost(want, came)
	case n == 0:
		d.add(false, Parser, "a call arrives where none is wanted", want.Text, came.String(), anyAnswer)
	default:
		d.calls(want.Calls, came.Calls)
	}
	return d.found
}

func (d *differ) add(known bool, layer Layer, kind, want, came string, applies func(Answer) bool) {
	if !slices.ContainsFunc(d.found, func(f Difference) bool { return f.Kind == kind }) {
		const most = 160
		d.found = append(d.found, Difference{kind, layer, known, say.Plain(want, most), say.Plain(came, most), applies})
	}
}

func anyAnswer(Answer) bool  { return true }
func anyCall(a Answer) bool  { return len(a.Calls) > 0 }
func several(a Answer) bool  { return len(a.Calls) > 1 }
func ofCalls(n int) applying { return func(a Answer) bool { return len(a.Calls) >= n } }

type applying = func(Answer) bool

var marks = regexp.MustCompile(`</?(?:seed:|mm:)?think(?:ing)?>|\[/?THINK\]|<[|｜][^<>|｜]{0,40}[|｜]>|<\|"\|>|</?s>|<(?:end_of_turn|eos|start_of_turn)>|\[/?(?:INST|TOOL_CALLS|ARGS)\]|</?tool_calls?>|</?TOOLCALL>|<\|channel>|<channel\|>`)

// Mark returns the first control token in a text, "" if there is none.
func Mark(text string) string { return marks.FindString(text) }

// texts compares answers without calls.
func (d *differ) texts(want, came Answer) {
	if fold(want.Text) == fold(came.Text) {
		return
	}
	mark := Mark(came.Text)
	switch said := fold(came.Text); {
	case mark != "" && Mark(want.Text) == "" && strings.Contains(said, fold(want.Text)):
		what := "control tokens stay in the text: " + mark
		if strings.Contains(strings.ToLower(mark), "think") {
			what = "thoughts stay in the text"
		}
		d.add(true, Parser, what, want.Text, came.Text, func(a Answer) bool { return a.Text != "" })
	case came.CutOff || said != "" && strings.HasPrefix(fold(want.Text), said):
		d.add(true, Limit, "answers are cut", want.Text, tail(came.Text), anyAnswer)
	case said == "" && strings.Contains(fold(came.Reasoning), fold(want.Text)):
		d.add(true, Parser, "the answer arrives with the thoughts", want.Text, came.Reasoning, anyAnswer)
	case said == "":
		d.add(true, Parser, "the text is lost", want.Text, "", anyAnswer)
	case strings.Contains(said, fold(want.Text)) && len(want.Text) < 100: // more words are the model's manner
	default:
		d.add(false, Template, "another text arrives", want.Text, came.Text, anyAnswer)
	}
}

// fold returns the letters and digits of a text in one case.
func fold(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isWord(r) }), " ")
}

func tail(text string) string {
	const most = 60
	if len(text) > most {
		return "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}

// lost says where calls went that did not arrive.
func (d *differ) lost(want, came Answer) {
	w, name := want.String(), want.Calls[0].Name
	switch {
	case came.CutOff:
		d.add(true, Limit, "answers are cut before their calls", w, tail(came.Text), anyCall)
	case named(came.Text, name):
		d.add(true, Parser, "calls stay in the text", w, came.Text, anyCall)
	case named(came.Reasoning, name):
		d.add(true, Parser, "calls arrive in the reasoning", w, came.Reasoning, anyCall)
	case strings.TrimSpace(came.Text) == "":
		d.add(true, Parser, "calls are lost, and nothing arrives in their place", w, "", anyCall)
	default:
		d.add(false, Template, "a text arrives in place of calls", w, came.Text, anyCall)
	}
}

// named reports whether a text has a function's name beside what looks like a
// call.
func named(text, name string) bool {
	return strings.Contains(norm(text), norm(name)) && strings.ContainsAny(text, "{(<[")
}

// calls compares the number of calls, and then those that correspond.
func (d *differ) calls(want, came []Call) {
	n, m := len(want), len(came)
	whole := Answer{Calls: want}.String()
	got := Answer{Calls: came}.String()
	about := func(known bool, kind string, applies applying) { d.add(known, Parser, kind, whole, got, applies) }
	switch {
	case m == 2*n && (alike(want, every(came, 2, 0)) && alike(want, every(came, 2, 1)) || alike(want, came[:n]) && alike(want, came[n:])):
		about(true, "every call arrives twice", anyCall)
		if came = every(came, 2, 0); !alike(want, came) {
			came = came[:n]
		}
	case m < n && joined(want, came):
		about(true, "several calls run together into one", several)
		return
	case m < n && m == 1 && alike(want[:1], came):
		about(true, "only the first of several calls arrives", several)
		want = want[:1]
	case m < n && alike(want[:m], came):
		about(true, "the last of several calls is lost", several)
		want = want[:m]
	case m < n && alike(want[n-m:], came):
		about(true, "the first of several calls is lost", several)
		want = want[n-m:]
	case m < n:
		about(false, fmt.Sprintf("%d of %d calls arrive", m, n), ofCalls(n))
		return
	case m > n:
		about(false, "more calls arrive than were made", anyCall)
		return
	case n > 1 && !alike(want, came) && permuted(want, came) != nil:
		about(true, "calls arrive in another order", several)
		came = permuted(want, came)
	}
	for i := range want {
		d.call(want[i], came[i])
	}
	emptied, kept := 0, 0
	for i := range want {
		if !want[i].empty() {
			emptied, kept = emptied+one(came[i].empty()), kept+one(!came[i].empty())
		}
	}
	if emptied > 0 && kept > 0 {
		d.rename("arguments arrive empty", "the arguments of some of several calls are lost")
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (d *differ) rename(from, to string) {
	for i := range d.found {
		if d.found[i].Kind == from {
			d.found[i].Kind, d.found[i].applies = to, several
		}
	}
}

func (c Call) empty() bool { return c.Args != nil && c.Args.Len() == 0 }

// every returns each n-th call.
func every(calls []Call, n, from int) (out []Call) {
	for i := from; i < len(calls); i += n {
		out = append(out, calls[i])
	}
	return out
}

// alike reports whether calls correspond in their order: names and arguments
// may be damaged, but each is nearer to its own than to another's place.
func alike(want, came []Call) bool {
	if len(want) != len(came) {
		return false
	}
	for i := range want {
		if !near(want[i], came[i]) {
			return false
		}
	}
	return true
}

// near reports whether one call may have become another: the names correspond,
// and no value is another call's.
func near(want, came Call) bool {
	if came.Name == "" && want.Name != "" {
		return false
	}
	if !strings.Contains(norm(came.Name), norm(want.Name)) && !strings.Contains(norm(want.Name), norm(came.Name)) {
		return false
	}
	if want.Args == nil || came.Args == nil || came.Args.Len() == 0 || want.Args.Len() == 0 {
		return true
	}
	a, b := norm(want.Raw), norm(came.Raw)
	return similar(a, b)
}

// similar reports whether two texts share most of their pairs of letters.
func similar(a, b string) bool {
	if a == b {
		return true
	}
	const half = 2
	pairs, common := map[string]int{}, 0
	for i := range len(a) - 1 {
		pairs[a[i:i+2]]++
	}
	for i := range len(b) - 1 {
		if pairs[b[i:i+2]] > 0 {
			pairs[b[i:i+2]]--
			common++
		}
	}
	return half*common > max(len(a), len(b))-1
}

// permuted returns the calls that came in the order of those that were wanted;
// nil if they are others.
func permuted(want, came []Call) []Call {
	var out []Call
	used := make([]bool, len(came))
	for _, w := range want {
		at := -1
		for i, c := range came {
			if !used[i] && c.same(w) {
				at = i
				break
			}
		}
		if at < 0 {
			return nil
		}
		used[at] = true
		out = append(out, came[at])
	}
	return out
}

// joined reports whether a call holds the names or arguments of several.
func joined(want, came []Call) bool {
	names, raws := "", ""
	for _, w := range want {
		names, raws = names+w.Name, raws+squeeze(w.Raw)
	}
	return slices.ContainsFunc(came, func(c Call) bool {
		return c.Name == names || len(c.Raw) > 0 && squeeze(c.Raw) == raws || strings.Count(c.Raw, "}{") > 0
	})
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

// call compares a call with the one that came.
func (d *differ) call(want, came Call) {
	if want.Name != came.Name {
		d.name(want.Name, came.Name)
	}
	args := came.Args
	if args == nil {
		args = d.unread(want, came.Raw)
	}
	switch {
	case args == nil || want.Args == nil:
	case args.Len() == 0 && want.Args.Len() > 0:
		d.add(true, Parser, "arguments arrive empty", want.Raw, came.Raw, func(a Answer) bool {
			return slices.ContainsFunc(a.Calls, func(c Call) bool { return !c.empty() })
		})
	default:
		d.object(want.Args, args, "parameters")
	}
}

// unread says how arguments that are no JSON object came, and returns them if
// they can be read nevertheless.
func (d *differ) unread(want Call, raw string) *pyval.Dict {
	add := func(kind string) { d.add(true, Parser, kind, want.Raw, raw, anyCall) }
	v, err := pyval.ParseJSON(raw)
	if text, ok := v.(pyval.Str); ok && err == nil {
		if inner, err := pyval.ParseJSON(string(text)); err == nil {
			add("arguments are encoded twice")
			args, _ := inner.(*pyval.Dict)
			return args
		}
	}
	tight, whole := squeeze(raw), squeeze(want.Raw)
	switch {
	case tight == "" || tight == "null":
		if want.Args.Len() > 0 {
			add("arguments are missing")
		} else {
			d.add(true, Parser, "calls without arguments arrive with none instead of {}", want.Raw, raw, func(a Answer) bool {
				return slices.ContainsFunc(a.Calls, Call.empty)
			})
		}
	case err == nil:
		add("arguments are no object")
	case len(tight) < len(whole) && strings.HasPrefix(whole, tight):
		add("the end of the arguments' JSON is lost")
	case strings.Contains(raw, "'") && !strings.Contains(raw, `":`):
		add("arguments are written as Python, not as JSON")
	case Mark(raw) != "" && Mark(want.Raw) == "":
		add("control tokens stay in the arguments: " + Mark(raw))
	default:
		add("arguments are no JSON")
	}
	return nil
}

var numbered = regexp.MustCompile(`^[:_.-]\d+$`)

// name compares a function's name with the one that came.
func (d *differ) name(want, came string) {
	known, kind, applies := true, "", anyCall
	switch {
	case came == "":
		kind = "names are missing"
	case strings.HasPrefix(came, want) && numbered.MatchString(came[len(want):]):
		kind = "the name is followed by its number"
	case strings.HasPrefix(came, want):
		kind = "the name is followed by " + quote(came[len(want):])
	case strings.HasSuffix(came, want):
		kind = "the name is preceded by " + quote(came[:len(came)-len(want)])
	case came == strings.ToLower(want), came == strings.ToUpper(want):
		kind = "names arrive in " + caseOf(want, came)
		applies = func(a Answer) bool {
			return slices.ContainsFunc(a.Calls, func(c Call) bool { return came == strings.ToLower(want) == (c.Name != strings.ToLower(c.Name)) })
		}
	case strings.HasPrefix(want, came):
		kind = fmt.Sprintf("names are cut after %d characters", len(came))
		applies = func(a Answer) bool {
			return slices.ContainsFunc(a.Calls, func(c Call) bool { return len(c.Name) > len(came) })
		}
	case norm(want) == norm(came):
		kind, known = "names are written in another way, as in "+quote(came), false
	default:
		kind, known = "another function's name arrives", false
	}
	d.add(known, Parser, kind, want, came, applies)
}

func caseOf(want, came string) string {
	if came == strings.ToLower(want) {
		return "small letters"
	}
	return "capitals"
}

func quote(text string) string { return "`" + say.Plain(text, 40) + "`" }
