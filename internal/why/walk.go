package why

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Difference is one thing that was done to an answer.
type Difference struct {
	// Kind says in words what was done, without the instance, so that the same
	// done to several answers adds up. It is safe to print.
	Kind  string
	Layer Layer
	// Known reports whether servers do such things and models do not, or rarely.
	Known bool
	// Want and Got are the place as it was and as it came, safe to print.
	Want, Got string

	of      subject
	has     traits
	changes func(s *site) bool
	details []detail
	bound   bool
}

// Tools are the documents of the functions that an answer may call, by name as
// models see it.
type Tools map[string]*pyval.Dict

// ToolsOf returns the documents by name.
func ToolsOf(lists ...[]*pyval.Dict) Tools {
	t := Tools{}
	for _, tools := range lists {
		for _, doc := range tools {
			name, _ := doc.Text("name")
			t[underscored(name)] = doc
		}
	}
	return t
}

// A walk goes through an expected answer and the one that came.
type walk struct {
	tools Tools
	want  Answer
	sites []site
	found []Difference
	at    position
}

// Differ returns how an answer that came differs from the one that was wanted;
// nothing if they are the same. Texts beside calls are not compared.
func Differ(want, came Answer, tools Tools) []Difference {
	w := &walk{tools: tools, want: want}
	switch n, m := len(want.Calls), len(came.Calls); {
	case n == 0 && m == 0:
		w.texts(want, came)
	case m == 0:
		w.lost(want, came)
	case n == 0:
		w.whole(Parser, edit{said: "calls arrive where none is wanted", changes: func(s *site) bool { return s.calls == 0 }}, want.Text, came.String())
	default:
		w.calls(want.Calls, came.Calls)
	}
	return w.found
}

// sitesOf returns the places of an expected answer: those that a walk through it
// and itself meets.
func sitesOf(want Answer, tools Tools) []site {
	w := &walk{tools: tools}
	w.site(theAnswer, want.Text, nil, len(want.Calls))
	if len(want.Calls) > 0 {
		w.calls(want.Calls, want.Calls)
	}
	for _, s := range w.sites[1:] { // an answer has what its places have
		w.sites[0].has |= s.has
	}
	return w.sites
}

func (w *walk) site(of subject, text string, v pyval.Value, calls int) {
	w.sites = append(w.sites, site{of, text, v, w.at.doc, calls, w.at.needed, traitsOf(&w.at, v, text)})
}

// add adds what was done to the site at which the walk is. The same done to
// several places of an answer is one difference, with the traits of all.
func (w *walk) add(of subject, layer Layer, kind string, e edit, has traits, want, came string) {
	for i := range w.found {
		if f := &w.found[i]; f.Kind == kind {
			f.has |= has
			f.details = append(f.details, e.details...)
			return
		}
	}
	const most = 160
	w.found = append(w.found, Difference{kind, layer, e.known, say.Plain(want, most), say.Plain(came, most), of, has, e.changes, e.details, e.bound})
}

func (w *walk) whole(layer Layer, e edit, want, came string) {
	w.add(theAnswer, layer, e.said, e, sitesOf(w.want, w.tools)[0].has, want, came)
}

var marks = pattern.Of(`</?(?:seed:|mm:)?think(?:ing)?>|\[/?THINK\]|<[|｜][^<>|｜]{0,40}[|｜]>|<\|"\|>|</?s>|<(?:end_of_turn|eos|start_of_turn)>|\[/?(?:INST|TOOL_CALLS|ARGS)\]|</?tool_calls?>|</?TOOLCALL>|<\|channel>|<channel\|>`)

// Mark returns the first control token in a text, "" if there is none.
func Mark(text string) string { return marks().FindString(text) }

func ofCalls(s *site) bool { return s.calls > 0 }
func several(s *site) bool { return s.calls > 1 }

