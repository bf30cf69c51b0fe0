package pyval

import (
	"cmp"
	"fmt"
	"strings"
)

// A JSONLayout is how JSON is laid out: the arguments of Python's json.dumps.
type JSONLayout struct {
	// Format keeps or escapes what is not ASCII; JSONCompact is ignored.
	Format JSONFormat
	// Lines puts each item on a line of its own, indented by Indent.
	Lines  bool
	Indent string
	// Item and Key are the separators after an item and after a key; "" for
	// Python's defaults.
	Item, Key string
	// Sort writes the keys of a dict in order.
	Sort bool
}

// JSONIndent returns Python's json.dumps(v, indent=n).
func JSONIndent(v Value, n int) (string, error) {
	return JSONLayout{Lines: true, Indent: strings.Repeat(" ", n)}.Write(v)
}

// Write returns v as Python's json.dumps writes it in the layout.
func (l JSONLayout) Write(v Value) (string, error) {
	if l.Item == "" {
		l.Item = ", "
		if l.Lines {
			l.Item = ","
		}
	}
	l.Key = cmp.Or(l.Key, ": ")
	b, err := l.append(nil, v, 0)
	return string(b), err
}

func (l JSONLayout) newline(dst []byte, depth int) []byte {
	if !l.Lines {
		return dst
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, l.Indent...)
	}
	return dst
}

func (l JSONLayout) append(dst []byte, v Value, depth int) ([]byte, error) {
	n, _ := Len(v)
	if n == 0 {
		return AppendJSON(dst, v, l.Format)
	}
	switch v := v.(type) {
	case *List:
		return l.items(dst, v.Items, depth)
	case *Tuple:
		return l.items(dst, v.Items, depth)
	case *Dict:
		return l.dict(dst, v, depth)
	}
	return AppendJSON(dst, v, l.Format)
}

func (l JSONLayout) items(dst []byte, items []Value, depth int) ([]byte, error) {
	var err error
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, l.Item...)
		}
		dst = l.newline(dst, depth+1)
		if dst, err = l.append(dst, item, depth+1); err != nil {
			return dst, err
		}
	}
	return append(l.newline(dst, depth), ']'), nil
}

func (l JSONLayout) dict(dst []byte, d *Dict, depth int) ([]byte, error) {
	keys := d.Keys()
	if l.Sort {
		if err := Sort(keys); err != nil {
			return dst, err
		}
	}
	var err error
	dst = append(dst, '{')
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, l.Item...)
		}
		dst = l.newline(dst, depth+1)
		if dst, err = l.key(dst, key); err != nil {
			return dst, err
		}
		dst = append(dst, l.Key...)
		val, _ := d.Get(key)
		if dst, err = l.append(dst, val, depth+1); err != nil {
			return dst, err
		}
	}
	return append(l.newline(dst, depth), '}'), nil
}

// key appends a dict's key as json.dumps spells it.
func (l JSONLayout) key(dst []byte, key Value) ([]byte, error) {
	if s, ok := key.(Str); ok {
		return AppendJSONString(dst, string(s), l.Format), nil
	}
	switch key.(type) {
	case NoneType, Bool, Int, Float:
		return append(appendJSONScalar(append(dst, '"'), key), '"'), nil
	}
	return dst, fmt.Errorf("keys must be str, int, float, bool or None, not %s", TypeName(key))
}
