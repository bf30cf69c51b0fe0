package completion

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TextsFile is the file of a dataset that holds upstream's texts. Verdicts do
// not depend on it.
const TextsFile = "handlers.texts"

// Texts are upstream's own, by dialect and name.
type Texts map[string]map[string]string

// ReadTexts reads a TextsFile.
func ReadTexts(data []byte) (Texts, error) {
	v, err := pyval.ParseJSON(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", TextsFile, err)
	}
	root, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("%s: must be an object, not %s", TextsFile, pyval.TypeName(v))
	}
	out := Texts{}
	for dialect, val := range root.All() {
		texts := map[string]string{}
		inner, ok := val.(*pyval.Dict)
		if !ok {
			return nil, fmt.Errorf("%s: %.40q must be an object, not %s", TextsFile, pyval.Text(dialect), pyval.TypeName(val))
		}
		for key, text := range inner.All() {
			texts[pyval.Text(key)] = pyval.Text(text)
		}
		out[pyval.Text(dialect)] = texts
	}
	return out, nil
}