// texts compares answers without calls.
func (w *walk) texts(want, came Answer) {
	if fold(want.Text) == fold(came.Text) {
		return
	}
	e, layer, text := edit{known: true, changes: func(s *site) bool { return s.calls == 0 }}, Parser, came.Text
	mark := Mark(came.Text)
	switch said, right := fold(came.Text), fold(want.Text); {
	case mark != "" && Mark(want.Text) == "" && strings.Contains(said, right):
		e.said, e.details = "control tokens stay in the text", []detail{{said: mark}}
		if strings.Contains(strings.ToLower(mark), "think") {
			e.said = "thoughts stay in the text"
		}
	case came.CutOff || said != "" && strings.HasPrefix(right, said):
		e, layer, text = ended("answers are cut", came), Limit, tail(text)
	case said == "" && strings.Contains(fold(came.Reasoning), right):
		e.said, text = "the answer arrives with the thoughts", came.Reasoning
	case said == "":
		e.said, text = "the text is lost", ""
	case strings.Contains(said, right) && len(want.Text) < 100: // more words are a manner
		return
	default:
		e.said, e.known, layer = "another text arrives", false, Template
	}
	w.whole(layer, e, want.Text, text)
}

// ended is an answer that was cut: at its count of tokens.
func ended(said string, came Answer) edit {
	e := edit{said: said, known: true}
	if came.Tokens > 0 {
		e.details = []detail{{said: fmt.Sprintf("at %d tokens", came.Tokens)}, {said: fmt.Sprintf("at %d tokens with their prompts", came.Tokens+came.Prompt)}}
	}
	return e
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

// NoFunctions is what is said where the template leaves the functions out.
const NoFunctions = "the model says that it has no functions"

var unseen = pattern.Of(`(?i)(?:\bno|n['’]t have|\bnot have|\bcannot|\black)\s+(?:\w+\s+)?access to\b.{0,40}\b(?:tools?|functions?)\b`)

// lost says where calls went that did not arrive.
func (w *walk) lost(want, came Answer) {
	e, name := edit{known: true, changes: ofCalls}, want.Calls[0].Name
	layer, text := Parser, came.Text
	switch {
	case came.Later:
		e.said, layer = LaterChoice, Gateway
	case came.CutOff:
		e = ended("answers are cut before their calls", came)
		e.changes, layer, text = ofCalls, Limit, tail(text)
	case named(text, name):
		e.said = "calls stay in the text"
	case named(came.Reasoning, name):
		e.said, text = "calls arrive in the reasoning", came.Reasoning
	case strings.TrimSpace(text) == "":
		e.said, text = "calls are lost, and nothing arrives in their place", ""
	case unseen().MatchString(text):
		e.said, layer = NoFunctions, Template
	default: // which models write, too
		e.said, e.known, layer = "a text arrives in place of calls", false, Template
	}
	w.whole(layer, e, want.String(), text)
}

// named reports whether a text has a function's name beside what looks like a
// call.
func named(text, name string) bool {
	return strings.Contains(norm(text), norm(name)) && strings.ContainsAny(text, "{(<[")
}

// calls compares the number of calls, and then those that correspond.
func (w *walk) calls(want, came []Call) {
	n, m := len(want), len(came)
	w.at = position{calls: n}
	var all Call // whose name and arguments are those of all
	for _, c := range want {
		all.Name, all.Raw = all.Name+c.Name, all.Raw+squeeze(c.Raw)
	}
	said := func(known bool, kind string, changes func(*site) bool) {
		w.whole(Parser, edit{said: kind, known: known, changes: changes}, Answer{Calls: want}.String(), Answer{Calls: came}.String())
	}
	switch {
	case m == 2*n && (alike(want, every(came, 2, 0)) && alike(want, every(came, 2, 1)) || alike(want, came[:n]) && alike(want, came[n:])):
		said(true, "every call arrives twice", ofCalls)
		if twice := every(came, 2, 0); alike(want, twice) {
			came = twice
		}
	case m < n && slices.ContainsFunc(came, joined) || m < n && slices.ContainsFunc(came, func(c Call) bool { return c.Name == all.Name || all.Raw != "" && all.Raw == squeeze(c.Raw) }):
		said(true, "several calls run together into one", several)
		return
	case m < n && m == 1 && alike(want[:1], came):
		said(true, "only the first of several calls arrives", several)
		want = want[:1]
	case m < n && alike(want[:m], came):
		said(true, "the last of several calls is lost", several)
		want = want[:m]
	case m < n && alike(want[n-m:], came):
		said(true, "the first of several calls is lost", several)
		want = want[n-m:]
	case m < n:
		said(false, "fewer calls arrive than are wanted", several)
		return
	case m > n:
		said(false, "more calls arrive than are wanted", ofCalls)
		return
	case n > 1 && !slices.EqualFunc(want[1:], want[:n-1], Call.same) && slices.ContainsFunc(want, func(c Call) bool {
		return !slices.ContainsFunc(came, func(o Call) bool {
			return o.Raw != came[0].Raw || c.Args == nil || o.Args == nil || !Same(c.Args, o.Args)
		})
	}):
		said(true, "several calls have the arguments of one", several)
		return
	case n > 1 && !alike(want, came) && permuted(want, came) != nil:
		said(true, "calls arrive in another order", several)
		came = permuted(want, came)
	}
	for i := range want {
		w.at = position{call: i, calls: n}
		w.call(want[i], came[i])
	}
}

// joined reports whether a call's arguments are several objects, one behind the
// other.
func joined(c Call) bool {
	return c.Args == nil && strings.Contains(squeeze(c.Raw), "}{")
}

// every returns each n-th call.
func every(calls []Call, n, from int) (out []Call) {
	for i := from; i < len(calls); i += n {
		out = append(out, calls[i])
	}
	return out
}

// alike reports whether calls correspond in their order: names and arguments
// may be damaged, but each is nearer to its own than to another's place.
func alike(want, came []Call) bool { return slices.EqualFunc(want, came, near) }

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
	const half = 2 // of the pairs of letters are shared
	a, b := norm(want.Raw), norm(came.Raw)
	return a == b || half*common(a, b) > max(len(a), len(b))-1
}

