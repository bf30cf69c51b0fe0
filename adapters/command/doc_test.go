package command

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var codeBlock = regexp.MustCompile("(?s)```(\\w+)\n(.*?)```")

// TestDocumentation holds docs/adding-a-model.md to what the adapter does: its
// program is the tested one, its request is one we write, its answers are
// understood.
func TestDocumentation(t *testing.T) {
	text := testkit.Must(os.ReadFile("../../docs/adding-a-model.md"))(t)
	example := testkit.Must(os.ReadFile("testdata/first.py"))(t)
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
	v := testkit.Must(pyval.ParseJSON(block))(t)
	doc := v.(*pyval.Dict)
	req := &eval.Request{Mode: eval.Mode(pyval.Text(field(doc, "mode")))}
	for _, m := range field(doc, "messages").(*pyval.List).Items {
		m := m.(*pyval.Dict)
		req.Messages = append(req.Messages, eval.Message{Role: pyval.Text(field(m, "role")), Content: pyval.Text(field(m, "content"))})
	}
	for _, tool := range field(doc, "tools").(*pyval.List).Items {
		req.Tools = append(req.Tools, tool.(*pyval.Dict))
	}
	want := testkit.Must(pyval.JSON(doc, pyval.JSONUnicode|pyval.JSONCompact))(t)
	got := testkit.Must(requestLine(pyval.Text(field(doc, "id")), req))(t)
	require.Equal(t, want+"\n", string(got))
}
