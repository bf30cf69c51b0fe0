package exec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// TestRecorder: a replay reads what a recorder wrote, which contains neither
// keys nor the headers that every client sends.
func TestRecorder(t *testing.T) {
	var out strings.Builder
	client := &canned{response: exec.Response{Status: 200, Body: "the key is SECRET\xff"}}
	recorder := exec.NewRecorder(client, func(s string) string { return strings.ReplaceAll(s, "SECRET", "OMDB-API-KEY") }, &out)
	req := exec.Request{Case: "rest_1", Method: "GET", URL: "http://a/?k=SECRET", Header: map[string]string{"X-Key": "SECRET", "B": "2", "User-Agent": "u"}}
	for range 2 {
		got := testkit.Must(recorder.Do(t.Context(), req))(t)
		assert.Equal(t, "the key is OMDB-API-KEY\uFFFD", got.Body)
	}
	assert.Len(t, client.requests, 2, "asked again, recorded once")
	assert.Equal(t, `{"id":"rest_1","method":"GET","url":"http://a/?k=OMDB-API-KEY","headers":{"B":"2","X-Key":"OMDB-API-KEY"},"status":200,"body":"the key is OMDB-API-KEY�"}`+"\n", out.String())
	replayed, err := replayOf(t, out.String()).Client.Do(t.Context(), exec.Request{
		Case: "rest_1", Method: "GET", URL: "http://a/?k=OMDB-API-KEY", Header: map[string]string{"X-Key": "YOUR-OMDB-API-KEY", "B": "2"},
	})
	require.NoError(t, err)
	assert.Equal(t, 200, replayed.Status)

	client.raised = eval.Infra("timeout", "no answer")
	assert.ErrorContains(t, testkit.Err(recorder.Do(t.Context(), exec.Request{Method: "GET", URL: "http://b/"})), "no answer")
	full := exec.NewRecorder(&canned{}, func(s string) string { return s }, brokenPipe{})
	_, err = full.Do(t.Context(), exec.Request{Method: "GET", URL: "http://b/" + strings.Repeat("x", 600)})
	assert.Equal(t, "record", eval.InfraKind(err), "an answer that cannot be recorded is no answer")
	assert.NotContains(t, err.Error(), strings.Repeat("x", 500), "long addresses are cut")
}

var errPipe = errors.New("broken pipe")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

// TestWait: waiting ends with the context, and no request follows.
func TestWait(t *testing.T) {
	require.NoError(t, sim.Sleep(t.Context(), time.Microsecond))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, sim.Sleep(ended, time.Hour), context.Canceled)
	client := &canned{}
	env := &exec.Env{Client: client, Sleep: sim.Sleep}
	require.ErrorIs(t, testkit.Err(exec.Run(ended, env, "get_coordinates_from_city('X')")), context.Canceled)
	require.ErrorIs(t, testkit.Err(exec.Get(ended, env, "", "requests.get('https://geocode.maps.co/search')")), context.Canceled)
	assert.Empty(t, client.requests)
}

// TestUnjudged: without the API's answer, or without an expected value, a case
// has no verdict, alone or among others.
func TestUnjudged(t *testing.T) {
	want := []exec.Expected{{Value: pyval.MakeInt(6), Rule: exec.ExactMatch}, {Value: pyval.Str("R"), Rule: exec.ExactMatch}}
	_, err := exec.Check(t.Context(), nil, false, want, texts("math_gcd(12, 18)", "get_movie_rating('A')"), nil)
	assert.Equal(t, "unrecorded", eval.InfraKind(err))
	testkit.Fails(exec.Check(t.Context(), nil, true, nil, texts("1"), nil))(t, "the case expects no result")
	// An int beyond the floats has no tolerance around it.
	huge := pyval.MakeInt(10)
	for range 9 {
		v := testkit.Must(pyval.Operate("*", huge, huge))(t)
		huge = v.(pyval.Int)
	}
	assert.False(t, exec.RealTimeMatch.Match("f()", huge, huge, false).Valid)
	v := testkit.Must(exec.Expect(t.Context(), nil, []string{"{1, 2}"}, []exec.Rule{exec.ExactMatch}))(t)
	assert.Equal(t, "{1, 2}", pyval.Repr(v[0].Value), "what JSON cannot hold stays as it is")
}

// TestAmazonAsksAgain: up to five times while the answer lacks the field, after
// longer and longer pauses; any other trouble is final.
func TestAmazonAsksAgain(t *testing.T) {
	for body, want := range map[string]struct {
		result string
		sleeps []int
	}{
		`{"data": {}}`:                      {"None", []int{1, 2, 4, 8, 16}},
		`{"data": {"product_price": "$5"}}`: {"'$5'", nil},
		`{"data": []}`:                      {"raised TypeError: list indices must be integers or slices, not str", nil},
	} {
		client := &canned{response: exec.Response{Status: 200, Body: body}}
		env := &exec.Env{Client: client, Sleep: client.sleep}
		assert.Equal(t, want.result, outcome(exec.Run(t.Context(), env, "get_price_by_amazon_ASIN('B0')")), body)
		assert.Equal(t, want.sleeps, client.sleeps, body)
		assert.Equal(t, fmt.Sprint(max(1, len(want.sleeps))), fmt.Sprint(len(client.requests)))
	}
}

