package jinja

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func filterFormat(c *call) object {
	if len(c.keys) > 0 {
		c.pos = nil
		return pyval.Str(c.percent(c.line, c.subject(), plain(c.line, globalDict(c))))
	}
	return pyval.Str(c.percent(c.line, c.subject(), pyval.NewTuple(c.list(c.line, c.pos).Items...)))
}

// percent returns Python's s % v.
func (f *frame) percent(line int, s string, v pyval.Value) string {
	f.weigh(line, v)
	out, err := pycall.Format(s, v)
	f.r.spend(line, len(out))
	return must(line, out, err)
}

// textFormat returns Python's s.format(…), without format specs.
func textFormat(c *call) object {
	s := c.subject()
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
			fail(c.line, "ValueError: Single '%c' encountered in format string", brace)
		}
		s = rest
		out := c.field(field, &next)
		c.r.spend(c.line, len(out))
		b.WriteString(out)
	}
}

func (c *call) field(field string, next *int) string {
	if strings.ContainsAny(field, ":!.[") {
		fail(c.line, "the format field {%s} is not supported: use a name or a number", field)
	}
	at := *next
	if field == "" {
		*next++
	} else if n, err := strconv.Atoi(field); err == nil {
		at = n
	} else {
		v, ok := c.kw[field]
		if !ok {
			fail(c.line, "KeyError: '%s'", field)
		}
		return c.str(c.line, v)
	}
	if at < 0 || at >= len(c.pos) {
		fail(c.line, "IndexError: Replacement index %d out of range for positional args tuple", at)
	}
	return c.str(c.line, c.pos[at])
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
