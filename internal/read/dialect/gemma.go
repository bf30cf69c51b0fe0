package dialect

import (
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

const gemmaQuote = "<escape>"

// gemmaCalls reads FunctionGemma's notation: call:name{key:value} between
// marks. What it cannot read it passes over.
func gemmaCalls(result pyval.Value) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	out := &pyval.List{}
	for _, block := range between(s, "<start_function_call>", "<end_function_call>") {
		rest, ok := strings.CutPrefix(pyval.Strip(block), "call:")
		name, args, opened := strings.Cut(rest, "{")
		if !ok || !opened {
			continue
		}
		r := gemmaReader{args, 0}
		d, err := call(pyval.Str(pyval.Strip(name)), r.object(0))
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, d)
	}
	return out, nil
}

// A gemmaReader reads values; it takes what it cannot read for text.
type gemmaReader struct {
	text string
	at   int
}

// gemmaDepth bounds values within values.
const gemmaDepth = 200

// object reads key:value pairs to the closing brace or the end.
func (r *gemmaReader) object(depth int) pyval.Value {
	out := pyval.NewDict(4)
	for r.at < len(r.text) && r.text[r.at] != '}' {
		key := r.until(":,}")
		if r.at >= len(r.text) || r.text[r.at] != ':' {
			break
		}
		r.at++
		out.SetStr(pyval.Strip(key), r.value(depth))
		if !r.comma() {
			break
		}
	}
	r.at++
	return out
}

// list reads values to the closing bracket or the end.
func (r *gemmaReader) list(depth int) pyval.Value {
	out := &pyval.List{}
	for r.at < len(r.text) && r.text[r.at] != ']' {
		out.Items = append(out.Items, r.value(depth))
		if !r.comma() {
			break
		}
	}
	r.at++
	return out
}

// blanks goes to what is no white space.
func (r *gemmaReader) blanks() {
	r.at = len(r.text) - len(strings.TrimLeftFunc(r.text[min(r.at, len(r.text)):], pyval.IsSpace))
}

// comma goes behind a comma and reports whether there was one.
func (r *gemmaReader) comma() bool {
	r.blanks()
	ok := r.at < len(r.text) && r.text[r.at] == ','
	if ok {
		r.at++
	}
	return ok
}

func (r *gemmaReader) value(depth int) pyval.Value {
	r.blanks()
	rest := r.text[r.at:]
	if inner, ok := strings.CutPrefix(rest, gemmaQuote); ok {
		text, _, closed := strings.Cut(inner, gemmaQuote)
		if !closed {
			r.at = len(r.text)
			return pyval.Str(rest)
		}
		r.at += 2*len(gemmaQuote) + len(text)
		return pyval.Str(text)
	}
	if depth < gemmaDepth {
		switch {
		case strings.HasPrefix(rest, "{"):
			r.at++
			return r.object(depth + 1)
		case strings.HasPrefix(rest, "["):
			r.at++
			return r.list(depth + 1)
		}
	}
	text, _, _ := strings.Cut(r.until(",}]"), gemmaQuote)
	return gemmaScalar(pyval.Strip(text))
}

// until is the text to one of the characters or the end.
func (r *gemmaReader) until(ends string) string {
	rest := r.text[r.at:]
	n := strings.IndexAny(rest, ends)
	if n < 0 {
		n = len(rest)
	}
	r.at += n
	return rest[:n]
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
