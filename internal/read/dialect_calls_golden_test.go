package read_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenDialectCalls2026 reads what chat templates of 2026 write for a turn of the
// model, by the dialect that the template's name leads to, and holds how many
// calls of a turn each writes against what is known of its family.
func TestGoldenDialectCalls2026(t *testing.T) {
	tools := callTools(t)
	seen := map[string]dialect.Turn{}
	testkit.Compare(t, testkit.GoldenFile(t, "calls_2026", "calls.jsonl"), func(c *testkit.Comparison) {
		name, text, set := testkit.Text(c.Row, "template"), testkit.Text(c.Row, "text"), testkit.Text(c.Row, "set")
		family, ok := dialect.FamilyOf(name)
		require.True(t, ok, name)
		all := testkit.Field(c.Row, "meant").(*pyval.List)
		meant := held(text, all)
		c.Same(name+", "+set+": "+text, shown(meant), readAs(family.Dialect, text, tools))
		if len(all.Items) > 0 { // a template that fails has no such row
			seen[name] = turnOf(seen[name], set, len(meant.Items))
		}
	})
	templates := map[string]bool{}
	for name, turn := range seen {
		family, _ := dialect.FamilyOf(name)
		templates[family.Dialect.Name] = true
		assert.Equal(t, turn, family.Turn, "%s: calls in one turn", name)
	}
	for _, d := range dialect.All() {
		assert.Equal(t, templates[d.Name] && d.Example() != "", d.Held() == "chat template", "%s is held against %s", d.Name, d.Held())
	}
}

// TestGoldenDialectFamilies leads every template's name to a family.
func TestGoldenDialectFamilies(t *testing.T) {
	data := testkit.Must(os.ReadFile(testkit.GoldenFile(t, "calls_2026", "families.txt")))(t)
	names := strings.Fields(string(data))
	for _, name := range names {
		family, ok := dialect.FamilyOf(name)
		assert.True(t, ok && family.Dialect != nil, name)
	}
	t.Logf("families of 2026: %d names", len(names))
}

// callTools are the functions that the calls are made of.
func callTools(t *testing.T) []*pyval.Dict {
	data := testkit.Must(os.ReadFile(testkit.GoldenFile(t, "calls_2026", "tools.json")))(t)
	in := testkit.Must(pyval.ParseJSON(string(data)))(t)
	var out []*pyval.Dict
	for _, item := range testkit.Field(in.(*pyval.Dict), "tools").(*pyval.List).Items {
		out = append(out, testkit.Field(item.(*pyval.Dict), "function").(*pyval.Dict))
	}
	return out
}

// held returns the calls that a text holds: some templates write none, or the
// first alone.
func held(text string, meant *pyval.List) *pyval.List {
	out := &pyval.List{}
	for _, item := range meant.Items {
		pair := item.(*pyval.List)
		_, rest, found := strings.Cut(text, pyval.Text(pair.Items[0]))
		if !found {
			break
		}
		// Equal values in another order are the same call.
		out.Items = append(out.Items, sortedCall(pyval.Pair(pair.Items[0], pair.Items[1])))
		text = rest
	}
	return out
}

// sortedCall returns a call with its arguments in the order of their names.
func sortedCall(c pyval.Value) pyval.Value {
	text, err := pyval.JSONLayout{Format: pyval.JSONUnicode, Sort: true}.Write(c)
	if err != nil {
		return c
	}
	v, err := pyval.ParseJSON(text)
	if err != nil {
		return c
	}
	return v
}

// readAs returns the calls that a dialect reads, or failed.
func readAs(d *dialect.Dialect, text string, tools []*pyval.Dict) string {
	r, err := d.Read(text, tools, nil)
	if err != nil {
		return failed
	}
	g := dialect.V4(decode.Python)
	g.Tools = tools
	v, err := d.Decode(r.Kept, g)
	list, ok := v.(*pyval.List)
	if err != nil && r.Kept.Kind() == pyval.KindStr { // a text without calls
		return shown(&pyval.List{})
	}
	if err != nil || !ok {
		return failed
	}
	out := &pyval.List{}
	for _, c := range list.Items {
		out.Items = append(out.Items, sortedCall(c))
	}
	return shown(out)
}

// turnOf returns how many calls of a turn a template writes, after one more row.
func turnOf(before dialect.Turn, set string, calls int) dialect.Turn {
	switch {
	case set == "two" && calls > 1:
		return dialect.Several
	case calls > 0 && before != dialect.Several:
		return dialect.One
	case before == "":
		return dialect.None
	}
	return before
}
