package dialect

import (
	"math"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// llamaCalls reads Llama 3.1's own form: if there is a ";" anywhere, JSON
// objects separated by it; otherwise one Python literal, which is an object or
// a list.
func llamaCalls(result pyval.Value) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	s = strings.ReplaceAll(s, "<|python_tag|>", "")
	var objects []pyval.Value
	if strings.Contains(s, ";") {
		for part := range strings.SplitSeq(s, ";") {
			v, err := decode.LoadJSON(part)
			if err != nil {
				return nil, err
			}
			objects = append(objects, v)
		}
	} else {
		v, err := literal(s)
		if err != nil {
			return nil, err
		}
		if objects = []pyval.Value{v}; v.Kind() != pyval.KindDict {
			if objects, err = decode.Iterate(v); err != nil {
				return nil, err
			}
		}
	}
	return namedCalls(objects, "parameters", anything)
}

// literal evaluates a Python expression of literals and operators; upstream
// evaluates whatever the model wrote. The only functions are conversions, with
// which models put numbers into texts.
func literal(text string) (pyval.Value, error) {
	if strings.ContainsRune(text, 0) {
		return nil, &decode.Error{Class: "SyntaxError", Msg: "source code string cannot contain null bytes"}
	}
	v, err := pycall.Run(text, conversion)
	if err != nil {
		return nil, &decode.Error{Class: "SyntaxError", Msg: err.Error(), Err: err}
	}
	return v, nil
}

// conversion returns str or round, each of one value.
func conversion(name string) (pycall.Function, error) {
	convert := map[string]func(pyval.Value) (pyval.Value, error){"str": textOfValue, "round": rounded}[name]
	if convert == nil {
		return nil, pyval.Raise("NameError", "name '%s' is not defined", name)
	}
	return func(args []pycall.Arg) (pyval.Value, error) {
		if len(args) != 1 || args[0].Name != "" {
			return nil, pyval.Raise("TypeError", "%s() takes one value here", name)
		}
		return convert(args[0].Value)
	}, nil
}

func textOfValue(v pyval.Value) (pyval.Value, error) { return pyval.Str(pyval.Text(v)), nil }

// rounded returns the whole number nearest to a number, with halves to even.
func rounded(v pyval.Value) (pyval.Value, error) {
	if n, ok := pyval.IntOf(v); ok {
		return n, nil
	}
	f, ok := v.(pyval.Float)
	if !ok {
		return nil, pyval.Raise("TypeError", "type %s doesn't define __round__ method", pyval.TypeName(v))
	}
	return pyval.IntFromText(strconv.FormatFloat(math.RoundToEven(float64(f)), 'f', 0, 64)) // an error for inf and nan
}
