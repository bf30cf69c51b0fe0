package source_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
	"github.com/gobfcl/bfcl/internal/source/xmlcall"
)

func TestXMLVerbose(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`<params><param name="n" value="3" type="integer"/></params>`, "{'n': 3}"},
		{`<param name="n" value="3"/>`, "{'n': '3'}"},
		{`<params/><param name="n" value="3"/>`, "{}"},
		{`<params><param value="3"/><param name="m"/></params>`, "{None: '3', 'm': ''}"},
		{`<params><param name="n" value="a&#x9;&#10;&#x62;` + "\t\r\n" + `c"/></params>`, `{'n': 'a\t\nb  c'}`},
		{`<params><param name="n" value="x" name="n"/></params>`, "raises ParseError"},
		{`<params><p:param/></params>`, "raises ParseError"},
		{`<params xmlns:p="u"><p:param/><param name="n" value="v" p:name="x"/></params>`, "{'n': 'v'}"},
		{`<params xmlns="u"><param name="n"/></params>`, "{}"},
		{`<params><param name="n" value="<"/></params>`, "raises ParseError"},
		{`<params><param name='n' value=3/></params>`, "raises ParseError"},
		{`<params><param name="n"value="3"/></params>`, "raises ParseError"},
		{`<params><!-- a -- b --></params>`, "raises ParseError"},
		{`<params><?xml version="1.0"?></params>`, "raises ParseError"},
		{`<params>]]></params>`, "raises ParseError"},
		{`<params></Params>`, "raises ParseError"},
		{`<params>` + "\x02" + `</params>`, "raises ParseError"},
		{`<params>&#0;</params>`, "raises ParseError"},
		{`<params>&#xD800;</params>`, "raises ParseError"},
		{`<a:b:c xmlns:a="u"/>`, "raises ParseError"},
		{`<a xmlns:b=""/>`, "raises ParseError"}, {`<a xmlns="}"/>`, "raises ParseError"},
		{`<![CDATA[<&]]><?note x?><!--c-->`, "{}"},
	} {
		v, err := xmlcall.Verbose(`<functions><function name="f">` + c.body + `</function></functions>`)
		want := c.want
		if strings.HasPrefix(want, "{") {
			want = "[{'f': " + want + "}]"
		}
		assert.Equal(t, want, outcome(v, err), "%q", c.body)
	}
}

func TestXMLConcise(t *testing.T) {
	for _, c := range []struct{ typed, text, want string }{
		{"string", " a\r\n b ", `'a\n b'`}, {"string", "a<b/>c", "'a'"}, {"string", "a<!-- x -->b<![CDATA[<]]>", "'ab<'"},
		{"integer", "-1_000", "-1000"}, {"integer", "٣٤", "34"}, {"integer", "+5", "5"}, {"integer", "𝟙𝟚", "12"},
		{"integer", "_1", "raises ValueError"}, {"integer", "1__0", "raises ValueError"}, {"integer", "5.0", "raises ValueError"},
		{"integer", "+-5", "raises ValueError"}, {"integer", "0x1", "raises ValueError"}, {"integer", strings.Repeat("9", 4301), "raises ValueError"},
		{"float", "1_0.5e1", "105.0"}, {"float", "-Infinity", "-inf"}, {"float", "NaN", "nan"}, {"float", "1e999", "inf"},
		{"float", "0x1p3", "raises ValueError"}, {"float", "1e", "raises ValueError"}, {"float", "--inf", "raises ValueError"}, {"float", "1_.5", "raises ValueError"},
		{"boolean", "TRUE", "True"}, {"boolean", "1", "False"}, {"null", "x", "None"}, {"number", "5", "'5'"},
		{"array", "[1, 'a', True]", "[1, 'a', True]"}, {"array", "[true]", "raises ValueError"}, {"dict", "", "raises SyntaxError"},
		{"tuple", "1, 2", "(1, 2)"}, {"object", "{[]: 1}", "raises TypeError"},
	} {
		v, err := xmlcall.Concise(`<functions><function name="f"><param name="x" type="` + c.typed + `">` + c.text + `</param></function></functions>`)
		want := c.want
		if !strings.HasSuffix(want, "Error") {
			want = "[{'f': {'x': " + want + "}}]"
		}
		assert.Equal(t, want, outcome(v, err), "%s %.40q", c.typed, c.text)
	}
}

func TestXMLDocument(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "raises ValueError"}, {"<functions>", "raises ValueError"}, {"<functions/>", "raises ValueError"}, {"</functions><functions>", "raises ValueError"},
		{"x<functions>y</functions>z", "[]"}, {"<functions><function/></functions>", "raises KeyError"},
		{"<functions><function name='f'><param/></function></functions>", "raises KeyError"},
		{"<functions><functions></functions></functions>", "raises ParseError"},
		{"<functions></functions ><x></functions>", "raises ParseError"},
		{"<functions></functions ><functions></functions>", "raises ParseError"},
		{"<functions><!-- </functions> --></functions>", "raises ParseError"},
		{"<functions><!DOCTYPE x></functions>", "raises ParseError"}, {"<functions>\xff</functions>", "raises ParseError"},
	} {
		v, err := xmlcall.Concise(c.src)
		assert.Equal(t, c.want, outcome(v, err), "%q", c.src)
	}
}

func FuzzXML(f *testing.F) {
	for _, s := range []string{
		`<functions><function name="f"><param name="x" type="array">[1]</param></function></functions>`,
		`<functions><a:b xmlns:a="u" c='&lt;&#65;'/><![CDATA[x]]><!--y--><?z?></functions>`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, read := range []func(string) (pyval.Value, error){xmlcall.Verbose, xmlcall.Concise} {
			v, err := read(src)
			var e *grammar.Error
			if err != nil && !errors.As(err, &e) || err == nil && v.Kind() != pyval.KindList {
				t.Fatalf("%v, %v", v, err)
			}
		}
	})
}
