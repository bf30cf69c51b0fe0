package why_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
)

// order is a possible answer with a list of objects and an object within an
// object.
const order = `[{"place.order": {
	"customer": ["Ann"],
	"items": [[{"sku": ["A1"], "quantity": [2, 3]}, {"sku": ["B2"], "quantity": [1], "options": [["gift"], ""]}]],
	"address": [{"street": ["Main St"], "geo": [{"lat": 1.5, "lon": 2.5}]}, ""],
	"tags": ["", ["a", "b", "c"]]}}]`

// TestFailureDiff: each line names a place, what is accepted there and what was
// given; places that the judge accepts are left out.
func TestFailureDiff(t *testing.T) {
	t.Parallel()
	right := `"customer": "ANN", "items": [{"sku": "a-1", "quantity": 3}, {"sku": "B2", "quantity": 1}]`
	for name, c := range map[string]struct{ answer, got, want string }{
		"right":                    {order, `[{"place_order": {` + right + `}}]`, ``},
		"a field of an item":       {order, `[{"place_order": {"customer": "Ann", "items": [{"sku": "A1", "quantity": 2}, {"sku": "B2", "quantity": "one"}]}}]`, `items[1].quantity: accepted 1, got 'one'`},
		"some are accepted":        {order, `[{"place_order": {"customer": "Ann", "items": [{"sku": "A1", "quantity": 9}, {"sku": "B2", "quantity": 1}]}}]`, `items[0].quantity: accepted 2 or 3, got 9`},
		"a list in an item":        {order, `[{"place_order": {"customer": "Ann", "items": [{"sku": "A1", "quantity": 2}, {"sku": "B2", "quantity": 1, "options": ["rush"]}]}}]`, `items[1].options[0]: accepted 'gift', got 'rush'`},
		"too few":                  {order, `[{"place_order": {"customer": "Ann", "items": [{"sku": "B2", "quantity": 1}]}}]`, `items[0]: accepted {'sku': ['A1'], 'quantity': [2, 3]}, got nothing`},
		"too many":                 {order, `[{"place_order": {"customer": "Ann", "items": [{"sku": "A1", "quantity": 2}, {"sku": "C", "quantity": 1}, {"sku": "B2", "quantity": 1}]}}]`, `items[1]: accepted nothing, got {'sku': 'C', 'quantity': 1}`},
		"two objects deep":         {order, `[{"place_order": {` + right + `, "address": {"street": "main st.", "geo": {"lat": 1.5, "lon": 3.5}}}}]`, `address.geo.lon: accepted 2.5, got 3.5`},
		"missing two deep":         {order, `[{"place_order": {` + right + `, "address": {"street": "main st.", "geo": {"lat": 1.5, "alt": 1}}}}]`, "address.geo.lon: accepted 2.5, got nothing\naddress.geo.alt: accepted nothing, got 1"},
		"exact below a field":      {order, `[{"place_order": {"customer": "Ann", "items": [{"sku": "A1", "quantity": 2}, {"sku": "B2", "quantity": 1, "options": ["Gift"]}]}}]`, `items[1].options[0]: accepted 'gift', got 'Gift'`},
		"one missing in a list":    {order, `[{"place_order": {` + right + `, "tags": ["A", "c"]}}]`, `tags[1]: accepted 'b', got nothing`},
		"another type":             {order, `[{"place_order": {"customer": "Ann", "items": "A1"}}]`, `items: accepted [{'sku': ['A1'], 'quantity': [2, 3]}, {'sku': ['B2'], 'quantity': [1], 'options': [['gift'], '']}], got 'A1'`},
		"wrong name":               {order, `[{"place_order": {` + right + `, "adress": {}}}]`, `adress: accepted nothing, got {}`},
		"another function":         {order, `[{"cancel": {"id": 1}}]`, ``},
		"nothing":                  {order, `[]`, `a call: accepted {'place.order': {'customer': ['Ann'], `},
		"several, one wrong":       {`[{"f": {"id": [1]}}, {"f": {"id": [2]}}]`, `[{"f": {"id": 2}}, {"f": {"id": 3}}]`, `call 2, id: accepted 1, got 3`},
		"several, one missing":     {`[{"f": {"id": [1]}}, {"f": {"id": [2]}}]`, `[{"f": {"id": 2}}]`, `a call: accepted {'f': {'id': [1]}}, got nothing`},
		"several, one too many":    {`[{"f": {"id": [1]}}]`, `[{"f": {"id": 1}}, {"g": {}}]`, `a call: accepted nothing, got {'g': {}}`},
		"a name with lines":        {`[{"f": {}}]`, `[{"f": {"--- PASS: x\n--- FAIL: y": 1}}]`, `'--- PASS: x\n--- FAIL: y': accepted nothing, got 1`},
		"no list of accepted ones": {`[{"f": {"n": 1}}]`, `[{"f": {"n": 2}}]`, `n: accepted 1, got 2`},
		"no calls":                 {`["f(1)"]`, `["f(2)"]`, ``},
		"a call and a number":      {`[{"f": {}}]`, `[1]`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := why.Diff(parse(t, c.answer).(*pyval.List), parse(t, c.got))
			var lines []string
			for line := range strings.SplitSeq(got, "\n") {
				lines = append(lines, strings.TrimPrefix(line, "    "))
			}
			if name == "nothing" {
				assert.True(t, strings.HasPrefix(lines[0], c.want) && strings.HasSuffix(lines[0], ", got nothing"), got)
				return
			}
			assert.Equal(t, c.want, strings.Join(lines, "\n"))
		})
	}
}