// TestReplayOther: a row with the url "*" answers what no other row does, for
// any case and headers, and may appear once.
func TestReplayOther(t *testing.T) {
	var r exec.Replay
	require.NoError(t, r.Add("a", strings.NewReader(`{"url": "https://h.example/x", "status": 200, "body": "here"}
{"url": "*", "status": 404, "body": "nowhere"}
`)))
	for url, want := range map[string]string{"https://h.example/x": "here", "https://h.example/y": "nowhere"} {
		got := testkit.Must(r.Do(t.Context(), exec.Request{Method: "GET", URL: url, Case: "some_case"}))(t)
		assert.Equal(t, want, got.Body, url)
	}
	err := r.Add("b", strings.NewReader(`{"url": "*", "status": 500, "body": ""}`))
	assert.EqualError(t, err, `b:1: the url "*" is already at a:2`)
}

// TestLive: live requests, with a local server in place of the APIs.
func TestLive(t *testing.T) {
	const secret = "s3cret&key"
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.RawQuery+" "+r.Header.Get("X-RapidAPI-Key"))
		_, _ = w.Write([]byte(`{"echo": "` + secret + `"}`))
	}))
	defer server.Close()
	env := func(name string) string {
		if strings.HasSuffix(name, "_KEY") {
			return secret
		}
		return ""
	}
	var out bytes.Buffer
	client := web.NewAPIs(env, true)
	recorder := exec.NewRecorder(client, client.Scrub, &out)
	req := exec.Request{Case: "c", Method: "GET", URL: server.URL + "/?k=RAPID-API-KEY", Header: map[string]string{"X-RapidAPI-Key": "RAPID-API-KEY"}}
	for range 2 {
		got := testkit.Must(recorder.Do(t.Context(), req))(t)
		assert.Equal(t, `{"echo": "RAPID-API-KEY"}`, got.Body)
	}
	assert.Equal(t, []string{"k=RAPID-API-KEY RAPID-API-KEY", "k=RAPID-API-KEY RAPID-API-KEY"}, seen, "no key goes to a foreign host")
	assert.NotContains(t, out.String(), secret)
	assert.Equal(t, 1, strings.Count(out.String(), "\n"), "recorded once")
	recorded := &exec.Replay{}
	require.NoError(t, recorded.Add("recorded", &out))
	again := testkit.Must(recorded.Do(t.Context(), req))(t)
	assert.Equal(t, 200, again.Status)

	_, err := web.NewAPIs(env, false).Do(t.Context(), req)
	assert.ErrorContains(t, err, "not on the public internet")
	assert.Equal(t, "network", eval.InfraKind(err))
}

func TestLiveNeedsKeys(t *testing.T) {
	none := func(string) string { return "" }
	env := &exec.Env{Client: web.NewAPIs(none, false)}
	assert.EqualError(t, testkit.Err(exec.Run(t.Context(), env, "get_movie_rating('A')")), "missing_key: OMDB_API_KEY is not set: no request to www.omdbapi.com")
	testkit.Fails(exec.Run(t.Context(), env, "get_covid_death_by_country('A')"))(t, "RAPID_API_KEY is not set")
}

// TestLiveRedirectTakesNoKeyAlong: neither in a header nor as the referrer, which
// Go's client makes of the address.
func TestLiveRedirectTakesNoKeyAlong(t *testing.T) {
	const secret = "s3cret-0123456789"
	var came []http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came = append(came, r.Header)
		_, _ = w.Write([]byte("there"))
	}))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, secret, r.Header.Get("X-Rapidapi-Key"))
		http.Redirect(w, r, other.URL, http.StatusFound)
	}))
	defer first.Close()
	got, err := web.NewAPIs(func(string) string { return "" }, true).Do(t.Context(),
		exec.Request{Method: "GET", URL: first.URL + "/?key=" + secret, Header: map[string]string{"X-RapidAPI-Key": secret}})
	require.NoError(t, err)
	assert.Equal(t, "there", got.Body)
	require.Len(t, came, 1)
	for name, values := range came[0] {
		assert.NotContains(t, strings.Join(values, " "), secret, name)
	}
}

// TestLiveStaysPublic: a model chooses the addresses of the REST category.
func TestLiveStaysPublic(t *testing.T) {
	client := web.NewAPIs(func(string) string { return "" }, false)
	for _, address := range []string{
		"http://127.0.0.1/", "http://localhost/", "http://169.254.169.254/", "http://100.100.100.200/", "http://168.63.129.16/",
		"http://192.0.0.192/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://0.0.0.0/",
	} {
		assert.ErrorContains(t, testkit.Err(client.Do(t.Context(), exec.Request{Method: "GET", URL: address})), "not on the public internet", address)
	}
}
