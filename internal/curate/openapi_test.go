package curate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/curate/validate"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// beginOpenAPI makes a suite of a document, writes it, and checks it.
func beginOpenAPI(t *testing.T, file string, operations ...string) (*ownsuite.Scaffold, *validate.Report) {
	data := testkit.Must(os.ReadFile(file))(t)
	s, err := ownsuite.Begin("api", ownsuite.Source{Name: filepath.Base(file), Data: data, Operations: operations, Fits: validate.Fits})
	if err != nil {
		t.Logf("%s is refused: %.300v", filepath.Base(file), err)
		return nil, nil
	}
	dir := filepath.Join(t.TempDir(), "suite")
	require.NoError(t, ownsuite.WriteNew(dir, s.Names, s.Files))
	report := testkit.Must(validate.Folder(dir, ""))(t)
	return s, report
}

func writtenTools(t *testing.T, s *ownsuite.Scaffold) map[string]string {
	out := map[string]string{}
	for _, tool := range s.Tools {
		text := testkit.Must(pyval.JSON(tool.Written.Child("parameters"), 0))(t)
		out[tool.Name] = text
	}
	return out
}

// TestOpenAPIWalk: a document becomes a suite without an error, whatever no tool
// can express, or is refused as a whole. BFCL_OPENAPI names a folder with
// further documents, such as those that companies publish.
func TestOpenAPIWalk(t *testing.T) {
	files := testkit.Must(filepath.Glob("testdata/openapi/*"))(t)
	if more := os.Getenv("BFCL_OPENAPI"); more != "" {
		found := testkit.Must(filepath.Glob(filepath.Join(more, "*.*")))(t)
		files = append(files, found...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s, report := beginOpenAPI(t, file)
			if s == nil {
				return
			}
			reasons := map[string]int{}
			for _, left := range s.Left {
				reasons[left.Reason]++
			}
			renamed := strings.Count(string(s.Files["tools/names.yaml"]), "\n")
			t.Logf("%d tools, %d renamed, %d left out %v, %d cases, %d warnings", len(s.Tools), renamed, len(s.Left), reasons, report.Cases, report.Warnings)
			assert.Zero(t, report.Errors, report.Problems)
			assert.Less(t, report.Warnings, 20)
			assert.Equal(t, len(s.Tools), report.Tools)
			for _, tool := range s.Tools {
				assert.Regexp(t, ownsuite.Callable(), tool.Name)
			}
		})
	}
}

// TestOpenAPIShapes: what becomes of circles, allOf, nullable, discriminators,
// forms and files.
func TestOpenAPIShapes(t *testing.T) {
	s, report := beginOpenAPI(t, "testdata/openapi/shapes.yaml")
	require.NotNil(t, s)
	assert.Equal(t, map[string]string{
		"trees_replace": `{"type": "object", "properties": {"id": {"type": ["integer", "null"], "description": "of the operation"}, "body_id": {"type": "string"}, "children": {"type": "array", "items": {}}}, "required": ["id", "body_id"]}`,
		"trees_remove":  `{"type": "object", "properties": {"id": {"type": "string", "description": "of the path"}}, "required": ["id"]}`,
		"animals.add": `{"type": "object", "properties": {"animal": {"oneOf": [` +
			`{"type": "object", "required": ["kind", "lives"], "properties": {"kind": {"type": "string", "enum": ["feline"]}, "lives": {"type": "integer", "minimum": 2}}}, ` +
			`{"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string", "enum": ["Dog"]}, "xml": {"type": "string"}}}]}}, "required": ["animal"]}`,
		"post_notes": `{"type": "object", "properties": {"body": {"type": "string"}}, "required": ["body"]}`,
	}, writtenTools(t, s))
	var left []string
	for _, l := range s.Left {
		left = append(left, l.Operation+": "+l.Reason)
	}
	assert.Equal(t, []string{
		"upload: it needs a file or other binary content, which a call cannot have",
		"sign: its body is in a form that is neither JSON, a web form nor text",
		`far: the reference "other.yaml#/x" leaves the file: copy what it points to into the file`,
	}, left)
	assert.Equal(t, "\"trees/replace\": trees_replace\n\"trees/remove\": trees_remove\n", string(s.Files["tools/names.yaml"]))
	assert.Contains(t, string(s.Files["cases/requests.yaml"]), `"animal": {value: {"kind": "feline", "lives": 2}}`)
	assert.Empty(t, report.Problems)

	s, _ = beginOpenAPI(t, "testdata/openapi/swagger.json")
	require.NotNil(t, s)
	assert.Equal(t, map[string]string{
		"form": `{"type": "object", "properties": {"token": {"type": "string"}, "n": {"type": "integer"}}, "required": ["n"]}`,
		"put":  `{"type": "object", "properties": {"x": {"type": "array", "items": {"type": "string"}}}, "required": ["x"]}`,
	}, writtenTools(t, s))
}

// TestOpenAPIOperations: operations are chosen by ids, tags, methods, paths and
// patterns; a choice that selects nothing, or an operation that is asked for
// but cannot be a tool, is refused.
func TestOpenAPIOperations(t *testing.T) {
	for _, c := range []struct {
		operations []string
		want       []string
	}{
		{[]string{"trees/remove"}, []string{"trees_remove"}},
		{[]string{"trees/*"}, []string{"trees_replace", "trees_remove"}},
		{[]string{"tag:trees", "!DELETE"}, []string{"trees_replace"}},
		{[]string{"DELETE"}, []string{"trees_remove"}},
		{[]string{"/notes", "put /trees/*"}, []string{"trees_replace", "post_notes"}},
		{[]string{"!trees/*"}, []string{"animals.add", "post_notes"}},
		{[]string{"tree/*"}, nil},
		{[]string{"upload"}, nil},
	} {
		s, report := beginOpenAPI(t, "testdata/openapi/shapes.yaml", c.operations...)
		if c.want == nil {
			assert.Nil(t, s, c.operations)
			continue
		}
		require.NotNil(t, s, c.operations)
		var names []string
		for _, tool := range s.Tools {
			names = append(names, tool.Name)
		}
		assert.Equal(t, c.want, names, c.operations)
		assert.Equal(t, len(c.want), report.Tools, "the suite keeps the choice")
	}
}
