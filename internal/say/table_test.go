package say_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/say"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestTable(t *testing.T) {
	one := &say.Table{Head: []string{"", "n"}}
	one.Add("é", "100")
	one.Add("a|b\x1b", "7")
	var text, markdown strings.Builder
	one.Text(&text)
	assert.Equal(t, "           n\né        100\na|b\\x1b    7\n", text.String())
	one.Markdown(&markdown)
	assert.Equal(t, "|  | n |\n|---|---:|\n| é | 100 |\n| a&#124;b&#92;x1b | 7 |\n\n", markdown.String())
	(&say.Table{}).Text(&text)
	assert.True(t, strings.HasSuffix(text.String(), "7\n"), "an empty table writes nothing")
}

func TestTableFit(t *testing.T) {
	wide := &say.Table{Head: []string{"name", "first", "second", "third"}, Spare: []string{"third", "first"}}
	wide.Add("a", "1", "2", "3")
	for _, c := range []struct {
		width int
		head  string
		left  []string
	}{
		{80, "name  first  second  third", nil},
		{26, "name  first  second  third", nil},
		{25, "name  first  second", []string{"third"}},
		{18, "name  second", []string{"first", "third"}},
		{1, "name  second", []string{"first", "third"}},
	} {
		fitted, left := wide.Fit(c.width)
		var b strings.Builder
		fitted.Text(&b)
		head, _, _ := strings.Cut(b.String(), "\n")
		assert.Equal(t, c.head, head, c.width)
		assert.Equal(t, c.left, left, c.width)
	}
	assert.Len(t, wide.Rows[0], 4, "the table itself stays whole")
}

func TestTableColour(t *testing.T) {
	painted := &say.Table{Head: []string{"name"}, Colour: func(row int) int { return 31 * (row % 2) }}
	painted.Add("a")
	painted.Add("b")
	var b strings.Builder
	painted.Text(&b)
	assert.Equal(t, "name\na\n\x1b[31mb\x1b[0m\n", b.String())
	b.Reset()
	painted.Markdown(&b)
	assert.NotContains(t, b.String(), "\x1b")
}
