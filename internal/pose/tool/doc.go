// Package tool turns BFCL's function documents into the tool schemas that
// providers take, as upstream does it: first language hints are added to the
// descriptions (Hinted), then types are mapped, keys a provider refuses are
// folded into descriptions, and the document gets the provider's frame
// (Convert). The words that are added come from the dataset's prompts.json.
package tool

import (
	"errors"
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A DocError says that a function document cannot be used. Upstream raises an
// exception for it.
type DocError struct {
	// Function is the function's name, "" if the document has none.
	Function string
	// Kind is the Python exception's class, such as "KeyError".
	Kind string
	// Msg is the exception's text; for a KeyError it is Python's repr of the
	// missing or unknown key.
	Msg string
}

// Error names the function and what is wrong.
func (e *DocError) Error() string {
	return fmt.Sprintf("function document %.80q: %s: %.200s", e.Function, e.Kind, e.Msg)
}

func keyError(key pyval.Value) error {
	return &DocError{Kind: "KeyError", Msg: pyval.Repr(key)}
}

func typeError(what string, v pyval.Value, want string) error {
	return &DocError{Kind: "TypeError", Msg: fmt.Sprintf("%s must be %s, not %s", what, want, pyval.TypeName(v))}
}

// InFunction adds a document's name to a DocError that lacks it.
func InFunction(doc *pyval.Dict, err error) error {
	var e *DocError
	if !errors.As(err, &e) || e.Function != "" {
		return err
	}
	if name, ok := doc.GetStr("name"); ok {
		e.Function = pyval.Text(name)
	}
	return e
}

// Need returns the value of a key that a document must have.
func Need(d *pyval.Dict, key string) (pyval.Value, error) {
	if v, ok := d.GetStr(key); ok {
		return v, nil
	}
	return nil, keyError(pyval.Str(key))
}

// NeedDict is like Need for a value that must be a dict.
func NeedDict(d *pyval.Dict, key string) (*pyval.Dict, error) {
	v, err := Need(d, key)
	if err != nil {
		return nil, err
	}
	return asDict(key, v)
}

func asDict(what string, v pyval.Value) (*pyval.Dict, error) {
	if d, ok := v.(*pyval.Dict); ok {
		return d, nil
	}
	return nil, typeError(what, v, "dict")
}

// extend appends a text to the description, which must exist.
func extend(d *pyval.Dict, text string) error {
	v, err := Need(d, "description")
	if err != nil {
		return err
	}
	old, ok := v.(pyval.Str)
	if !ok {
		return typeError("description", v, "str")
	}
	d.SetStr("description", old+pyval.Str(text))
	return nil
}