// common counts the pairs of letters that two texts share.
func common(a, b string) (n int) {
	pairs := map[string]int{}
	for i := range len(a) - 1 {
		pairs[a[i:i+2]]++
	}
	for i := range len(b) - 1 {
		if pairs[b[i:i+2]] > 0 {
			pairs[b[i:i+2]]--
			n++
		}
	}
	return n
}

// permuted returns the calls that came in the order of those that were wanted;
// nil if they are others.
func permuted(want, came []Call) []Call {
	var out []Call
	left := slices.Clone(came)
	for _, c := range want {
		at := slices.IndexFunc(left, c.same)
		if at < 0 {
			return nil
		}
		out, left = append(out, left[at]), slices.Delete(left, at, at+1)
	}
	return out
}

// call compares a call with the one that came.
func (w *walk) call(want, came Call) {
	w.site(aName, want.Name, nil, 0)
	w.renamed(aName, "functions' names", want.Name, came.Name)
	doc := w.tools[underscored(want.Name)].Child("parameters")
	args := came.Args
	w.site(theArguments, want.Raw, nil, one(want.Args != nil && want.Args.Len() > 0))
	filled := func(s *site) bool { return s.calls > 0 }
	has := traitsOf(&w.at, nil, want.Raw)
	if args == nil && want.Args != nil {
		if e := w.unread(want, came.Raw); e.said != "" {
			w.add(theArguments, Parser, "arguments "+e.said, e, has, want.Raw, came.Raw)
		}
		args, _ = again(came.Raw).(*pyval.Dict)
	}
	switch {
	case args == nil || want.Args == nil:
	case args.Len() == 0 && want.Args.Len() > 0:
		w.add(theArguments, Parser, "arguments arrive empty", edit{known: true, changes: filled}, has, want.Raw, came.Raw)
		w.at.doc = doc
		w.object(want.Args, args)
	default:
		if key, inner := wrapped(want.Args, args); inner != nil {
			w.add(theArguments, Parser, "arguments arrive within an object", edit{known: true, changes: filled, details: []detail{{said: "under " + quote(key)}}}, has, want.Raw, came.Raw)
			args = inner
		}
		w.at.doc = doc
		w.object(want.Args, args)
	}
}

