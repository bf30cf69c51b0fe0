package sim

import "github.com/gobfcl/bfcl/internal/python/pyval"

// Text is Python's str(v), as an f-string shows a value; the error is what
// str raises.
func Text(v pyval.Value) (string, error) {
	if s, ok := v.(pyval.Str); ok {
		return string(s), nil
	}
	if err := printable(v, 0); err != nil {
		return "", err
	}
	return pyval.Text(v), nil
}

// Around returns a text with a value shown in it, Python's
// f"{before}{v}{after}".
func Around(before string, v pyval.Value, after string) (pyval.Value, error) {
	shown, err := Text(v)
	if err != nil {
		return nil, err
	}
	return pyval.Str(before + shown + after), nil
}

// FailOn returns the answer {"error": text} with a value shown in the text.
func FailOn(before string, v pyval.Value, after string) (pyval.Value, error) {
	text, err := Around(before, v, after)
	if err != nil {
		return nil, err
	}
	return Answer("error", text), nil
}
