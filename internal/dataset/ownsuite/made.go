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

// fitting fits a made-up value of the right type to a schema's format, pattern
// and limits. What it cannot fit is kept, and validate reports it.
func fitting(v, schema pyval.Value, depth int) pyval.Value {
	d, _ := schema.(*pyval.Dict)
	if d == nil || depth > maxDepth {
		return v
	}
	for _, key := range []string{"const", "default", "example"} {
		if given, ok := d.GetStr(key); ok && given.Kind() == v.Kind() {
			return given
		}
	}
	if examples := members(d, "examples"); len(examples) > 0 && examples[0].Kind() == v.Kind() {
		return examples[0]
	}
	switch v := v.(type) {
	case pyval.Str:
		return fittingText(v, d)
	case pyval.Int:
		if n, ok := limited(1, d); ok && n == float64(int64(n)) && !d.Has("enum") {
			return pyval.MakeInt(int64(n))
		}
	case pyval.Float:
		if n, ok := limited(1, d); ok && !d.Has("enum") {
			return pyval.Float(n)
		}
	case *pyval.Dict:
		properties, _ := d.GetStr("properties")
		fields, _ := properties.(*pyval.Dict)
		out := pyval.NewDict(v.Len())
		for key, field := range v.All() {
			var inner pyval.Value
			if fields != nil {
				inner, _ = fields.Get(key)
			}
			_ = out.Set(key, fitting(field, inner, depth+1)) // a key of a dict is hashable
		}
		return out
	case *pyval.List:
		items, _ := d.GetStr("items")
		out := &pyval.List{}
		for _, item := range v.Items {
			out.Items = append(out.Items, fitting(item, items, depth+1))
		}
		return out
	}
	return v
}

// limited returns the number nearest to n within a schema's limits; false if n
// is within them.
func limited(n float64, d *pyval.Dict) (float64, bool) {
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
		return low, true
	}
	if low, ok := at("exclusiveMinimum"); ok && n <= low {
		return low + 1, true
	}
	if high, ok := at("maximum"); ok && n > high {
		return high, true
	}
	if high, ok := at("exclusiveMaximum"); ok && n >= high {
		return high - 1, true
	}
	return n, false
}

func fittingText(v pyval.Str, d *pyval.Dict) pyval.Value {
	if d.Has("enum") {
		return v // already one of its values
	}
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