// wrapped returns the object within arguments that has more of the wanted keys
// than they have, and its key; nil if there is none.
func wrapped(want, came *pyval.Dict) (key string, inner *pyval.Dict) {
	own := func(d *pyval.Dict) (n int) {
		for k := range want.All() {
			n += one(d.Has(pyval.Text(k)))
		}
		return n
	}
	for k, v := range came.All() {
		if text, ok := v.(pyval.Str); ok {
			v, _ = pyval.ParseJSON(string(text))
		}
		if d, ok := v.(*pyval.Dict); ok && own(d) > own(came) {
			return pyval.Text(k), d
		}
	}
	return "", nil
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// again reads JSON within a JSON text; nil if there is none.
func again(raw string) pyval.Value {
	v, err := pyval.ParseJSON(raw)
	if text, ok := v.(pyval.Str); ok && err == nil {
		if inner, err := pyval.ParseJSON(string(text)); err == nil {
			return inner
		}
	}
	return nil
}

// unread says how arguments that are no JSON object came.
func (w *walk) unread(want Call, raw string) edit {
	e := edit{known: true, changes: func(s *site) bool { return s.calls > 0 }}
	_, err := pyval.ParseJSON(raw)
	var v any
	ends := json.NewDecoder(strings.NewReader(raw)).Decode(&v) // fails so where only the end of an object is missing
	switch tight, whole := squeeze(raw), squeeze(want.Raw); {
	case again(raw) != nil:
		return edit{said: "are encoded twice", known: true}
	case tight == "" || tight == "null":
		if e.said = "are missing"; want.Args.Len() == 0 {
			return edit{said: "that are empty arrive with nothing instead of {}", known: true, changes: func(s *site) bool { return s.calls == 0 }}
		}
	case err == nil:
		e.said = "are no object"
	case strings.Contains(tight, "}{"):
		e.said = "hold several objects, one behind the other"
	case len(tight) < len(whole) && strings.HasPrefix(whole, tight) || errors.Is(ends, io.ErrUnexpectedEOF) && strings.HasPrefix(strings.TrimSpace(raw), "{"):
		e.said, e.details = "lose the end of their JSON", []detail{{fmt.Sprintf("after %d characters", len(raw)), func(s *site) bool { return len(s.text) > len(raw) }}}
	case strings.Contains(raw, "'") && !strings.Contains(raw, `":`):
		e.said = "are written as Python, not as JSON"
	case Mark(raw) != "" && Mark(want.Raw) == "":
		e.said, e.details = "hold control tokens", []detail{{said: Mark(raw)}}
	default:
		e.said = "are no JSON"
	}
	return e
}

// renamed compares a name, or a key, with the one that came.
func (w *walk) renamed(of subject, whose, want, came string) {
	if want == came {
		return
	}
	e := textEdit(want, came)
	e.known = e.known && came != ""
	if came == "" {
		e = edit{said: "are missing", known: true}
	}
	w.add(of, Parser, whose+" "+e.said, e, traitsOf(&w.at, nil, want), want, came)
}

// object compares the keys and values of arguments, or of an object in them.
func (w *walk) object(want, came *pyval.Dict) {
	up := w.at
	defer func() { w.at = up }()
	rest := map[string]pyval.Value{}
	for k, v := range came.All() {
		if !want.Has(pyval.Text(k)) {
			rest[pyval.Text(k)] = v
		}
	}
	n := 0
	for k, v := range want.All() {
		key := pyval.Text(k)
		w.at = within(up, key)
		w.at.first, w.at.last = n == 0, n == want.Len()-1
		n++
		w.site(aKey, key, nil, 0)
		if came, ok := came.GetStr(key); ok {
			w.value(v, came)
			continue
		}
		other, ok := moved(key, v, rest)
		if !ok {
			w.site(aValue, textOf(v), v, 0)
			e, kind := edit{}, "parameters are lost"
			if w.at.needed { // which models seldom leave out
				kind, e.known, e.changes = "required parameters are lost", true, func(s *site) bool { return s.needed }
			}
			w.add(aValue, Parser, kind, e, traitsOf(&w.at, v, textOf(v)), compact(pyval.Object(key, v)), compact(came))
			continue
		}
		w.renamed(aKey, "parameters' names", key, other)
		w.value(v, rest[other])
		delete(rest, other)
	}
	w.at = up
	w.more(want, rest)
}

func within(up position, key string) position {
	p := position{call: up.call, calls: up.calls, key: key, depth: up.depth}
	if up.doc != nil {
		p.doc = up.doc.Child("properties").Child(key)
		p.needed = slices.Contains(required(up.doc), key)
	}
	return p
}

func textOf(v pyval.Value) string {
	s, _ := v.(pyval.Str)
	return string(s)
}

// moved returns the key among others under which a value most likely arrived: the
// name is like its own, or the value is the same and there is one alone.
func moved(key string, v pyval.Value, others map[string]pyval.Value) (string, bool) {
	same, found := "", 0
	for other, w := range others {
		if e := textEdit(key, other); e.known && other != "" {
			return other, true
		}
		if Same(v, w) {
			same, found = other, found+1
		}
	}
	return same, found == 1
}

// more looks at the parameters that were left out, and at those that arrive
// beside the wanted ones.
func (w *walk) more(want *pyval.Dict, rest map[string]pyval.Value) {
	up := w.at
	defer func() { w.at = up }()
	add := func(kind, key string, e edit) {
		w.add(leftOut, Parser, kind, e, traitsOf(&w.at, nil, ""), compact(want), compact(pyval.Object(key, rest[key])))
	}
	if up.doc != nil {
		for k := range up.doc.Child("properties").All() {
			key := pyval.Text(k)
			if want.Has(key) {
				continue
			}
			w.at = within(up, key)
			w.site(leftOut, "", nil, 0)
			v, came := rest[key]
			standard := standardOf(w.at.doc)
			switch {
			case !came:
			case v == pyval.None:
				add("parameters that are left out arrive as null", key, edit{known: true})
			case standard != nil && Same(standard, v):
				add("parameters that are left out arrive with their default", key, edit{known: true, changes: func(s *site) bool { return standardOf(s.doc) != nil }})
			default:
				add("parameters arrive that were not given", key, edit{})
			}
			delete(rest, key)
		}
	}
	w.at = up
	for key, v := range rest {
		at := position{call: up.call, calls: up.calls, depth: up.depth}
		w.add(theArguments, Parser, "parameters arrive that no document has", edit{}, traitsOf(&at, nil, ""), compact(want), compact(pyval.Object(key, v)))
	}
}

// value compares a value with the one that came.
func (w *walk) value(want, came pyval.Value) {
	w.site(aValue, textOf(want), want, 0)
	has := traitsOf(&w.at, want, textOf(want))
	add := func(kind string, e edit) { w.add(aValue, Parser, kind, e, has, compact(want), compact(came)) }
	if a, ok := want.(*pyval.Dict); ok {
		if b, ok := came.(*pyval.Dict); ok && (b.Len() > 0 || a.Len() == 0) {
			up := w.at
			w.at.depth, w.at.list = up.depth+1, false
			w.object(a, b)
			w.at = up
			return
		}
	}
	if a, ok := want.(*pyval.List); ok {
		if b, ok := came.(*pyval.List); ok && (len(b.Items) > 0 || len(a.Items) == 0) {
			w.list(a.Items, b.Items, add)
			return
		}
	}
	if Same(want, came) {
		return
	}
	kind, e := "values ", edit{}
	if isType(want, "str") && isType(came, "str") {
		kind, e = "texts ", textEdit(textOf(want), textOf(came))
		own := e.changes
		e.changes = func(s *site) bool { return isType(s.value, "str") && (own == nil || own(s)) }
	} else {
		e = valueEdit(want, came)
	}
	for _, other := range []struct {
		said string
		of   func(doc *pyval.Dict) pyval.Value
	}{{"arrive as the first of those that the document lists", listed}, {"arrive as their default", standardOf}} {
		if v := other.of(w.at.doc); !e.known && v != nil && Same(v, came) {
			kind, e = "values ", edit{said: other.said, known: true, changes: func(s *site) bool {
				v := other.of(s.doc)
				return v != nil && !Same(v, s.value)
			}}
		}
	}
	add(kind+e.said, e)
}

// standardOf returns the default in a document; nil for none.
func standardOf(doc *pyval.Dict) pyval.Value {
	if doc == nil {
		return nil
	}
	v, _ := doc.GetStr("default")
	if v == pyval.None {
		return nil
	}
	return v
}

// listed returns the first of the values that a document lists; nil if it lists
// none.
func listed(doc *pyval.Dict) pyval.Value {
	if doc != nil {
		if values := doc.List("enum"); len(values) > 1 {
			return values[0]
		}
	}
	return nil
}

func (w *walk) list(want, came []pyval.Value, add func(kind string, e edit)) {
	up := w.at
	w.at.depth, w.at.list = up.depth+1, true
	if up.doc != nil {
		w.at.doc = up.doc.Child("items")
	}
	for i := range min(len(want), len(came)) {
		w.value(want[i], came[i])
	}
	if w.at = up; len(came) != len(want) {
		add("lists arrive with more or fewer items", edit{known: len(came) < len(want), changes: ofType("list")})
	}
}
