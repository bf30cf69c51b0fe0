package why

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Layer is a part of the way from a question to its answer.
type Layer string

// The layers. Parser stands for the gateway behind it, too, unless a raw
// completion tells them apart.
const (
	Parser   Layer = "parser"
	Template Layer = "template"
	Gateway  Layer = "gateway"
	Stream   Layer = "stream"
	Limit    Layer = "limit"
	Sampling Layer = "sampling"
	Weights  Layer = "weights"
)

// Words returns the layer for people.
func (l Layer) Words() string {
	switch l {
	case Parser:
		return "tool parser or gateway"
	case Limit:
		return "limit of tokens"
	case Template:
		return "chat template"
	}
	return string(l)
}

// A Call is a call as it came.
type Call struct {
	Name string
	// Args are the arguments; nil if Raw is no JSON object.
	Args *pyval.Dict
	// Raw are the arguments as a text.
	Raw string
}

// An Answer is an answer as it came.
type Answer struct {
	Calls           []Call
	Text, Reasoning string
	// CutOff reports whether the limit of tokens ended the answer, and Tokens how
	// many it has beside its Prompt; 0 if that is not known.
	CutOff         bool
	Tokens, Prompt int
	// Later reports whether its calls were in a choice after the first.
	Later bool
}

// Read returns the answer in a result as result files have it: a list of
// {name: arguments}, or a text.
func Read(result pyval.Value) (a Answer) {
	list, _ := result.(*pyval.List)
	if list == nil {
		text, _ := result.(pyval.Str)
		a.Text = string(text)
		return a
	}
	for _, item := range list.Items {
		if d, ok := item.(*pyval.Dict); ok && d.Len() == 1 {
			name, args := d.At(0)
			a.Calls = append(a.Calls, newCall(pyval.Text(name), args))
		}
	}
	return a
}

// With sets what a response says beside its calls and text.
func (a *Answer) With(r *eval.Response) {
	a.CutOff, a.Tokens, a.Prompt, a.Later = r.CutOff, r.OutputTokens, r.InputTokens, r.Finish == eval.LaterChoice
}

func newCall(name string, args pyval.Value) Call {
	c := Call{Name: name}
	switch args := args.(type) {
	case *pyval.Dict:
		c.Args, c.Raw = args, compact(args)
	case pyval.Str:
		c.Raw = string(args)
		if v, err := pyval.ParseJSON(c.Raw); err == nil {
			c.Args, _ = v.(*pyval.Dict)
		}
	}
	return c
}

// compact returns a value as JSON.
func compact(v pyval.Value) string {
	text, err := pyval.JSON(v, pyval.JSONUnicode)
	if err != nil {
		return pyval.Repr(v)
	}
	return text
}

// String returns the answer on one line.
func (a Answer) String() string {
	parts := make([]string, 0, len(a.Calls)+1)
	for _, c := range a.Calls {
		parts = append(parts, c.Name+" "+c.Raw)
	}
	if a.Text != "" {
		parts = append(parts, a.Text)
	}
	return strings.Join(parts, "; ")
}

// Same reports whether two values are equal in type and value; 5 is not 5.0.
func Same(a, b pyval.Value) bool {
	switch a := a.(type) {
	case *pyval.Dict:
		b, ok := b.(*pyval.Dict)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for k, v := range a.All() {
			if w, ok := b.Get(k); !ok || !Same(v, w) {
				return false
			}
		}
		return true
	case *pyval.List:
		b, ok := b.(*pyval.List)
		if !ok || len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !Same(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	}
	return pyval.TypeName(a) == pyval.TypeName(b) && pyval.Equal(a, b)
}

// Equal reports whether the same calls came in the same order or, without calls,
// the same text.
func (a Answer) Equal(b Answer) bool {
	if len(a.Calls)+len(b.Calls) == 0 {
		return a.Text == b.Text
	}
	return slices.EqualFunc(a.Calls, b.Calls, Call.same)
}

func (c Call) same(o Call) bool {
	return c.Name == o.Name && (c.Args != nil && o.Args != nil && Same(c.Args, o.Args) || c.Raw == o.Raw)
}
