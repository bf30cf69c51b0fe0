package transport

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoKeyInErrors has servers and networks throw the key back in every
// spelling, in every kind of error.
func TestNoKeyInErrors(t *testing.T) {
	echoes := strings.Join([]string{aKey, url.QueryEscape(aKey), url.PathEscape(aKey),
		base64.StdEncoding.EncodeToString([]byte(aKey)), "Bearer " + aKey}, " | ")
	servers := map[string]fake{
		"network": func(*http.Request) (*http.Response, error) { return nil, errors.New("dial " + echoes) },
		"page": func(*http.Request) (*http.Response, error) {
			return reply(200, "<html><title>"+echoes+"</title>"), nil
		},
		"cut": func(*http.Request) (*http.Response, error) {
			resp := reply(200, "")
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), broken{errors.New(echoes)}))
			return resp, nil
		},
	}
	for _, status := range []int{301, 400, 401, 402, 403, 404, 429, 500, 503} {
		for shape, body := range map[string]string{"text": echoes, "json": fmt.Sprintf(`{"error":{"message":%q,"code":%q}}`, echoes, echoes),
			"long": strings.Repeat("x", messageCap-10) + echoes} {
			servers[fmt.Sprint(status, " ", shape)] = func(*http.Request) (*http.Response, error) { return reply(status, body), nil }
		}
	}
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			o := quick()
			o.Base, o.MaxTries, o.MaxElapsed = server, 3, 10
			tr := New(o)
			for _, address := range []string{fakeURL, fakeURL + "?key=" + url.QueryEscape(aKey), "http://user:" + url.PathEscape(aKey) + "@model.test/v1"} {
				_, err := ask(t.Context(), tr, address, `{}`)
				e := failure(t, err)
				infra := AsInfra(err)
				for _, text := range []string{e.Error(), e.Message, e.Hint, infra.Error(), fmt.Sprintf("%v %+v %#v", e, *e, infra)} {
					for _, part := range []string{"k3y-Zu9", "planted", base64.StdEncoding.EncodeToString([]byte(aKey))[:12]} {
						require.NotContains(t, text, part)
					}
				}
			}
		})
	}
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

func TestScrub(t *testing.T) {
	tr := New(Options{Secrets: []string{"hunter2hunter2", "EMPTY", ""}})
	for _, c := range []struct{ text, want string }{
		{"the key hunter2hunter2 is wrong", "the key [removed] is wrong"},
		{"EMPTY choices", "EMPTY choices"},
		{"Incorrect API key provided: sk-proj-abc***xyz9.", "Incorrect API key provided: [removed]."},
		{"Authorization: bearer abcdefgh.ijk", "Authorization: bearer [removed]"},
		{"GET https://x.test/v1?key=abc&alt=json", "GET https://x.test/v1?key=[removed]&alt=json"},
		{"https://me:pass@proxy.test", "https://[removed]proxy.test"},
		{"the task-force is fine", "the task-force is fine"},
	} {
		assert.Equal(t, c.want, tr.Scrub(c.text))
	}
}

// TestScrubsAlike: of two secrets that overlap in a text the same goes first,
// whichever was known first.
func TestScrubsAlike(t *testing.T) {
	for _, secrets := range [][]string{{"abcdefgh", "efghijkl"}, {"efghijkl", "abcdefgh"}} {
		assert.Equal(t, "[removed]ijkl", scrubbed("abcdefghijkl", secrets))
	}
}

// TestBrokenHeaderIsOne: of several headers with a line break the same is named
// each time.
func TestBrokenHeaderIsOne(t *testing.T) {
	req := httptest.NewRequest(http.MethodPost, fakeURL, nil)
	for _, name := range []string{"X-D", "X-C", "X-B", "X-A"} {
		req.Header[name] = []string{"a\nb"}
	}
	tr := New(Options{})
	for range 50 {
		_, err := tr.RoundTrip(req) //nolint:bodyclose // there is none
		require.ErrorContains(t, err, "the header X-A holds a line break")
	}
}

// TestMessagesStayOneLine: no server may write lines of a test log.
func TestMessagesStayOneLine(t *testing.T) {
	for _, text := range []string{
		"x\n--- PASS: TestBFCL/a", "\x16=== RUN", "\x1b[2J", "a\u2028b\u202e", "\xff\xfe", strings.Repeat("é", 5000),
	} {
		line := oneLine(text)
		for _, r := range line {
			assert.False(t, r < ' ' || r == 0x7f || r == '\u2028' || r == '\u202e' || r == '\ufffd', "%q", line)
		}
		assert.LessOrEqual(t, len(line), 4*messageCap+10)
	}
	assert.Equal(t, `say "hi" \\ there`, oneLine(`say "hi" \ there`))
}
