package jinja

import (
	"math"
	"strconv"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// filterInt returns int(v), or the default if v is not a number.
func filterInt(f *frame, line int, v object, a args) object {
	got := a.bind(line, "int", 0, "default", "base")
	if s, ok := v.(pyval.Str); ok && got[1] != nil {
		n, ok := pyval.ParseInt(pyval.Strip(string(s)), min(max(f.count(line, got[1], 36), 2), 36))
		if ok {
			return n
		}
	}
	switch v := v.(type) {
	case pyval.Int:
		return v
	case pyval.Bool:
		n, _ := pyval.IntOf(v)
		return n
	case pyval.Float:
		if n, err := v.Trunc(); err == nil {
			return n
		}
	case pyval.Str:
		if n, err := pyval.IntFromText(string(v)); err == nil {
			if i, ok := pyval.IntOf(n); ok {
				return i
			}
		}
		if x, err := pyval.FloatFromText(string(v)); err == nil {
			if n, err := x.Trunc(); err == nil {
				return n
			}
		}
	}
	if got[0] != nil {
		return got[0]
	}
	return pyval.MakeInt(0)
}

// filterFloat returns float(v), or the default if v is not a number.
func filterFloat(_ *frame, line int, v object, a args) object {
	got := a.bind(line, "float", 0, "default")
	switch v := v.(type) {
	case pyval.Float:
		return v
	case pyval.Int, pyval.Bool:
		n, _ := pyval.IntOf(v.(pyval.Value))
		if x, ok := n.Float64(); ok {
			return pyval.Float(x)
		}
	case pyval.Str:
		if x, err := pyval.FloatFromText(string(v)); err == nil {
			return x
		}
	}
	if got[0] != nil {
		return got[0]
	}
	return pyval.Float(0)
}

// filterRound rounds a number to a number of digits, half to even.
func filterRound(f *frame, line int, v object, a args) object {
	got := a.bind(line, "round", 0, "precision", "method")
	digits := 0
	if got[0] != nil {
		digits = f.count(line, got[0], 300)
	}
	x, ok := plain(line, v).(pyval.Float)
	if n, isInt := pyval.IntOf(plain(line, v)); isInt {
		y, _ := n.Float64()
		if got[1] == nil {
			return n
		}
		x, ok = pyval.Float(y), true
	}
	if !ok {
		fail(line, "TypeError: type %s doesn't define __round__ method", typeName(v))
	}
	how := "common"
	if got[1] != nil {
		how = f.str(line, got[1])
	}
	scale := math.Pow(10, float64(digits))
	switch how {
	case "common":
		y, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'f', digits, 64), 64)
		return pyval.Float(y)
	case "ceil":
		return pyval.Float(math.Ceil(float64(x)*scale) / scale)
	case "floor":
		return pyval.Float(math.Floor(float64(x)*scale) / scale)
	}
	fail(line, "method must be common, ceil or floor")
	return nil
}
