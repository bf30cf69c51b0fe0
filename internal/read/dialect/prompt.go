package dialect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A preparation changes an answer into the form that the grammar reads; it may
// raise.
type preparation func(text string) string

func text(name, doc string, decode, execute preparation) *Dialect {
	return &Dialect{Name: name, Doc: doc, decode: decode.decode, execute: execute.execute}
}

// decode prepares a text and then parses it.
func (p preparation) decode(result pyval.Value, g Grammar) pyval.Value {
	return pyval.Must(g.Parse(p(str(result))))
}

func (p preparation) execute(result pyval.Value, g Grammar) []string {
	return plainTexts(p.decode(result, g))
}

// promptText makes a dialect of text that the current release reads: prepared,
// and with quotes, blanks and missing brackets forgiven.
func promptText(name, doc string, p preparation) *Dialect {
	return &Dialect{Name: name, Doc: doc, decode: p.forgiven().decode, execute: p.executeList}
}

// forgiven applies a preparation and then upstream's own.
func (p preparation) forgiven() preparation {
	return func(s string) string { return decode.Bracketed(p(s)) }
}

// executeList writes the calls of a text as the current release does.
func (p preparation) executeList(result pyval.Value, g Grammar) []string {
	return pyval.Must(decode.ExecutionList(p.forgiven().decode(result, g)))
}

var stripped preparation = decode.Bracketed

// phiFence removes a fence at the very beginning.
func phiFence(s string) string {
	return strings.TrimPrefix(strings.TrimPrefix(s, "```json"), "```python")
}

// phiDecode removes blanks before it looks for a fence; to execute calls,
// upstream does not remove them.
func phiDecode(result pyval.Value, g Grammar) pyval.Value {
	return stripped.decode(pyval.Str(phiFence(pyval.Strip(str(result)))), g)
}

// toolCallTag returns the text between Nemotron's marks; nothing without them.
func toolCallTag(s string) string {
	if found := between(s, "<TOOLCALL>", "</TOOLCALL>"); len(found) > 0 {
		return found[0]
	}
	return "[]"
}

// gorillaExecute fails, as upstream's does for every answer.
func gorillaExecute(pyval.Value, Grammar) []string {
	pyval.Check(&decode.Error{Class: "NotImplementedError", Msg: "Unsupported language: False"})
	return nil
}

func plain(s string) string { return s }

func space(s string) string {
	if s == "" {
		pyval.Check(errors.New("string index out of range"))
	}
	return decode.Brackets(strings.TrimPrefix(s, " "))
}

func joined(s string) string { return decode.Brackets(strings.ReplaceAll(s, "\n", "")) }

// unescaped undoes Markdown's escape of an underscore.
func unescaped(s string) string { return strings.ReplaceAll(s, `\_`, "_") }

func markdown(s string) string { return decode.Brackets(unescaped(s)) }

func wrapped(s string) string { return "[" + s + "]" }

var errNoGroup = errors.New("'NoneType' object has no attribute 'group'")

// bracketed returns the text from the first "[" to the last "]".
func bracketed(s string) string {
	from, to := strings.IndexByte(s, '['), strings.LastIndexByte(s, ']')
	if from < 0 || to < from {
		pyval.Check(errNoGroup)
	}
	return s[from : to+1]
}

// quoted removes the quotes around calls.
func quoted(s string) string {
	s = strings.ReplaceAll(s, "\n", "")
	if !strings.HasPrefix(s, "[") {
		s = "[ " + s
	}
	if !strings.HasSuffix(s, "]") {
		s += " ]"
	}
	if strings.HasPrefix(s, "['") {
		s = strings.NewReplacer("['", "[").Replace(s)
		s = strings.ReplaceAll(s, "', '", ", ")
		s = strings.ReplaceAll(s, "','", ", ")
	}
	if strings.HasSuffix(s, "']") {
		s = strings.ReplaceAll(s, "']", "]")
	}
	return s
}

var inBrackets = pattern.Of(`\[[^\]]*\]`)

// fenced returns the first list within the first pair of triple backquotes.
func fenced(s string) string {
	pieces := strings.SplitN(s, "```", 3)
	if len(pieces) < 2 {
		pyval.Check(errNoName)
	}
	found := inBrackets().FindString(pieces[1])
	if found == "" {
		pyval.Check(errNoGroup)
	}
	return found
}

var inQuotes = pattern.Of(`'([^']*)'`)

func dbrx(s string) string {
	s = decode.Brackets(strings.ReplaceAll(inQuotes().ReplaceAllString(s, "$1"), "\n    ", ""))
	if strings.HasPrefix(s, "['") {
		s = strings.ReplaceAll(s, "['", "[")
	}
	return s
}

// dbrxDecode tries the answer without its quotes, then as it is.
func dbrxDecode(result pyval.Value, g Grammar) pyval.Value {
	if calls, err := pyval.Try(func() pyval.Value { return preparation(dbrx).decode(result, g) }); err == nil {
		return calls
	}
	return preparation(plain).decode(result, g)
}

func dbrxExecute(result pyval.Value, g Grammar) []string {
	if calls, err := pyval.Try(func() []string { return preparation(dbrx).execute(result, g) }); err == nil {
		return calls
	}
	return preparation(plain).execute(result, g)
}

func raven(s string) string {
	return wrapped(strings.ReplaceAll(strings.TrimSuffix(s, ";"), ";", ","))
}

// ravenDecode recognizes the model's word for "no function fits".
func ravenDecode(result pyval.Value, g Grammar) pyval.Value {
	calls, err := pyval.Try(func() pyval.Value { return preparation(raven).decode(result, g) })
	if err != nil {
		pyval.Check(fmt.Errorf("raven: %w", err))
	}
	if strings.Contains(str(result), outOfDomain) {
		return pyval.Str("irrelevant")
	}
	return calls
}
