package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// jsonIndent writes JSON with indents.
func jsonIndent(w io.Writer, text json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A listedClass is what the list says about a class.
type listedClass struct {
	Class   string         `json:"class"`
	Methods []listedMethod `json:"methods"`
	Fields  []string       `json:"fields"`
}

type listedMethod struct {
	Name        string        `json:"name"`
	Description string        `json:"description,omitempty"`
	Parameters  []listedParam `json:"parameters"`
}

type listedParam struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
	// Default is the default value as Python's text; "" if the parameter is
	// required.
	Default string `json:"default,omitempty"`
}

// list prints the classes, or the methods of some.
func (p *playing) list(names []string) error {
	all := names
	if len(names) == 0 {
		for _, class := range classes.Library.Classes() {
			all = append(all, class.Name)
		}
	}
	out := make([]listedClass, len(all))
	for i, name := range all {
		class, _ := classes.Library.Class(name)
		out[i] = p.describe(class)
	}
	if p.asJSON {
		return writeJSON(p.out, out)
	}
	for _, c := range out {
		if p.methods || p.env != nil {
			p.showMethods(c)
			continue
		}
		var methods []string
		for _, m := range c.Methods {
			methods = append(methods, m.Name)
		}
		fmt.Fprintf(p.out, "%-18s %2d methods: %s\n", c.Class, len(methods), some(methods))
	}
	if !p.methods && p.env == nil {
		fmt.Fprintln(p.out, "\n`bfcl play CLASS --methods` lists a class's methods, `bfcl play CLASS` lets you call them.")
	}
	return nil
}

// some is the beginning of a list.
func some(names []string) string {
	const most = 5
	if len(names) > most {
		names = append(names[:most:most], "…")
	}
	return strings.Join(names, ", ")
}

// describe takes a class's methods from its table, and their types and
// descriptions from the dataset's documents, if it has them.
func (p *playing) describe(class *sim.Class) listedClass {
	docs, _ := p.dataset.Docs(class.Name)
	byName := map[string]*pyval.Dict{}
	for _, doc := range docs {
		name, _ := doc.GetStr("name")
		byName[pyval.Text(name)] = doc
	}
	out := listedClass{Class: class.Name, Methods: []listedMethod{}, Fields: append([]string{}, class.Fields...)}
	for _, m := range class.Methods {
		listed := listedMethod{Name: m.Name, Description: textAt(byName[m.Name], "description"), Parameters: []listedParam{}}
		for _, param := range m.Params {
			one := listedParam{Name: param.Name, Type: textAt(byName[m.Name], "parameters", "properties", param.Name, "type")}
			if param.Default != nil {
				one.Default = pyval.Repr(param.Default)
			}
			listed.Parameters = append(listed.Parameters, one)
		}
		out.Methods = append(out.Methods, listed)
	}
	return out
}

// textAt is the text at the end of a path through objects.
func textAt(v pyval.Value, path ...string) string {
	for _, key := range path {
		d, ok := v.(*pyval.Dict)
		if !ok || d == nil {
			return ""
		}
		if v, ok = d.GetStr(key); !ok {
			return ""
		}
	}
	text, _ := v.(pyval.Str)
	return string(text)
}

func (p *playing) showMethods(c listedClass) {
	fmt.Fprintln(p.out, c.Class)
	for _, m := range c.Methods {
		var params []string
		for _, param := range m.Parameters {
			text := param.Name
			if param.Type != "" {
				text += ": " + param.Type
			}
			if param.Default != "" {
				text += " = " + param.Default
			}
			params = append(params, text)
		}
		fmt.Fprintf(p.out, "  %s\n", safe.Printable(m.Name+"("+strings.Join(params, ", ")+")", 400))
		if m.Description != "" {
			fmt.Fprintf(p.out, "      %s\n", safe.Printable(m.Description, 400))
		}
	}
}
