package ownsuite

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// formats are example values for formats of JSON Schema, which validate
// accepts.
var formats = map[string]string{
	"date": "2025-01-31", "date-time": "2025-01-31T09:00:00Z", "time": "09:00:00Z", "duration": "P1D",
	"email": "ann@example.com", "idn-email": "ann@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"uri": "https://example.com/", "iri": "https://example.com/", "uri-reference": "/x", "iri-reference": "/x", "url": "https://example.com/",
	"uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"json-pointer": "/x", "regex": "^x$",
}

// made returns a value that fits a schema, as far as its type, its format, its
// pattern and its limits say how; nil if none can be made up.
func made(schema *pyval.Dict, depth int) pyval.Value {
	if schema == nil || depth > deepestMade {
		return nil
	}
	for _, key := range []string{"const", "default", "example"} {
		if given, ok := schema.GetStr(key); ok && given.Kind() != pyval.KindNone {
			return given
		}
	}
	for _, key := range []string{"examples", "enum"} {
		if given := schema.List(key); len(given) > 0 {
			return given[0]
		}
	}
	typ, _ := typeOf(schema)
	for _, key := range []string{"anyOf", "oneOf"} {
		for _, part := range schema.List(key) {
			d, ok := part.(*pyval.Dict)
			if is, _ := d.Text("type"); ok && typ != "dict" && is != "null" {
				return made(d, depth+1)
			}
		}
	}
	switch typ {
	case "integer", "float":
		n := limited(1, schema)
		if typ == "integer" && n == float64(int64(n)) {
			return pyval.MakeInt(int64(n))
		}
		return pyval.Float(n)
	case "boolean":
		return pyval.Bool(true)
	case "array", "tuple":
		if item := made(schema.Child("items"), depth+1); item != nil {
			return pyval.NewList(item)
		}
		return &pyval.List{}
	case "dict":
		return madeObject(schema, depth)
	case "string", "any":
		if schema.Has("allOf") {
			return madeObject(schema, depth)
		}
		return madeText(schema)
	}
	return nil
}

const deepestMade = 8

// madeObject returns an object with the fields that are required.
func madeObject(schema *pyval.Dict, depth int) pyval.Value {
	fields, required, out := pyval.NewDict(4), &pyval.List{}, pyval.NewDict(4)
	gather(schema, fields, required)
	for _, name := range required.Items {
		v := made(fields.Child(pyval.Text(name)), depth+1)
		if v == nil {
			return nil
		}
		out.SetStr(pyval.Text(name), v)
	}
	return out
}

// limited returns the number nearest to n within a schema's limits.
func limited(n float64, d *pyval.Dict) float64 {
	at := func(key string) (float64, bool) {
		switch v, _ := d.GetStr(key); v := v.(type) {
		case pyval.Int:
			return v.Float64()
		case pyval.Float:
			return float64(v), true
		}
		return 0, false
	}
	if low, ok := at("minimum"); ok && n < low {
		n = low
	} else if low, ok := at("exclusiveMinimum"); ok && n <= low {
		n = low + 1
	} else if high, ok := at("maximum"); ok && n > high {
		n = high
	} else if high, ok := at("exclusiveMaximum"); ok && n >= high {
		n = high - 1
	}
	return n
}

func madeText(d *pyval.Dict) pyval.Value {
	const v = pyval.Str("x")
	if format, ok := d.GetStr("format"); ok {
		if text, known := formats[pyval.Text(format)]; known {
			return pyval.Str(text)
		}
	}
	if pattern, ok := d.GetStr("pattern"); ok {
		if p, err := match.NewPattern(pyval.Text(pattern)); err == nil {
			if text, ok := p.Example(); ok {
				return text
			}
		}
	}
	const most = 1000
	if least, ok := d.GetStr("minLength"); ok {
		if n, ok := least.(pyval.Int); ok {
			if size, ok := n.Int64(); ok && size > int64(len(v)) && size <= most {
				return pyval.Str(strings.Repeat("x", int(size)))
			}
		}
	}
	return v
}
