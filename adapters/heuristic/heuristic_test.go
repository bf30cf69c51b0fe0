package heuristic

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
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
	resp := testkit.Must(New().Generate(t.Context(), req))(t)
	if resp.Result == pyval.Str(refusal) {
		return ""
	}
	return pyval.Text(resp.Result)
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ tools, question, want string }{
		{"ferry", "Book a ferry from Igoumenitsa to Brindisi on 3 May 2027 for 4 passengers, with a cabin on the upper deck.",
			`[ferry.book(origin='Igoumenitsa', destination='Brindisi', date='2027-05-03', passengers=4, cabin=True, deck='upper')]`},
		{"ferry", "Book the ferry crossing to Brindisi from Igoumenitsa, 2027-05-03, three passengers, no cabin",
			`[ferry.book(origin='Igoumenitsa', destination='Brindisi', date='2027-05-03', passengers=3, cabin=False)]`},
		{"mortar", "Water for a mortar mix: cement 25 kg, moisture 6%, batches of 3, 4 and 5",
			`[mortar_mix(cement_kg=25.0, moisture=0.06, batches=[3, 4, 5])]`},
		{"ferry mortar", "Water for a mortar mix: 25 kg cement, 6% moisture.", `[mortar_mix(cement_kg=25.0, moisture=0.06)]`},
		{"mortar", "Water for a mortar mix with 25 kg cement and moisture 5%, then another mortar mix with water, 50 kg cement and moisture 8%.",
			`[mortar_mix(cement_kg=25.0, moisture=0.05), mortar_mix(cement_kg=50.0, moisture=0.08)]`},
		{"ferry mortar", "Which of Haydn's string quartets is called the lark?", ""},
		{"", "Book a ferry.", ""},
	} {
		t.Run(c.question, func(t *testing.T) {
			require.Equal(t, c.want, answer(t, request(t, eval.Prompt, c.question, strings.Fields(c.tools)...)))
		})
	}
}

// TestLanguages holds the forms in which values travel.
func TestLanguages(t *testing.T) {
	prune := "Prune the orchard, rows 4, 5 and 9 of the trees, seed 77, dry please."
	for _, c := range []struct {
		tool, question string
		mode           eval.Mode
		want           string
	}{
		{"mortar", "Water for a mortar mix: cement 25 kg, moisture 6%", eval.FC, `[{'mortar_mix': '{"cement_kg": 25.0, "moisture": 0.06}'}]`},
		{"prune", prune, eval.FC, `[{'Orchard_prune': '{"rows": "new ArrayList<Integer>(Arrays.asList(4, 5, 9))", "seed": "77L", "plan": "new HashMap<String, Object>() {{ }}", "dry": "true"}'}]`},
		{"prune", prune, eval.Prompt, `[Orchard.prune(rows=new ArrayList<Integer>(Arrays.asList(4, 5, 9)), seed=77L, plan=new HashMap<String, Object>() {{ }}, dry=true)]`},
		{"spin", "Spin the wheel bigWheel, stops at angles 1.5 and 90, not loud", eval.FC, `[{'spinWheel': '{"wheel": "bigWheel", "stops": "[1.5, 90.0]", "loud": "false"}'}]`},
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

func TestMentions(t *testing.T) {
	for question, want := range map[string]string{
		"it cost 12,000 or 3.5% or -7":            "4:12,000 4:3.5% 4:-7",
		"on 2026-02-03, or 3 February 2026":       "2:2026-02-03 2:2026-02-03",
		"the 3rd of February 2026, three times":   "2:2026-02-03 4:3",
		`call it "Blue Moon" or 'Old Joe' now`:    "1:Blue Moon 1:Old Joe",
		"mail ada@example.org about rt_ms":        "3:ada@example.org 3:rt_ms",
		"the file /srv/a.csv, plate TX-904-B":     "3:/srv/a.csv 3:TX-904-B",
		"see 88-1204 and element #hero, bigWheel": "3:88-1204 3:#hero 3:bigWheel",
		"Play songs by Ada Lind and by Vivaldi's": "5:Ada Lind 5:Vivaldi",
		"": "",
	} {
		var found []string
		for _, m := range mentions(question) {
			found = append(found, fmt.Sprintf("%d:%s", m.kind, m.text))
		}
		assert.Equal(t, want, strings.Join(found, " "), question)
	}
}

func TestStem(t *testing.T) {
	for a, b := range map[string]string{
		"calculates": "calculate", "distance": "distances", "passengers": "passenger", "rates": "rate",
	} {
		require.Equal(t, stem(a), stem(b))
	}
	require.Equal(t, []string{"pars", "http", "request"}, stems("the parse HTTP request"))
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

// TestWords: words are what a pattern says, of any text.
func TestWords(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(`\p{Han}|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\pN+`)
	require.Equal(t, []string{"get", "HTTPR", "esponse", "Code", "2", "der", "Straße", "東", "京"}, words("getHTTPResponseCode_2 der Straße東京"))
	alphabet := []rune("aAbBßÉé12²Ⅻ〇東京 ._\u0301ǅʰª\ufffd")
	draw := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var text []byte
		for range draw.IntN(12) {
			if draw.IntN(30) == 0 {
				text = append(text, 0xe6) // no whole character
				continue
			}
			text = utf8.AppendRune(text, alphabet[draw.IntN(len(alphabet))])
		}
		require.Equalf(t, pattern.FindAllString(string(text), -1), words(string(text)), "%q", text)
	}
}

// TestConversation: a conversation is answered in words, whatever the tools are.
func TestConversation(t *testing.T) {
	for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
		req := request(t, mode, "Prune row 4.", "prune")
		req.Conversation = true
		assert.Equal(t, single, answer(t, req))
	}
}
