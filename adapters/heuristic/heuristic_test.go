package heuristic

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestConformance(t *testing.T) {
	adaptertest.Run(t, func(*testing.T) eval.Adapter { return New() })
}

// docs are function documents for the tests.
var docs = map[string]string{
	"ferry": `{"name": "ferry.book", "description": "Book a ferry crossing.", "parameters": {"type": "dict", "properties": {
		"origin": {"type": "string", "description": "Harbour of departure."},
		"destination": {"type": "string", "description": "Harbour of arrival."},
		"date": {"type": "string", "description": "Day of the crossing, DD/MM/YYYY."},
		"passengers": {"type": "integer", "description": "Number of passengers."},
		"cabin": {"type": "boolean", "description": "Whether a cabin is booked.", "default": false},
		"deck": {"type": "string", "description": "Deck.", "enum": ["upper", "lower"]}},
		"required": ["origin", "destination", "date", "passengers"]}}`,
	"mortar": `{"name": "mortar_mix", "description": "Water needed for a mortar mix.", "parameters": {"type": "dict", "properties": {
		"cement_kg": {"type": "float", "description": "Cement in kilograms."},
		"moisture": {"type": "float", "description": "Moisture of the sand as a fraction."},
		"batches": {"type": "array", "items": {"type": "integer"}, "description": "Sizes of the batches."}},
		"required": ["cement_kg", "moisture"]}}`,
	"prune": `{"name": "Orchard.prune", "description": "Prunes trees of an orchard.", "parameters": {"type": "dict", "properties": {
		"rows": {"type": "ArrayList", "items": {"type": "integer"}, "description": "Rows of trees."},
		"seed": {"type": "long", "description": "Seed of the orchard plan."},
		"plan": {"type": "HashMap", "description": "Settings of the plan."},
		"dry": {"type": "boolean", "description": "Only plan, prune nothing."}},
		"required": ["rows", "seed", "plan", "dry"]}}`,
	"spin": `{"name": "spinWheel", "description": "Spins a wheel.", "parameters": {"type": "dict", "properties": {
		"wheel": {"type": "any", "description": "The wheel object."},
		"stops": {"type": "array", "items": {"type": "float"}, "description": "Angles to stop the wheel at."},
		"loud": {"type": "Boolean", "description": "With sound."}},
		"required": ["wheel", "stops"]}}`,
}

func request(t *testing.T, mode eval.Mode, question string, names ...string) *eval.Request {
	t.Helper()
	req := &eval.Request{Mode: mode, Messages: []eval.Message{{Role: "user", Content: question}}}
	for _, name := range names {
		v, err := pyval.ParseJSON(docs[name])
		require.NoError(t, err, name)
		req.Tools = append(req.Tools, v.(*pyval.Dict))
	}
	return req
}

func answer(t *testing.T, req *eval.Request) string {
	t.Helper()
	resp, err := New().Generate(t.Context(), req)
	require.NoError(t, err)
	if resp.Result == pyval.Str(refusal) {
		return ""
	}
	return pyval.Text(resp.Result)
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ tools, question, want string }{
		{"ferry", "Book a ferry from Igoumenitsa to Brindisi on 3 May 2027 for 4 passengers, with a cabin on the upper deck.",
			`[ferry.book(origin='Igoumenitsa', destination='Brindisi', date='03/05/2027', passengers=4, cabin=True, deck='upper')]`},
		{"ferry", "Book the ferry crossing to Brindisi from Igoumenitsa, 2027-05-03, three passengers, no cabin",
			`[ferry.book(origin='Igoumenitsa', destination='Brindisi', date='03/05/2027', passengers=3, cabin=False)]`},
		{"mortar", "How much water for a mortar mix with 0.5 tonnes of cement, when the sand has a moisture of 6 percent?",
			`[mortar_mix(cement_kg=500.0, moisture=0.06)]`},
		{"mortar", "Water for a mortar mix: cement 25 kg, moisture 6%, batches of 3, 4 and 5",
			`[mortar_mix(cement_kg=25.0, moisture=0.06, batches=[3, 4, 5])]`},
		{"ferry mortar", "Water for a mortar mix: 25 kg cement, 6% moisture.", `[mortar_mix(cement_kg=25.0, moisture=0.06)]`},
		{"ferry mortar", "Which of Haydn's string quartets is called the lark?", ""},
		{"", "Book a ferry.", ""},
	} {
		t.Run(c.question, func(t *testing.T) {
			require.Equal(t, c.want, answer(t, request(t, eval.Prompt, c.question, strings.Fields(c.tools)...)))
		})
	}
}

