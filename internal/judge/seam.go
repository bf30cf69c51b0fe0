package judge

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/pyval"
)

// noConverter stands in until the languages' converters are there.
func noConverter(_, _, _ string) (pyval.Value, error) {
	return nil, errors.New("no converter for this language yet")
}
