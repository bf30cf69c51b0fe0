package pyval

import "fmt"

// JSONIndent is Python's json.dumps(v, indent=n).
func JSONIndent(v Value, n int) (string, error) {
	b, err := jsonIndenter{n}.append(nil, v, 0)
	return string(b), err
}

type jsonIndenter struct{ width int }

func (in jsonIndenter) newline(dst []byte, depth int) []byte {
	dst = append(dst, '\n')
	for range depth * in.width {
		dst = append(dst, ' ')
	}
	return dst
}

func (in jsonIndenter) append(dst []byte, v Value, depth int) ([]byte, error) {
	n, _ := Len(v)
	if n == 0 {
		return AppendJSON(dst, v, 0)
	}
	switch v := v.(type) {
	case *List:
		return in.items(dst, v.Items, depth)
	case *Tuple:
		return in.items(dst, v.Items, depth)
	case *Dict:
		return in.dict(dst, v, depth)
	}
	return AppendJSON(dst, v, 0)
}

func (in jsonIndenter) items(dst []byte, items []Value, depth int) ([]byte, error) {
	var err error
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = in.newline(dst, depth+1)
		if dst, err = in.append(dst, item, depth+1); err != nil {
			return dst, err
		}
	}
	return append(in.newline(dst, depth), ']'), nil
}

func (in jsonIndenter) dict(dst []byte, d *Dict, depth int) ([]byte, error) {
	var err error
	dst = append(dst, '{')
	for i := range d.entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = in.newline(dst, depth+1)
		if dst, err = appendJSONKey(dst, d.entries[i].key); err != nil {
			return dst, err
		}
		dst = append(dst, ':', ' ')
		if dst, err = in.append(dst, d.entries[i].val, depth+1); err != nil {
			return dst, err
		}
	}
	return append(in.newline(dst, depth), '}'), nil
}

// appendJSONKey appends a dict's key as json.dumps spells it.
func appendJSONKey(dst []byte, key Value) ([]byte, error) {
	if s, ok := key.(Str); ok {
		return AppendJSONString(dst, string(s), 0), nil
	}
	switch key.(type) {
	case NoneType, Bool, Int, Float:
		return append(appendJSONScalar(append(dst, '"'), key), '"'), nil
	}
	return dst, fmt.Errorf("keys must be str, int, float, bool or None, not %s", TypeName(key))
}
