package classes_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
)

func starterDocs(t *testing.T, file string) string {
	t.Helper()
	return filepath.Join(testkit.ModuleRoot(t), "fixtures", "starter", "multi_turn_func_doc", file+".json")
}

// memories are the tool documents of the memory back ends.
var memories = map[string]string{
	"MemoryAPI_kv": "memory_kv", "MemoryAPI_vector": "memory_vector", "MemoryAPI_rec_sum": "memory_rec_sum",
}

func documentsOf(class *sim.Class) string {
	if file, ok := memories[class.Name]; ok {
		return file
	}
	return documents[class.Name]
}

// A signature is what a tool document promises of a method, in order.
type signature struct {
	Name     string
	Params   []string
	Defaults []string // of the optional ones, as Python's repr
	Required []string
}

// TestStarterDocs holds every method table against the starter suite's tool
// documents: methods and parameters in the same order, which are required,
// defaults, and that a default is of its parameter's type.
func TestStarterDocs(t *testing.T) {
	methods := 0
	for _, class := range append(slices.Clip(classes.Library.Classes()), memory.KV, memory.Vector(nil), memory.RecSum) {
		var got, want []signature
		for _, m := range class.Methods {
			want = append(want, tabled(m))
		}
		testkit.Rows(t, starterDocs(t, documentsOf(class)), func(_ int, doc *pyval.Dict) {
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

// TestGoldenStarterDocs holds the starter suite's documents against the
// official ones: the same parameters of the same types, in words of their own.
func TestGoldenStarterDocs(t *testing.T) {
	compared := 0
	for _, file := range append(slices.Sorted(maps.Values(documents)), slices.Sorted(maps.Values(memories))...) {
		compared += sameSchemas(t, file)
	}
	t.Logf("%d schemas compared", compared)
}

func sameSchemas(t *testing.T, file string) (compared int) {
	t.Helper()
	own := map[string]string{}
	said := map[string]bool{}
	testkit.Rows(t, starterDocs(t, file), func(_ int, doc *pyval.Dict) {
		said[testkit.Text(doc, "description")] = true
		eachSchema(doc, func(path string, schema *pyval.Dict) {
			own[testkit.Text(doc, "name")+path] = testkit.Text(schema, "type")
			said[testkit.Text(schema, "description")] = true
		})
	})
	delete(said, "")
	testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", "multi_turn_func_doc", file+".json"), func(_ int, doc *pyval.Dict) {
		assert.False(t, said[testkit.Text(doc, "description")], testkit.Text(doc, "name"))
		eachSchema(doc, func(path string, schema *pyval.Dict) {
			name := testkit.Text(doc, "name") + path
			assert.Equal(t, testkit.Text(schema, "type"), own[name], name)
			assert.False(t, said[testkit.Text(schema, "description")], "%s: %s", name, testkit.Text(schema, "description"))
			delete(own, name)
			compared++
		})
	})
	assert.Empty(t, own, "%s: not in the official documents", file)
	return compared
}