func TestSeveralCalls(t *testing.T) {
	for _, c := range []struct{ tools, question, want string }{
		{"ferry", "Book ferry crossings from Patras to Ancona and Bari on 3 May 2027 for 2 passengers.",
			`[ferry.book(origin='Patras', destination='Ancona', date='03/05/2027', passengers=2), ferry.book(origin='Patras', destination='Bari', date='03/05/2027', passengers=2)]`},
		{"mortar", "Water for a mortar mix with 25 kg cement and moisture 5%, then another with 50 kg cement and moisture 8%.",
			`[mortar_mix(cement_kg=25.0, moisture=0.05), mortar_mix(cement_kg=50.0, moisture=0.08)]`},
		{"ferry mortar", "Book a ferry from Patras to Bari on 3 May 2027 for 2 passengers. Also tell me the water for a mortar mix of 25 kg cement at 5% moisture.",
			`[ferry.book(origin='Patras', destination='Bari', date='03/05/2027', passengers=2), mortar_mix(cement_kg=25.0, moisture=0.05)]`},
	} {
		t.Run(c.question, func(t *testing.T) {
			require.Equal(t, c.want, answer(t, request(t, eval.Prompt, c.question, strings.Fields(c.tools)...)))
		})
	}
}

// TestDialects holds the forms in which values travel.
func TestDialects(t *testing.T) {
	prune := "Prune the orchard, rows 4, 5 and 9 of the trees, seed 77, dry please."
	spin := "Spin the wheel bigWheel, stops at angles 1.5 and 90, not loud"
	for _, c := range []struct {
		tool, question string
		mode           eval.Mode
		want           string
	}{
		{"mortar", "Water for a mortar mix: cement 25 kg, moisture 6%", eval.FC, `[{'mortar_mix': '{"cement_kg": 25.0, "moisture": 0.06}'}]`},
		{"prune", prune, eval.FC, `[{'Orchard.prune': '{"rows": "new ArrayList<Integer>(Arrays.asList(4, 5, 9))", "seed": "77L", "plan": "new HashMap<String, Object>() {{ }}", "dry": "true"}'}]`},
		{"prune", prune, eval.Prompt, `[Orchard.prune(rows=new ArrayList<Integer>(Arrays.asList(4, 5, 9)), seed=77L, plan=new HashMap<String, Object>() {{ }}, dry=true)]`},
		{"spin", spin, eval.FC, `[{'spinWheel': '{"wheel": "bigWheel", "stops": "[1.5, 90.0]", "loud": "false"}'}]`},
		{"spin", spin, eval.Prompt, `[spinWheel(wheel=bigWheel, stops=[1.5, 90.0], loud=false)]`},
	} {
		t.Run(c.tool+" "+string(c.mode), func(t *testing.T) {
			require.Equal(t, c.want, answer(t, request(t, c.mode, c.question, c.tool)))
		})
	}
}

func TestTheSameQuestionHasTheSameAnswer(t *testing.T) {
	req := request(t, eval.FC, "Book ferries from Patras to Bari on 3 May 2027 for 2 passengers; a mortar mix with 25 kg cement and 6 percent moisture", "ferry", "mortar", "spin")
	first := answer(t, req)
	for range 50 {
		require.Equal(t, first, answer(t, req))
	}
}

// found writes a question's mentions, each as kind and value.
func found(question string) []string {
	var out []string
	q := readQuestion(question)
	for i := range q.mentions {
		m := &q.mentions[i]
		p := &param{form: anything}
		text := pyval.Text(p.value(m))
		if m.percent {
			text += "%"
		}
		out = append(out, [...]string{"number", "date", "clock", "quoted", "code", "name", "phrase"}[m.kind]+" "+text)
	}
	return out
}

