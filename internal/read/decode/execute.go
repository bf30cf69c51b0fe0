package decode

import (
	"bytes"
	"encoding/xml"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// ExecutionList is upstream's decoded_output_to_execution_list: decoded calls
// as the texts of Python calls.
func ExecutionList(decoded pyval.Value) ([]string, error) {
	return texts(decoded, func(name, args pyval.Value) string { return string(appendCall(nil, name, args)) })
}

// texts returns the texts of all entries of a list's dicts; write may raise.
func texts(calls pyval.Value, write func(name, args pyval.Value) string) (out []string, err error) {
	defer pyval.Catch(&err)
	items := pyval.Must(Iterate(calls))
	out = make([]string, 0, len(items))
	for _, item := range items {
		for name, args := range itemsOf(item).All() {
			out = append(out, write(name, args))
		}
	}
	return out, nil
}

// itemsOf is a dict, whose items Python asks for.
func itemsOf(v pyval.Value) *pyval.Dict {
	d, ok := v.(*pyval.Dict)
	if !ok {
		pyval.Check(NoAttribute(v, "items"))
	}
	return d
}

// appendCall appends name(parameter=value, ..).
func appendCall(dst []byte, name, args pyval.Value) []byte {
	dst = append(append(dst, pyval.Text(name)...), '(')
	return appendEntries(dst, itemsOf(args), "", "=", ')')
}

// appendEntries appends the entries of a dict, with what stands before and
// behind each key, and what ends them.
func appendEntries(dst []byte, d *pyval.Dict, before, behind string, end byte) []byte {
	first := true
	for key, val := range d.All() {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(append(append(dst, before...), pyval.Text(key)...), behind...)
		dst = appendNested(dst, val)
	}
	return append(dst, end)
}

// appendNested is parse_nested_value of upstream's
// decoded_output_to_execution_list: a dict in which all values are dicts is
// taken for a call, of which only the first entry is written; an empty one
// raises.
func appendNested(dst []byte, v pyval.Value) []byte {
	d, ok := v.(*pyval.Dict)
	switch {
	case !ok:
		return pyval.AppendRepr(dst, v)
	case d.Len() == 0:
		pyval.Check(&Error{Class: "IndexError", Msg: "list index out of range"})
	case allDicts(d):
		name, args := d.At(0)
		return appendCall(dst, name, args)
	}
	return appendEntries(append(dst, '{'), d, "'", "': ", '}')
}

func allDicts(d *pyval.Dict) bool {
	for _, v := range d.All() {
		if v.Kind() != pyval.KindDict {
			return false
		}
	}
	return true
}

// FCExecute is decode_execute of upstream's OpenAI-compatible handlers in
// function-calling mode (convert_to_function_call): every entry of every dict
// is a call; arguments may be JSON text or a dict.
func FCExecute(result pyval.Value) ([]string, error) {
	if result.Kind() == pyval.KindDict {
		result = pyval.NewList(result)
	}
	return texts(result, flatCall)
}

// flatCall writes name(parameter=value,..); it raises.
func flatCall(name, args pyval.Value) string {
	if s, ok := args.(pyval.Str); ok {
		args = pyval.Must(LoadJSON(string(s)))
	}
	d := itemsOf(args)
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	b := append(append((*buf)[:0], pyval.Text(name)...), '(')
	for i := range d.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		key, val := d.At(i)
		b = append(append(b, pyval.Text(key)...), '=')
		b = pyval.AppendRepr(b, val)
	}
	b = append(b, ')')
	if cap(b) <= longCall {
		*buf = b
	}
	return string(b)
}

// buffers are reused for texts of calls, whose length is not known in advance.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// longCall is the size from which a buffer is not reused.
const longCall = 1 << 16

// writeAs writes calls in one of the return formats of prompt mode.
func writeAs(calls []Call, d dialect, format prompt.ReturnFormat) string {
	switch format {
	case prompt.ReturnJSON:
		list := &pyval.List{}
		for _, c := range calls {
			item := pyval.Object("function", pyval.Str(c.Name), "parameters", c.Args)
			list.Items = append(list.Items, item)
		}
		text, err := pyval.JSON(list, pyval.JSONUnicode)
		if err != nil {
			return "[]"
		}
		return text
	case prompt.ReturnVerboseXML:
		return writeXML(calls, "<params>", "</params>", func(name, value, typ string) string {
			return `<param name="` + name + `" value="` + value + `" type="` + typ + `"/>`
		})
	case prompt.ReturnConciseXML:
		return writeXML(calls, "", "", func(name, value, typ string) string {
			return `<param name="` + name + `" type="` + typ + `">` + value + `</param>`
		})
	}
	texts := make([]string, len(calls))
	for i, c := range calls {
		var args []string
		for key, v := range c.Args.All() {
			args = append(args, pyval.Text(key)+"="+d.literal(v, c.Types[pyval.Text(key)]))
		}
		texts[i] = c.Name + "(" + strings.Join(args, ", ") + ")"
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func writeXML(calls []Call, open, end string, param func(name, value, typ string) string) string {
	var b strings.Builder
	b.WriteString("<functions>")
	for _, c := range calls {
		b.WriteString(`<function name="` + escaped(c.Name) + `">` + open)
		for key, v := range c.Args.All() {
			b.WriteString(param(escaped(pyval.Text(key)), escaped(pyval.Text(v)), xmlType(v)))
		}
		b.WriteString(end + "</function>")
	}
	b.WriteString("</functions>")
	return b.String()
}

// xmlType returns the type attribute of a value.
func xmlType(v pyval.Value) string {
	switch v.(type) {
	case pyval.Bool:
		return "boolean"
	case pyval.Int:
		return "integer"
	case pyval.Float:
		return "float"
	case pyval.NoneType:
		return "null"
	case *pyval.Dict:
		return "dict"
	case *pyval.List, *pyval.Tuple:
		return "array"
	}
	return "string"
}

func escaped(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return ""
	}
	return b.String()
}
