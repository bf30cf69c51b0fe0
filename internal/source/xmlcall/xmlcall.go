// Package xmlcall reads calls written as XML, upstream's verbose and concise
// return formats:
//
//	verbose  <functions><function name="f"><params><param name="a" value="1" type="integer"/></params></function></functions>
//	concise  <functions><function name="f"><param name="a" type="integer">1</param></function></functions>
//
// Upstream reads them with Python's ElementTree over expat; element.go decides
// what is well-formed there, value.go converts the text of a value.
package xmlcall

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Error says why a text is not a list of calls.
type Error struct {
	Class  string // the Python exception that upstream raises
	Msg    string // what was found or expected
	Offset int    // in bytes from the start of the <functions> element; 0 if the error has no place
}

// Error returns the class, the offset and the cause.
func (e *Error) Error() string { return fmt.Sprintf("%s at byte %d: %s", e.Class, e.Offset, e.Msg) }

// Verbose is upstream's parse_verbose_xml_function_call. A parameter without a
// name is stored under None; parameters may also be outside <params>.
func Verbose(src string) (pyval.Value, error) {
	return calls(src, func(f *element, args *pyval.Dict) error {
		if params := f.child("params"); params != nil {
			f = params
		}
		for _, p := range f.children {
			if p.tag != "param" {
				continue
			}
			value, _ := p.attribute("value")
			v, err := convert(value, p.typeName())
			if err != nil {
				return err
			}
			if name, ok := p.attribute("name"); ok {
				args.SetStr(name, v)
			} else {
				_ = args.Set(pyval.None, v)
			}
		}
		return nil
	})
}

// Concise is upstream's parse_concise_xml_function_call: a parameter's value
// is the stripped text before its first child element.
func Concise(src string) (pyval.Value, error) {
	return calls(src, func(f *element, args *pyval.Dict) error {
		for _, p := range f.children {
			if p.tag != "param" {
				continue
			}
			name, ok := p.attribute("name")
			if !ok {
				return &Error{Class: "KeyError", Msg: "a param has no name"}
			}
			v, err := convert(pyval.Strip(string(p.text)), p.typeName())
			if err != nil {
				return err
			}
			args.SetStr(name, v)
		}
		return nil
	})
}

const opening, closing = "<functions>", "</functions>"

func calls(src string, read func(*element, *pyval.Dict) error) (pyval.Value, error) {
	_, text, found := strings.Cut(src, opening)
	end := strings.Index(text, closing)
	if !found || end < 0 {
		return nil, &Error{Class: "ValueError", Msg: "No XML function call found in input string: " + src + ". Missing <functions> tag."}
	}
	root, err := parse(opening + text[:end+len(closing)])
	if err != nil {
		return nil, err
	}
	out := &pyval.List{}
	for _, f := range root.children {
		if f.tag != "function" {
			continue
		}
		name, ok := f.attribute("name")
		if !ok {
			return nil, &Error{Class: "KeyError", Msg: "a function has no name"}
		}
		args := pyval.NewDict(len(f.children))
		if err := read(f, args); err != nil {
			return nil, err
		}
		call := pyval.NewDict(1)
		call.SetStr(name, args)
		out.Items = append(out.Items, call)
	}
	return out, nil
}