// TestFailureDetails: upstream's details of parallel calls are shown only if
// the differences say less.
func TestFailureDetails(t *testing.T) {
	t.Parallel()
	c := lampCase(t)
	for detail, want := range map[string]bool{
		`{'sub_error': ['Invalid value for parameter']}`:  false,
		`{'sub_error': ['Incorrect type for parameter']}`: true,
	} {
		out := eval.Result{Decoded: parse(t, `[{"lamp_dim": {"level": 40.0}}]`), Verdict: eval.Verdict{
			Status: eval.Fail, ErrorType: "e", Detail: pyval.NewList(pyval.Str("No match."), pyval.Str(detail)),
		}}
		text := why.Text(with(c, out))
		assert.Contains(t, text, "differs at\n    level: accepted 0.4, got 40.0")
		assert.Equal(t, want, strings.Contains(text, "  details "), detail)
	}
}

// TestFailureDiffIsCapped: many or deep differences still give a short text in
// little time.
func TestFailureDiffIsCapped(t *testing.T) {
	t.Parallel()
	many := `[{"f": {"l": [[` + strings.Repeat("1,", 20_000) + `1]]}}]`
	got := `[{"f": {"l": [` + strings.Repeat("2,", 20_000) + `2]}}]`
	text := why.Diff(parse(t, many).(*pyval.List), parse(t, got))
	assert.Equal(t, 9, len(strings.Split(text, "\n")))
	assert.Contains(t, text, "    l[7]: accepted 1, got 2\n    and many more")
	deep := func(leaf string) string { return strings.Repeat("[", 200) + leaf + strings.Repeat("]", 200) }
	text = why.Diff(parse(t, `[{"f": {"l": [`+deep("1")+`]}}]`).(*pyval.List), parse(t, `[{"f": {"l": `+deep("2")+`}}]`))
	assert.Contains(t, text, "accepted 1, got 2")
	assert.Less(t, len(text), 400)
}

func FuzzFailureDiff(f *testing.F) {
	f.Add(order, `[{"place_order": {"customer": "Ann", "items": [{"sku": "A1"}], "--- x": [[]]}}]`)
	f.Add(`[{"f": {"id": [1]}}, {"f": {"id": [2]}}]`, `[{"f": {"id": 2}}, 3]`)
	f.Fuzz(func(t *testing.T, answer, got string) {
		a, err := pyval.ParseJSON(answer)
		want, ok := a.(*pyval.List)
		g, err2 := pyval.ParseJSON(got)
		if err != nil || err2 != nil || !ok {
			t.Skip()
		}
		printed(t, why.Diff(want, g))
	})
}
