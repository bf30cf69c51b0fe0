package decode

import (
	"bytes"
	"encoding/xml"
	"strings"

	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// writeAs writes calls in one of the return formats of prompt mode.
func writeAs(calls []Call, d dialect, format prompt.ReturnFormat) string {
	switch format {
	case prompt.ReturnJSON:
		return writeJSON(calls)
	case prompt.ReturnVerboseXML:
		return writeXML(calls, "<params>", "</params>", func(name, value, typ string) string {
			return `<param name="` + name + `" value="` + value + `" type="` + typ + `"/>`
		})
	case prompt.ReturnConciseXML:
		return writeXML(calls, "", "", func(name, value, typ string) string {
			return `<param name="` + name + `" type="` + typ + `">` + value + `</param>`
		})
	}
	return writeText(calls, d)
}

func writeJSON(calls []Call) string {
	list := &pyval.List{}
	for _, c := range calls {
		item := pyval.NewDict(2)
		item.SetStr("function", pyval.Str(c.Name))
		item.SetStr("parameters", c.Args)
		list.Items = append(list.Items, item)
	}
	text, err := pyval.JSON(list, pyval.JSONUnicode)
	if err != nil {
		return "[]" // JSON cannot hold this possible answer; its judge will say so
	}
	return text
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
