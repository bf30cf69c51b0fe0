package dialect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A preparation changes an answer into the form that the grammar reads.
type preparation func(text string) (string, error)

// A prompted dialect prepares a text and then parses it.
type prompted struct{ prepare preparation }

func textOf(p preparation) prompted { return prompted{p} }

func text(name, doc string, decode, execute preparation) *Dialect {
	return &Dialect{Name: name, Doc: doc, Decode: textOf(decode).decode, Execute: textOf(execute).execute}
}

func (p prompted) decode(result pyval.Value, g Grammar) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	if s, err = p.prepare(s); err != nil {
		return nil, err
	}
	return g.Parse(s)
}

func (p prompted) execute(result pyval.Value, g Grammar) ([]string, error) {
	calls, err := p.decode(result, g)
	if err != nil {
		return nil, err
	}
	return plainTexts(calls)
}

// promptText makes a dialect of text that the current release reads: prepared,
// and with quotes, blanks and missing brackets forgiven.
func promptText(name, doc string, p preparation) *Dialect {
	return &Dialect{Name: name, Doc: doc, Decode: textOf(forgiven(p)).decode, Execute: promptExecute(p)}
}

// forgiven applies a preparation and then upstream's own.
func forgiven(p preparation) preparation {
	return func(s string) (string, error) {
		s, err := p(s)
		if err != nil {
			return "", err
		}
		return stripped(s)
	}
}

func stripped(s string) (string, error) { return decode.Bracketed(s), nil }

// promptExecute writes the calls of a text as the current release does.
func promptExecute(p preparation) func(pyval.Value, Grammar) ([]string, error) {
	return func(result pyval.Value, g Grammar) ([]string, error) {
		calls, err := textOf(forgiven(p)).decode(result, g)
		if err != nil {
			return nil, err
		}
		return decode.ExecutionList(calls)
	}
}

// phiFence removes a fence at the very beginning.
func phiFence(s string) (string, error) {
	for _, mark := range []string{"```json", "```python"} {
		s = strings.TrimPrefix(s, mark)
	}
	return s, nil
}

// phiDecode removes blanks before it looks for a fence; to execute calls,
// upstream does not remove them.
func phiDecode(result pyval.Value, g Grammar) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	s, _ = phiFence(pyval.Strip(s))
	return textOf(stripped).decode(pyval.Str(s), g)
}

// toolCallTag returns the text between Nemotron's marks; nothing without them.
func toolCallTag(s string) (string, error) {
	if found := between(s, "<TOOLCALL>", "</TOOLCALL>"); len(found) > 0 {
		return found[0], nil
	}
	return "[]", nil
}

// gorillaExecute fails, as upstream's does for every answer.
func gorillaExecute(pyval.Value, Grammar) ([]string, error) {
	return nil, &decode.Error{Class: "NotImplementedError", Msg: "Unsupported language: False"}
}

func plain(s string) (string, error) { return s, nil }

func brackets(s string) (string, error) {
	if !strings.HasPrefix(s, "[") {
		s = "[" + s
	}
	if !strings.HasSuffix(s, "]") {
		s += "]"
	}
	return s, nil
}

func space(s string) (string, error) {
	if s == "" {
		return "", errors.New("string index out of range")
	}
	return brackets(strings.TrimPrefix(s, " "))
}

func joined(s string) (string, error) { return brackets(strings.ReplaceAll(s, "\n", "")) }

// unescaped undoes Markdown's escape of an underscore.
func unescaped(s string) (string, error) { return strings.ReplaceAll(s, `\_`, "_"), nil }

func markdown(s string) (string, error) {
	s, _ = unescaped(s)
	return brackets(s)
}

func wrapped(s string) (string, error) { return "[" + s + "]", nil }

// bracketed returns the text from the first "[" to the last "]".
func bracketed(s string) (string, error) {
	from, to := strings.IndexByte(s, '['), strings.LastIndexByte(s, ']')
	if from < 0 || to < from {
		return "", errors.New("'NoneType' object has no attribute 'group'")
	}
	return s[from : to+1], nil
}

// quoted removes the quotes around calls.
func quoted(s string) (string, error) {
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
	return s, nil
}

var inBrackets = pattern.Of(`\[[^\]]*\]`)

// fenced returns the first list within the first pair of triple backquotes.
func fenced(s string) (string, error) {
	pieces := strings.SplitN(s, "```", 3)
	if len(pieces) < 2 {
		return "", errNoName
	}
	found := inBrackets().FindString(pieces[1])
	if found == "" {
		return "", errors.New("'NoneType' object has no attribute 'group'")
	}
	return found, nil
}

var inQuotes = pattern.Of(`'([^']*)'`)

func dbrx(s string) (string, error) {
	s = strings.ReplaceAll(inQuotes().ReplaceAllString(s, "$1"), "\n    ", "")
	s, _ = brackets(s)
	if strings.HasPrefix(s, "['") {
		s = strings.ReplaceAll(s, "['", "[")
	}
	return s, nil
}

// dbrxDecode tries the answer without its quotes, then as it is.
func dbrxDecode(result pyval.Value, g Grammar) (pyval.Value, error) {
	if calls, err := textOf(dbrx).decode(result, g); err == nil {
		return calls, nil
	}
	return textOf(plain).decode(result, g)
}

func dbrxExecute(result pyval.Value, g Grammar) ([]string, error) {
	if calls, err := textOf(dbrx).execute(result, g); err == nil {
		return calls, nil
	}
	return textOf(plain).execute(result, g)
}

func raven(s string) (string, error) {
	return wrapped(strings.ReplaceAll(strings.TrimSuffix(s, ";"), ";", ","))
}

// ravenDecode recognizes the model's word for "no function fits".
func ravenDecode(result pyval.Value, g Grammar) (pyval.Value, error) {
	calls, err := textOf(raven).decode(result, g)
	if err != nil {
		return nil, fmt.Errorf("raven: %w", err)
	}
	if s, _ := str(result); strings.Contains(s, outOfDomain) {
		return pyval.Str("irrelevant"), nil
	}
	return calls, nil
}