func TestMentions(t *testing.T) {
	for question, want := range map[string][]string{
		"it cost 12,000 or 3.5% or -7":              {"number 12000", "number 3.5%", "number -7"},
		"lists [200,300,400]":                       {"number 200", "number 300", "number 400"},
		"twenty-one, two hundred, half a kilo":      {"number 21", "number 200", "number 0.5"},
		"1.5k, 3 million, two dozen":                {"number 1500", "number 3000000", "number 24"},
		"minus 4 and 2e-9 and 6 percent":            {"number -4", "number 2e-09", "number 6%"},
		"at 298K":                                   {"number 298"},
		"two and a half hours":                      {"number 2.5"},
		"on 2026-02-03, or 3 February 2026":         {"date 2026-02-03", "date 2026-02-03"},
		"the 3rd of February 2026":                  {"date 2026-02-03"},
		"see February 3rd, 2026 or 2/3/2026":        {"date 2026-02-03", "date 2026-02-03"},
		"在2026年2月3日":                                {"date 2026-02-03"},
		"from 18:15 to 8pm, noon, 2:15 p.m.":        {"clock 18:15", "clock 20:00", "clock 12:00", "clock 14:15"},
		`call it "Blue Moon" or 'Old Joe's' now`:    {"quoted Blue Moon", "quoted Old Joe's"},
		"don't say it's O'Hara":                     {"name O'Hara"},
		"mail ada@example.org about rt_ms":          {"code ada@example.org", "code rt_ms"},
		"the file /srv/a.csv, and C4 (C6H12O6).":    {"code /srv/a.csv", "code C4", "code C6H12O6"},
		"see 88-1204 and plate TX-904-B":            {"code 88-1204", "code TX-904-B"},
		"derive 3x^2 + 2x - 1 at x = 4":             {"code 3x**2 + 2x - 1", "number 4"},
		"Play songs by Ada de la Cruz and Bo Lind.": {"name Ada de la Cruz", "name Bo Lind"},
		"Go to Denver, Colorado on Monday":          {"name Denver"},
		"Ask IBM about the U.S. market":             {"name IBM", "name U.S"},
		"":                                          nil,
	} {
		require.Empty(t, cmp.Diff(want, found(question)), question)
	}
}

func TestEnumerations(t *testing.T) {
	q := readQuestion("from Patras to Ancona, Bari and Split, in 5, 6 or 7 days")
	require.Len(t, q.members(q.mentions[1].group), 3)
	require.Len(t, q.members(q.mentions[4].group), 3)
	require.Len(t, q.members(q.mentions[0].group), 1)
}

func TestStem(t *testing.T) {
	for a, b := range map[string]string{
		"calculates": "calculating", "cities": "city", "boxes": "box", "distance": "distances", "passengers": "passenger", "glasses": "glass", "rates": "rate",
	} {
		require.Equal(t, stem(a), stem(b))
	}
	require.NotEqual(t, stem("bus"), stem("bu"))
}

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"get_stock.price": "get stock price", "parseHTTPRequest": "parse HTTPRequest", "OrderId2": "Order Id2", "": "", "__": "",
	} {
		require.Equal(t, want, strings.Join(nameWords(name), " "))
	}
}

func TestUnwrap(t *testing.T) {
	require.Equal(t, `say "a" and "b`, unwrap(` "say "a" and "b" `))
	require.Equal(t, `"`, unwrap(`"`))
}

func TestClip(t *testing.T) {
	require.Equal(t, "aé", clip("aéé", 4))
	require.Equal(t, "aéé", clip("aéé", 5))
}

func FuzzGenerate(f *testing.F) {
	f.Add("Book a ferry from Patras to Bari on 3 May 2027 for 2 passengers.", docs["ferry"])
	f.Add("\x00[1,2,'é 3x^2 +", docs["prune"])
	f.Add("半径5厘米 the", `{"name": "f", "parameters": {"properties": {"a": {"type": "array", "items": {"type": "dict", "properties": {"b": {}}}}}, "required": ["a"]}}`)
	f.Fuzz(func(t *testing.T, question, doc string) {
		v, err := pyval.ParseJSON(doc)
		tool, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return
		}
		for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
			resp, err := New().Generate(t.Context(), &eval.Request{Mode: mode, Tools: []*pyval.Dict{tool}, Messages: []eval.Message{{Role: "user", Content: question}}})
			if err != nil || resp.Result == nil {
				t.Fatal(resp, err)
			}
		}
	})
}
