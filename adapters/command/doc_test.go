package command

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var codeBlock = regexp.MustCompile("(?s)```(\\w+)\n(.*?)```")

// TestDocumentation holds docs/adding-a-model.md to what the adapter does: its
// program is the tested one, its request is one we write, its answers are
// understood.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/adding-a-model.md")
	require.NoError(t, err)
	example, err := os.ReadFile("testdata/first.py")
	require.NoError(t, err)
	require.Contains(t, string(text), "```python\n"+string(example)+"```")

	var blocks []string
	for _, block := range codeBlock.FindAllStringSubmatch(string(text), -1) {
		if block[1] == "json" {
			blocks = append(blocks, block[2])
		}
	}
	require.GreaterOrEqual(t, len(blocks), 2)
	documentedRequest(t, blocks[0])
	kinds := []string{"", "", "program"}
	for i, line := range strings.Split(strings.TrimSpace(blocks[1]), "\n") {
		_, err := parseAnswer(line, "17", eval.FC)
		if kinds[i] == "" {
			require.NoError(t, err, line)
			continue
		}
		require.Equal(t, kinds[i], eval.InfraKind(err), line)
	}
}

// documentedRequest writes the request that the document shows and compares.
func documentedRequest(t *testing.T, block string) {
	t.Helper()
	v, err := pyval.ParseJSON(block)
	require.NoError(t, err)
	doc := v.(*pyval.Dict)
	req := &eval.Request{Mode: eval.Mode(pyval.Text(field(doc, "mode")))}
	for _, m := range field(doc, "messages").(*pyval.List).Items {
		m := m.(*pyval.Dict)
		req.Messages = append(req.Messages, eval.Message{Role: pyval.Text(field(m, "role")), Content: pyval.Text(field(m, "content"))})
	}
	for _, tool := range field(doc, "tools").(*pyval.List).Items {
		req.Tools = append(req.Tools, tool.(*pyval.Dict))
	}
	want, err := pyval.JSON(doc, pyval.JSONUnicode|pyval.JSONCompact)
	require.NoError(t, err)
	got, err := requestLine(pyval.Text(field(doc, "id")), req)
	require.NoError(t, err)
	require.Equal(t, want+"\n", string(got))
}
