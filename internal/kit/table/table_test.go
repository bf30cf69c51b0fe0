package table_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/kit/table"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestTable(t *testing.T) {
	one := &table.Table{Head: []string{"", "n"}}
	one.Add("é", "100")
	one.Add("a|b\x1b", "7")
	var text, markdown strings.Builder
	one.Text(&text)
	assert.Equal(t, "           n\né        100\na|b\\x1b    7\n", text.String())
	one.Markdown(&markdown)
	assert.Equal(t, "|  | n |\n|---|---:|\n| é | 100 |\n| a&#124;b&#92;x1b | 7 |\n\n", markdown.String())
	(&table.Table{}).Text(&text)
	assert.True(t, strings.HasSuffix(text.String(), "7\n"), "an empty table writes nothing")
}
