package sim

import "github.com/gobfcl/bfcl/internal/pyval"

// Show is Python's str(v) as a text holds it: the error is what str raises.
func Show(v pyval.Value) (string, error) {
	if s, ok := v.(pyval.Str); ok {
		return string(s), nil
	}
	if err := printable(v, 0); err != nil {
		return "", err
	}
	return pyval.Text(v), nil
}

// FailWith is the answer {"error": before + str(v) + after}.
func FailWith(before string, v pyval.Value, after string) (pyval.Value, error) {
	text, err := Show(v)
	if err != nil {
		return nil, err
	}
	return Fail(before + text + after), nil
}
