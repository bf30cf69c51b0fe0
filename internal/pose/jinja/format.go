package jinja

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func filterFormat(f *frame, line int, v object, a args) object {
	if len(a.keys) > 0 {
		named := globalDict(f, line, args{kw: a.kw, keys: a.keys})
		return pyval.Str(f.percent(line, f.str(line, v), named.(*pyval.Dict)))
	}
	return pyval.Str(f.percent(line, f.str(line, v), pyval.NewTuple(f.list(line, a.pos).Items...)))
}

// percent returns Python's s % v.
func (f *frame) percent(line int, s string, v pyval.Value) string {
	rest := []pyval.Value{v}
	if t, ok := v.(*pyval.Tuple); ok {
		rest = t.Items
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "%")
		b.WriteString(before)
		if !found {
			break
		}
		var val pyval.Value
		spec, verb, tail := verbOf(line, after)
		s = tail
		if verb == '%' {
			b.WriteByte('%')
			continue
		}
		if key, ok := strings.CutPrefix(spec, "("); ok {
			name, flags, _ := strings.Cut(key, ")")
			got, err := pyval.Subscript(v, pyval.Str(name))
			val, spec, rest = must(line, got, err), flags, nil
		} else if len(rest) == 0 {
			fail(line, "TypeError: not enough arguments for format string")
		} else {
			val, rest = rest[0], rest[1:]
		}
		out := f.verb(line, spec, verb, val)
		f.r.spend(line, len(out))
		b.WriteString(out)
	}
	if _, mapping := v.(*pyval.Dict); len(rest) > 0 && !mapping {
		fail(line, "TypeError: not all arguments converted during string formatting")
	}
	return b.String()
}

// verbOf returns what is between % and its letter, the letter, and the rest.
func verbOf(line int, s string) (spec string, verb byte, rest string) {
	i := 0
	if strings.HasPrefix(s, "(") {
		if i = strings.IndexByte(s, ')') + 1; i == 0 {
			fail(line, "ValueError: incomplete format key")
		}
	}
	i += len(s[i:]) - len(strings.TrimLeft(s[i:], "-+ #0123456789."))
	if i == len(s) || strings.IndexByte("sradiuxXofFeEgGc%", s[i]) < 0 {
		fail(line, "ValueError: unsupported or incomplete format")
	}
	return s[:i], s[i], s[i+1:]
}

func (f *frame) verb(line int, spec string, verb byte, v pyval.Value) string {
	for part := range strings.SplitSeq(strings.TrimLeft(spec, "-+ #"), ".") {
		if n, err := strconv.Atoi(part); part != "" && (err != nil || n > 1000) {
			fail(line, "ValueError: a format's width is too large")
		}
	}
	switch verb {
	case 's', 'c':
		return fmt.Sprintf("%"+spec+"s", f.str(line, v))
	case 'r', 'a':
		f.weigh(line, v)
		return fmt.Sprintf("%"+spec+"s", pyval.Repr(v))
	case 'd', 'i', 'u', 'x', 'X', 'o':
		if x, ok := v.(pyval.Float); ok {
			v = filterInt(f, line, x, args{}).(pyval.Value)
		}
		n := f.integer(line, v).Big()
		if verb == 'i' || verb == 'u' {
			verb = 'd'
		}
		return fmt.Sprintf("%"+spec+string(verb), n)
	}
	x, ok := v.(pyval.Float)
	if n, isInt := pyval.IntOf(v); isInt {
		y, _ := n.Float64()
		x, ok = pyval.Float(y), true
	}
	if !ok {
		fail(line, "TypeError: must be real number, not %s", typeName(v))
	}
	return fmt.Sprintf("%"+spec+string(verb), float64(x))
}

// textFormat returns Python's s.format(…), without format specs.
func textFormat(f *frame, line int, s string, a args) object {
	var b strings.Builder
	next := 0
	for {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			b.WriteString(s)
			return pyval.Str(b.String())
		}
		b.WriteString(s[:i])
		brace, after := s[i], s[i+1:]
		if after != "" && after[0] == brace {
			b.WriteByte(brace)
			s = after[1:]
			continue
		}
		field, rest, closed := strings.Cut(after, "}")
		if brace == '}' || !closed {
			fail(line, "ValueError: Single '%c' encountered in format string", brace)
		}
		s = rest
		out := f.field(line, field, &next, a)
		f.r.spend(line, len(out))
		b.WriteString(out)
	}
}

func (f *frame) field(line int, field string, next *int, a args) string {
	if strings.ContainsAny(field, ":!.[") {
		fail(line, "the format field {%s} is not supported: use a name or a number", field)
	}
	at := *next
	if field == "" {
		*next++
	} else if n, err := strconv.Atoi(field); err == nil {
		at = n
	} else {
		v, ok := a.kw[field]
		if !ok {
			fail(line, "KeyError: '%s'", field)
		}
		return f.str(line, v)
	}
	if at < 0 || at >= len(a.pos) {
		fail(line, "IndexError: Replacement index %d out of range for positional args tuple", at)
	}
	return f.str(line, a.pos[at])
}

// strftime returns Python's t.strftime(format) in the C locale.
func strftime(t time.Time, format string) string {
	layouts := map[byte]string{
		'a': "Mon", 'A': "Monday", 'b': "Jan", 'B': "January", 'h': "Jan", 'd': "02", 'e': "_2", 'm': "01", 'y': "06", 'Y': "2006",
		'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'j': "002", 'Z': "", 'z': "",
		'F': "2006-01-02", 'T': "15:04:05", 'D': "01/02/06", 'x': "01/02/06", 'X': "15:04:05", 'R': "15:04",
		'c': "Mon Jan _2 15:04:05 2006", 'n': "\n", 't': "\t", '%': "%",
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		pad := format[i] != '-'
		if !pad && i+1 < len(format) {
			i++
		}
		s, ok := "", true
		switch c := format[i]; c {
		case 'f':
			s = fmt.Sprintf("%06d", t.Nanosecond()/1000)
		case 'w':
			s = strconv.Itoa(int(t.Weekday()))
		case 'u':
			s = strconv.Itoa((int(t.Weekday())+6)%7 + 1)
		case 's':
			s = strconv.FormatInt(t.Unix(), 10)
		default:
			var layout string
			if layout, ok = layouts[c]; ok {
				s = t.Format(layout)
			}
		}
		if !ok {
			s = format[i-1 : i+1]
		}
		if !pad {
			s = strings.TrimLeft(s, " 0")
		}
		b.WriteString(s)
	}
	return b.String()
}
