package dialect

import (
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// gemmaQuote is around texts; Gemma 4 has another one.
const gemmaQuote = "<escape>"

// gemmaCalls reads FunctionGemma's notation: call:name{key:value} between
// marks. What it cannot read is skipped.
func gemmaCalls(result pyval.Value) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	out := &pyval.List{}
	for _, block := range between(s, "<start_function_call>", "<end_function_call>") {
		rest, ok := strings.CutPrefix(pyval.Strip(block), "call:")
		name, args, _ := strings.Cut(rest, "{")
		if !ok {
			continue
		}
		r := gemmaReader{args, 0, gemmaQuote}
		d, err := call(pyval.Str(pyval.Strip(name)), r.object(0))
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, d)
	}
	return out, nil
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

// list reads values up to the closing bracket or the end.
func (r *gemmaReader) list(depth int) pyval.Value {
	out := &pyval.List{}
	for r.more(']') {
		switch r.text[r.at] {
		case ',', ':':
			r.at++
		case '}':
			r.at = len(r.text) // the end of the text
		default:
			out.Items = append(out.Items, r.value(depth))
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
		return r.list(depth + 1)
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
