package dialect

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// The functions by whose call a model says that it calls none.
const (
	directlyAnswer = "directly_answer" // Command's
	outOfDomain    = "out_of_domain"   // Raven's
)

var declined = []string{"[]", graniteNone, graniteText, directlyAnswer, outOfDomain}

// Holds reports whether an answer from which no call was read holds one all the
// same: a list of tool calls that could not be read, the marks of any dialect,
// whatever stands between them, or a text that begins or ends with what a
// dialect reads as a call. An example within an explanation is none.
func Holds(answer pyval.Value, tools []*pyval.Dict) bool {
	switch answer := answer.(type) {
	case pyval.Str:
		return holds(string(answer), tools)
	case *pyval.List:
		return slices.ContainsFunc(answer.Items, func(item pyval.Value) bool {
			part, isText := item.(pyval.Str)
			return !isText || holds(string(part), tools)
		})
	}
	return false
}

var fence = pattern.Of("(?s)```[a-z]*\\n(.*?)```")

func holds(text string, tools []*pyval.Dict) bool {
	if found, empty := marks(text, tools); found || empty {
		return found
	}
	opens, end := decode.Opens(text), strings.TrimRight(text, "` \r\n")
	if !opens && strings.TrimRight(end, "}])") == end {
		return false
	}
	if reads(text, tools, opens) {
		return true
	}
	blocks := fence().FindAllStringSubmatch(text, -1)
	return len(blocks) > 0 && (reads(blocks[0][1], tools, false) || reads(blocks[len(blocks)-1][1], tools, false))
}

// marked are characters that each mark has, and few words.
const marked = "<[="

// marks reports whether a text has the marks of a dialect around calls, or
// around something that should be one, or has them around an empty list.
func marks(text string, tools []*pyval.Dict) (found, empty bool) {
	if !strings.ContainsAny(text, marked) {
		return false, false
	}
	broken := false
	for _, w := range wires {
		_, rest := w.split(text)
		mark := w.head().FindString(rest)
		if mark == "" && w.open != nil {
			mark = w.open().FindString(rest)
		}
		if w.loose || !strings.ContainsAny(mark, marked) { // words may stand in any text
			continue
		}
		calls, _, err := w.calls(text, len(text)-len(rest), schemasOf(tools))
		found = found || slices.ContainsFunc(calls, func(c jsonCall) bool { return !slices.Contains(declined, pyval.Text(c.name)) })
		broken, empty = broken || err != nil, empty || err == nil
	}
	return found || broken && !empty, empty
}

// reads reports whether a dialect reads a call in a text, or the text begins one
// that is broken. opens says that the text begins as a call.
func reads(text string, tools []*pyval.Dict, opens bool) bool {
	g, found := V4(decode.Python), false
	g.Tools = tools
	for _, d := range all {
		for _, c := range d.calls(pyval.Str(text), g) {
			name, args := c.(*pyval.Dict).At(0) // IsEmpty has checked it
			if isDocument(args.(*pyval.Dict), tools) {
				return false
			}
			found = found || isCall(pyval.Text(name), args.(*pyval.Dict), text, tools, opens)
		}
	}
	return found || decode.Begins(namesOf(tools), text)
}

// isCall reports whether a name and arguments in a text are a call: of one of
// the tools or, if the text begins as a call, of anything.
func isCall(name string, args *pyval.Dict, text string, tools []*pyval.Dict, opens bool) bool {
	known := slices.ContainsFunc(namesOf(tools), func(tool string) bool { return undotted(tool) == undotted(name) })
	switch some := args.Len() > 0; {
	case known:
		return opens || some
	case name == "" || slices.Contains(declined, name):
		return false
	default:
		return opens && (some || strings.Contains(text, name+"("))
	}
}

// isDocument reports whether arguments are a function's document, repeated.
func isDocument(args *pyval.Dict, tools []*pyval.Dict) bool {
	_, ok := args.GetStr("properties")
	return ok && !slices.ContainsFunc(tools, func(tool *pyval.Dict) bool {
		parameters := tool.Child("parameters")
		return parameters != nil && parameters.Child("properties") != nil && parameters.Child("properties").Child("properties") != nil
	})
}

func namesOf(tools []*pyval.Dict) []string {
	out := make([]string, len(tools))
	for i, tool := range tools {
		out[i], _ = tool.Text("name")
	}
	return out
}
