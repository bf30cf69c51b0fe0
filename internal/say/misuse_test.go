package say_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/misuse"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestMisuseIs(t *testing.T) {
	t.Parallel()
	marked := misuse.Errorf("read %s: %w", "x", os.ErrNotExist)
	for _, row := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{misuse.Mark(nil), false},
		{errors.New("x"), false},
		{marked, true},
		{fmt.Errorf("gate: %w", marked), true},
		{errors.Join(errors.New("x"), misuse.Mark(errors.New("y"))), true},
	} {
		assert.Equal(t, row.want, misuse.Is(row.err), "%v", row.err)
	}
	assert.EqualError(t, marked, "read x: file does not exist")
	assert.ErrorIs(t, marked, os.ErrNotExist)
}
