// Package xmlcall reads calls written as XML, upstream's verbose and concise
// return formats:
//
//	verbose  <functions><function name="f"><params><param name="a" value="1" type="integer"/></params></function></functions>
//	concise  <functions><function name="f"><param name="a" type="integer">1</param></function></functions>
//
// Upstream reads them with Python's ElementTree over expat; element.go decides
// what is well-formed there.
package xmlcall

import (
	"errors"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// Verbose is upstream's parse_verbose_xml_function_call. A parameter without a
// name is stored under None; parameters may also be outside <params>.
func Verbose(src string) (pyval.Value, error) {
	return calls(src, func(f *element, args *pyval.Dict) {
		if params := f.child("params"); params != nil {
			f = params
		}
		for _, p := range f.children {
			if p.tag != "param" {
				continue
			}
			value, _ := p.attribute("value")
			v := pyval.Must(convert(value, p.typeName()))
			if name, ok := p.attribute("name"); ok {
				args.SetStr(name, v)
			} else {
				_ = args.Set(pyval.None, v)
			}
		}
	})
}

// Concise is upstream's parse_concise_xml_function_call: a parameter's value
// is the stripped text before its first child element.
func Concise(src string) (pyval.Value, error) {
	return calls(src, func(f *element, args *pyval.Dict) {
		for _, p := range f.children {
			if p.tag != "param" {
				continue
			}
			name, ok := p.attribute("name")
			if !ok {
				pyval.Check(&grammar.Error{Class: "KeyError", Msg: "a param has no name"})
			}
			args.SetStr(name, pyval.Must(convert(pyval.Strip(string(p.text)), p.typeName())))
		}
	})
}

const opening, closing = "<functions>", "</functions>"

func calls(src string, read func(*element, *pyval.Dict)) (v pyval.Value, err error) {
	defer pyval.Catch(&err)
	_, text, found := strings.Cut(src, opening)
	end := strings.Index(text, closing)
	if !found || end < 0 {
		return nil, &grammar.Error{Class: "ValueError", Msg: "No XML function call found in input string: " + src + ". Missing <functions> tag."}
	}
	out := &pyval.List{}
	for _, f := range parse(opening + text[:end+len(closing)]).children {
		if f.tag != "function" {
			continue
		}
		name, ok := f.attribute("name")
		if !ok {
			return nil, &grammar.Error{Class: "KeyError", Msg: "a function has no name"}
		}
		args := pyval.NewDict(len(f.children))
		read(f, args)
		out.Items = append(out.Items, pyval.Object(name, args))
	}
	return out, nil
}

func (r *reader) end(name string, at int) {
	n := len(r.open) - 1
	if n < 0 || r.open[n].name != name {
		r.fail(at, "mismatched tag")
	}
	r.spaces = r.spaces[:r.open[n].spaces]
	r.open = r.open[:n]
}

func (r *reader) startTag() {
	start := r.i
	if len(r.open) == 0 && r.root != nil {
		r.fail(start, "junk after document element")
	}
	r.i++
	name := r.name()
	if name == "" {
		r.fail(r.i, "bad start tag")
	}
	f := frame{element: &element{}, name: name, spaces: len(r.spaces)}
	for r.blanks() && !r.at("/") && !r.at(">") {
		name := r.name()
		r.blanks()
		if name == "" || !r.at("=") {
			r.fail(r.i, "bad attribute")
		}
		r.i++
		r.blanks()
		f.element.attributes = append(f.element.attributes, attribute{name, r.attributeValue()})
	}
	empty := r.at("/")
	if empty {
		r.i++
	}
	if !r.at(">") {
		r.fail(r.i, "bad start tag")
	}
	r.i++
	r.resolve(f.element, name, start)
	if n := len(r.open); n > 0 {
		r.open[n-1].children = append(r.open[n-1].children, f.element)
	} else {
		r.root = f.element
	}
	r.open = append(r.open, f)
	if empty {
		r.end(name, start)
	}
}

// attributeBlanks normalises white space in a value; references to it stay.
var attributeBlanks = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ")

func (r *reader) attributeValue() string {
	if !r.at(`"`) && !r.at("'") {
		r.fail(r.i, "attribute value without quotes")
	}
	quote := r.src[r.i : r.i+1]
	r.i++
	start := r.i
	raw := r.until(quote, "attribute value")
	if k := strings.IndexByte(raw, '<'); k >= 0 {
		r.fail(start+k, "< in an attribute value")
	}
	return r.expand(attributeBlanks.Replace(raw), start)
}

// maxNamespaces bounds the bindings at one time: a lookup may visit all of
// them.
const maxNamespaces = 256

const (
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsSpace = "http://www.w3.org/2000/xmlns/"
)

// resolve binds the namespaces that a tag declares and puts names into theirs.
func (r *reader) resolve(e *element, name string, at int) {
	if duplicates(e.attributes) {
		r.fail(at, "duplicate attribute")
	}
	kept := e.attributes[:0]
	for _, a := range e.attributes {
		prefix, declared := strings.CutPrefix(a.name, "xmlns:")
		if a.name == "xmlns" {
			prefix, declared = "", true
		}
		if !declared {
			kept = append(kept, a)
			continue
		}
		if !bindable(prefix, a.value) || len(r.spaces) == maxNamespaces {
			r.fail(at, "reserved or undeclared namespace, or too many")
		}
		r.spaces = append(r.spaces, namespace{prefix, a.value})
	}
	e.attributes = kept
	e.tag = r.expanded(name, true, at)
	for i := range e.attributes {
		e.attributes[i].name = r.expanded(e.attributes[i].name, false, at)
	}
	if duplicates(e.attributes) {
		r.fail(at, "duplicate attribute")
	}
}

func duplicates(attributes []attribute) bool {
	if len(attributes) < 2 {
		return false
	}
	seen := make(map[string]bool, len(attributes))
	for _, a := range attributes {
		if seen[a.name] {
			return true
		}
		seen[a.name] = true
	}
	return false
}

// bindable reports whether expat's rules allow a binding. ElementTree makes
// expat join names with "}".
func bindable(prefix, uri string) bool {
	if prefix == "xml" || uri == xmlSpace {
		return prefix == "xml" && uri == xmlSpace
	}
	return prefix != "xmlns" && !strings.Contains(uri, "}") && uri != xmlnsSpace && (prefix == "" || uri != "")
}

// expanded is a name with its namespace; unprefixed attributes have none.
func (r *reader) expanded(name string, tag bool, at int) string {
	prefix, local, found := strings.Cut(name, ":")
	if !found {
		prefix, local = "", name
		if !tag {
			return name
		}
	}
	for i := len(r.spaces) - 1; i >= 0; i-- {
		if s := r.spaces[i]; s.prefix == prefix {
			if s.uri == "" {
				return local
			}
			return "{" + s.uri + "}" + local
		}
	}
	switch prefix {
	case "xml":
		return "{" + xmlSpace + "}" + local
	case "":
	default:
		r.fail(at, "unbound prefix")
	}
	return local
}

// convert turns a value's text into the value that its type attribute asks
// for; unknown types keep the text.
func convert(text, typeName string) (pyval.Value, error) {
	switch typeName {
	case "integer":
		return grammar.Int(text)
	case "float":
		return grammar.Float(text)
	case "boolean":
		return pyval.Bool(pyval.Lower(text) == "true"), nil
	case "null":
		return pyval.None, nil
	case "array", "tuple", "dict", "object":
		v, err := pycall.Literal(text)
		var wrong *pycall.Error
		if errors.As(err, &wrong) {
			return nil, &grammar.Error{Class: wrong.Class, Msg: wrong.Msg}
		}
		return v, err
	}
	return pyval.Str(text), nil
}
