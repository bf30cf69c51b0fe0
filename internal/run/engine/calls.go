package engine

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// decoded returns an answer's calls as Python texts, like upstream's
// decode_execute.
func decoded(result pyval.Value, s eval.Settings) ([]string, error) {
	if s.Dialect == "" && s.Mode == eval.Prompt && result.Kind() != pyval.KindStr {
		return nil, decode.NoAttribute(result, "strip")
	}
	return multiturn.Execute(result, s)
}

// errorText returns Python's text of a decoding error, for the log.
func errorText(result pyval.Value, err error) string {
	var e *decode.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	switch e.Class {
	case "JSONDecodeError", "RecursionError", "ValueError":
		if text, cause := brokenArguments(result); cause != nil {
			return pyval.JSONException(text, cause).Msg
		}
	case "SyntaxError":
		return e.Msg + " (<unknown>, line 1)"
	case "AssertionError":
		return "" // upstream's assertions have no text
	}
	return e.Msg
}

// brokenArguments returns the first arguments that are not JSON, and the error.
func brokenArguments(result pyval.Value) (string, error) {
	list, _ := result.(*pyval.List)
	if list == nil {
		return "", nil
	}
	for _, item := range list.Items {
		call, _ := item.(*pyval.Dict)
		if call == nil {
			continue
		}
		for _, args := range call.All() {
			if text, ok := args.(pyval.Str); ok {
				if _, err := pyval.ParseJSON(string(text)); err != nil {
					return string(text), err
				}
			}
		}
	}
	return "", nil
}
