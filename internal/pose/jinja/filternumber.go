package jinja

import (
	"math"
	"strconv"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// filterInt returns int(v), or the default if v is not a number.
func filterInt(c *call) object {
	if s, ok := c.of.(pyval.Str); ok && c.got[1] != nil {
		n, ok := pyval.ParseInt(pyval.Strip(string(s)), min(max(c.count(c.line, c.got[1], 36), 2), 36))
		if ok {
			return n
		}
	}
	if v, ok := c.of.(pyval.Value); ok {
		if n, err := pyval.ToInt(v); err == nil {
			return n
		}
		if x, err := pyval.ToFloat(v); err == nil {
			if n, err := pyval.ToInt(x); err == nil {
				return n
			}
		}
	}
	return c.or(0, pyval.MakeInt(0))
}

// filterFloat returns float(v), or the default if v is not a number.
func filterFloat(c *call) object {
	if v, ok := c.of.(pyval.Value); ok {
		if x, err := pyval.ToFloat(v); err == nil {
			return x
		}
	}
	return c.or(0, pyval.Float(0))
}

// filterRound rounds a number to a number of digits, half to even.
func filterRound(c *call) object {
	v := plain(c.line, c.of)
	digits := c.count(c.line, c.or(0, pyval.MakeInt(0)), 300)
	x, ok := v.(pyval.Float)
	if n, isInt := pyval.IntOf(v); isInt {
		if c.got[1] == nil {
			return n
		}
		y, _ := n.Float64()
		x, ok = pyval.Float(y), true
	}
	if !ok {
		fail(c.line, "TypeError: type %s doesn't define __round__ method", typeName(v))
	}
	scale := math.Pow(10, float64(digits))
	switch c.str(c.line, c.or(1, pyval.Str("common"))) {
	case "common":
		y, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'f', digits, 64), 64)
		return pyval.Float(y)
	case "ceil":
		return pyval.Float(math.Ceil(float64(x)*scale) / scale)
	case "floor":
		return pyval.Float(math.Floor(float64(x)*scale) / scale)
	}
	fail(c.line, "method must be common, ceil or floor")
	return nil
}
