package dialect

import (
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// gemmaQuote is around texts; Gemma 4 has another one.
const gemmaQuote = "<escape>"

// gemmaCalls reads FunctionGemma's notation: call:name{key:value} between
// marks. What it cannot read is skipped.
func gemmaCalls(result pyval.Value) pyval.Value {
	out := &pyval.List{}
	for _, block := range between(str(result), "<start_function_call>", "<end_function_call>") {
		rest, ok := strings.CutPrefix(pyval.Strip(block), "call:")
		name, args, _ := strings.Cut(rest, "{")
		if !ok {
			continue
		}
		r := gemmaReader{args, 0, gemmaQuote}
		out.Items = append(out.Items, call(pyval.Str(pyval.Strip(name)), r.object(0)))
	}
	return out
}

// gemmaExecute writes a blank after each comma.
func gemmaExecute(result pyval.Value, _ Grammar) []string {
	return spacedTexts(each(gemmaCalls(result).(*pyval.List).Items, func(c pyval.Value) jsonCall {
		name, args := c.(*pyval.Dict).At(0)
		return jsonCall{name, args}
	}))
}

// A gemmaReader reads values; what it cannot read is a text.
type gemmaReader struct {
	text  string
	at    int
	quote string
}

// gemmaDepth bounds values within values.
const gemmaDepth = 200

// object reads key:value pairs up to the closing brace or the end. Anything
// else before it is skipped.
func (r *gemmaReader) object(depth int) pyval.Value {
	out := pyval.NewDict(4)
	for r.more('}') {
		switch r.text[r.at] {
		case ',', ':':
			r.at++
			continue
		case ']':
			r.at = len(r.text) // the end of the text
			continue
		case '{', '[':
			r.value(depth)
			continue
		}
		if strings.HasPrefix(r.text[r.at:], r.quote) {
			r.value(depth)
			continue
		}
		if key := r.bare(); r.at < len(r.text) && r.text[r.at] == ':' {
			if v := r.value(depth); v != nil {
				out.SetStr(pyval.Text(gemmaScalar(key)), v)
			}
		}
	}
	return out
}

// more skips white space and reports whether anything is left; at an end mark
// it skips the mark.
func (r *gemmaReader) more(end byte) bool {
	r.blanks()
	if r.at < len(r.text) && r.text[r.at] != end {
		return true
	}
	r.at++
	return false
}

// blanks skips white space.
func (r *gemmaReader) blanks() {
	r.at = len(r.text) - len(strings.TrimLeftFunc(r.text[min(r.at, len(r.text)):], pyval.IsSpace))
}

// value returns nil at the end of the text.
func (r *gemmaReader) value(depth int) pyval.Value {
	for ; r.at < len(r.text) && strings.IndexByte(":,", r.text[r.at]) >= 0; r.blanks() {
		r.at++
	}
	rest := r.text[r.at:]
	if rest == "" {
		return nil
	}
	if inner, ok := strings.CutPrefix(rest, r.quote); ok {
		text, _, closed := strings.Cut(inner, r.quote)
		if !closed {
			r.at = len(r.text)
			return pyval.Str(rest)
		}
		r.at += 2*len(r.quote) + len(text)
		return pyval.Str(text)
	}
	switch open := rest[0]; {
	case open != '{' && open != '[':
	case depth >= gemmaDepth:
		r.at = len(r.text)
		return pyval.None
	case open == '{':
		r.at++
		return r.object(depth + 1)
	default:
		r.at++
		out := &pyval.List{}
		for r.more(']') {
			switch r.text[r.at] {
			case ',', ':':
				r.at++
			case '}':
				r.at = len(r.text)
			default:
				out.Items = append(out.Items, r.value(depth+1))
			}
		}
		return out
	}
	return gemmaScalar(r.bare())
}

// bare returns the text up to a character or a mark that has a meaning.
func (r *gemmaReader) bare() string {
	rest := r.text[r.at:]
	n := strings.IndexAny(rest, ",:{}[]")
	if n < 0 {
		n = len(rest)
	}
	if q := strings.Index(rest[:n], r.quote); q >= 0 {
		n = q
	}
	r.at += n
	return pyval.Strip(rest[:n])
}

func gemmaScalar(text string) pyval.Value {
	switch text {
	case "true":
		return pyval.Bool(true)
	case "false":
		return pyval.Bool(false)
	case "null":
		return pyval.None
	}
	if n, err := pyval.IntFromText(text); err == nil {
		return n
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		if f, err := pyval.FloatFromText(text); err == nil {
			return f
		}
	}
	return pyval.Str(text)
}

// gemma4Quote is around texts and keys in Gemma 4's notation.
const gemma4Quote = `<|"|>`

// gemma4Arguments reads the object behind the function's name in Gemma 4's
// notation. Models also write texts as JSON or Python does, and "=" for ":".
func gemma4Arguments(text, name string, tools schemas) ([]jsonCall, int, error) {
	r := &gemma4{text: text}
	if !r.take("{") {
		return nil, 0, malformed("arguments in braces", 0)
	}
	args := r.object(0)
	if r.failed != "" {
		return nil, 0, malformed(r.failed, r.at)
	}
	return []jsonCall{{pyval.Str(name), tools.typed(name, args)}}, r.at, nil
}

// A gemma4 reads values. It stops where it cannot read.
type gemma4 struct {
	text   string
	at     int
	failed string // what it expected there
}

func (r *gemma4) fail(want string) {
	if r.failed == "" {
		r.failed = want
	}
}

func (r *gemma4) blanks() {
	r.at = len(r.text) - len(strings.TrimLeftFunc(r.text[r.at:], pyval.IsSpace))
}

func (r *gemma4) take(token string) bool {
	r.blanks()
	if !strings.HasPrefix(r.text[r.at:], token) {
		return false
	}
	r.at += len(token)
	return true
}

// object reads members up to the closing brace.
func (r *gemma4) object(depth int) *pyval.Dict {
	out := pyval.NewDict(4)
	r.members("}", func() {
		key, ok := r.quoted()
		if !ok {
			key = gemma4Key().FindString(r.text[r.at:])
			r.at += len(key)
		}
		switch {
		case !ok && key == "":
			r.fail("an argument's name")
		case out.Has(key):
			r.fail("each argument once")
		case !r.take(":") && !r.take("="):
			r.fail("a value behind the name")
		default:
			out.SetStr(key, r.value(depth))
		}
	})
	return out
}

// members reads what stands between commas, up to a closing mark.
func (r *gemma4) members(end string, member func()) {
	for r.failed == "" && !r.take(end) {
		member()
		if r.failed == "" && !r.take(",") {
			if r.blanks(); !strings.HasPrefix(r.text[r.at:], end) {
				r.fail(`"," or "` + end + `"`)
			}
		}
	}
}

var (
	gemma4Key = pattern.Of(`^[^\s,:={}\[\]"'<>]+`)
	// gemma4Bare is a number, a word or a text without marks.
	gemma4Bare = pattern.Of(`^[^,{}\[\]"'<][^,{}\[\]"<]*`)
	// gemma4Missing is where a comma is missing.
	gemma4Missing = pattern.Of(`\s[^\s:=/]+[:=]`)
)

func (r *gemma4) value(depth int) pyval.Value {
	if depth > gemmaDepth {
		r.fail("fewer values within values")
		return pyval.None
	}
	if text, ok := r.quoted(); ok {
		return pyval.Str(text)
	}
	switch {
	case r.take("{"):
		return r.object(depth + 1)
	case r.take("["):
		list := &pyval.List{}
		r.members("]", func() { list.Items = append(list.Items, r.value(depth+1)) })
		return list
	}
	said := gemma4Bare().FindString(r.text[r.at:])
	if strings.TrimSpace(said) == "" || gemma4Missing().MatchString(said) {
		r.fail("a value")
		return pyval.None
	}
	r.at += len(said)
	switch said = pyval.Strip(said); said {
	case "True", "False", "None":
		return map[string]pyval.Value{"True": pyval.Bool(true), "False": pyval.Bool(false), "None": pyval.None}[said]
	}
	return gemmaScalar(said)
}

// quoted reads a text between delimiters, or between quotes: it ends at a quote
// that something behind a text follows.
func (r *gemma4) quoted() (text string, ok bool) {
	r.blanks()
	rest := r.text[r.at:]
	if inner, opened := strings.CutPrefix(rest, gemma4Quote); opened {
		text, _, closed := strings.Cut(inner, gemma4Quote)
		if !closed {
			r.fail("the end of a text")
			return "", true
		}
		r.at += 2*len(gemma4Quote) + len(text)
		return text, true
	}
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", false
	}
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			i++
		case rest[i] == rest[0] && (i+1 == len(rest) || strings.ContainsAny(strings.TrimLeftFunc(rest[i+1:], pyval.IsSpace)[:1], ",:=}]")):
			r.at += i + 1
			return unquote(rest[:i+1]), true
		}
	}
	r.fail("the end of a text")
	return "", true
}

// unquote returns the text that JSON or Python writes like this, or the text
// between the quotes if they would not.
func unquote(text string) string {
	if v, err := decode.LoadJSON(text); err == nil {
		if s, ok := v.(pyval.Str); ok {
			return string(s)
		}
	}
	if v, err := pycall.Literal(text); err == nil {
		if s, ok := v.(pyval.Str); ok {
			return string(s)
		}
	}
	return text[1 : len(text)-1]
}
