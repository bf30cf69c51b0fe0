package sim_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// ownDocs visits the function documents that a class brings.
func ownDocs(t *testing.T, class *sim.Class, visit func(doc *pyval.Dict)) {
	t.Helper()
	for line := range strings.Lines(class.Doc) {
		v, err := pyval.ParseJSON(line)
		require.NoError(t, err, class.Name)
		visit(v.(*pyval.Dict))
	}
}

// A signature is what a tool document promises of a method, in order.
type signature struct {
	Name     string
	Params   []string
	Defaults []string // of the optional ones, as Python's repr
	Required []string
}

// TestStarterDocs compares every method table with the starter suite's tool
// documents: methods and parameters in the same order, which are required, and
// defaults, which have their parameter's type.
func TestStarterDocs(t *testing.T) {
	methods := 0
	for _, class := range classes.All.Classes() {
		var got, want []signature
		for _, m := range class.Methods {
			want = append(want, tabled(m))
		}
		ownDocs(t, class, func(doc *pyval.Dict) {
			got = append(got, promised(doc))
			eachSchema(doc, func(path string, schema *pyval.Dict) {
				assert.NotEmpty(t, pythonTypes[testkit.Text(schema, "type")], "%s of %s: type", path, testkit.Text(doc, "name"))
				if v, ok := schema.GetStr("default"); ok {
					assert.Equal(t, pythonTypes[testkit.Text(schema, "type")], pyval.TypeName(v), "%s of %s: default", path, testkit.Text(doc, "name"))
				}
			})
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-table +documents):\n%s", class.Name, diff)
		}
		methods += len(want)
	}
	t.Logf("%d methods compared", methods)
}

// pythonTypes are the types of values that a document's types stand for.
var pythonTypes = map[string]string{
	"string": "str", "integer": "int", "float": "float", "boolean": "bool", "array": "list", "dict": "dict",
}

func tabled(m sim.Method) signature {
	s := signature{Name: m.Name}
	for _, p := range m.Params {
		s.Params = append(s.Params, p.Name)
		switch {
		case p.Default == nil:
			s.Required = append(s.Required, p.Name)
		case p.Default.Kind() == pyval.KindNone:
			s.Defaults = append(s.Defaults, "'None'") // as upstream's documents have it
		default:
			s.Defaults = append(s.Defaults, pyval.Repr(p.Default))
		}
	}
	return s
}

func promised(doc *pyval.Dict) signature {
	s := signature{Name: testkit.Text(doc, "name")}
	parameters := testkit.Field(doc, "parameters").(*pyval.Dict)
	for name, schema := range testkit.Field(parameters, "properties").(*pyval.Dict).All() {
		s.Params = append(s.Params, pyval.Text(name))
		if v, ok := schema.(*pyval.Dict).GetStr("default"); ok {
			s.Defaults = append(s.Defaults, pyval.Repr(v))
		}
	}
	for _, name := range testkit.Field(parameters, "required").(*pyval.List).Items {
		s.Required = append(s.Required, pyval.Text(name))
	}
	return s
}

// eachSchema visits the schemas of a document's parameters.
func eachSchema(doc *pyval.Dict, visit func(path string, schema *pyval.Dict)) {
	var walk func(path string, schema *pyval.Dict)
	walk = func(path string, schema *pyval.Dict) {
		visit(path, schema)
		if items, ok := schema.GetStr("items"); ok {
			walk(path+"[]", items.(*pyval.Dict))
		}
		if props, ok := schema.GetStr("properties"); ok {
			for name, prop := range props.(*pyval.Dict).All() {
				walk(path+"."+pyval.Text(name), prop.(*pyval.Dict))
			}
		}
	}
	walk("", testkit.Field(doc, "parameters").(*pyval.Dict))
}

// TestGoldenStarterDocs compares the starter suite's documents with the
// official ones: the same parameters of the same types, in other words.
func TestGoldenStarterDocs(t *testing.T) {
	compared := 0
	for _, class := range upstreams(classes.All) {
		compared += sameSchemas(t, class)
	}
	t.Logf("%d schemas compared", compared)
}

func sameSchemas(t *testing.T, class *sim.Class) (compared int) {
	t.Helper()
	own := map[string]string{}
	said := map[string]bool{}
	ownDocs(t, class, func(doc *pyval.Dict) {
		said[testkit.Text(doc, "description")] = true
		eachSchema(doc, func(path string, schema *pyval.Dict) {
			own[testkit.Text(doc, "name")+path] = testkit.Text(schema, "type")
			said[testkit.Text(schema, "description")] = true
		})
	})
	delete(said, "")
	testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", "multi_turn_func_doc", class.DocFile), func(_ int, doc *pyval.Dict) {
		assert.False(t, said[testkit.Text(doc, "description")], testkit.Text(doc, "name"))
		eachSchema(doc, func(path string, schema *pyval.Dict) {
			name := testkit.Text(doc, "name") + path
			assert.Equal(t, testkit.Text(schema, "type"), own[name], name)
			assert.False(t, said[testkit.Text(schema, "description")], "%s: %s", name, testkit.Text(schema, "description"))
			delete(own, name)
			compared++
		})
	})
	assert.Empty(t, own, "%s: not in the official documents", class.Name)
	return compared
}

// TestGoldenDocs compares every method table with upstream's tool documents:
// the same methods in the same order, with the same parameters. The required
// ones have the order of the documents' list of them: one document lists its
// properties in another.
func TestGoldenDocs(t *testing.T) {
	methods := 0
	for _, class := range upstreams(classes.All) {
		var want, got [][]string
		testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", "multi_turn_func_doc", class.DocFile), func(_ int, doc *pyval.Dict) {
			want = append(want, documented(doc))
		})
		for _, m := range class.Methods {
			s := tabled(m)
			got = append(got, append(append([]string{s.Name}, s.Required...), s.Params[len(s.Required):]...))
		}
		assert.Equal(t, want, got, class.Name)
		methods += len(got)
	}
	t.Logf("%d methods compared", methods)
}

// documented returns a document's name, required parameters and others.
func documented(doc *pyval.Dict) []string {
	out := []string{testkit.Text(doc, "name")}
	params := testkit.Field(doc, "parameters").(*pyval.Dict)
	required := testkit.Field(params, "required").(*pyval.List)
	for _, name := range required.Items {
		out = append(out, pyval.Text(name))
	}
	for name := range testkit.Field(params, "properties").(*pyval.Dict).All() {
		if is, _ := pyval.Contains(required, name); !is {
			out = append(out, pyval.Text(name))
		}
	}
	return out
}
