package exec_test

import (
	"context"
	"errors"
	"fmt"

	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

// TestRecorder: a replay reads what a recorder wrote, which contains neither
// keys nor the headers that every client sends.
func TestRecorder(t *testing.T) {
	var out strings.Builder
	client := &canned{response: exec.Response{Status: 200, Body: "the key is SECRET\xff"}}
	recorder := exec.NewRecorder(client, func(s string) string { return strings.ReplaceAll(s, "SECRET", "OMDB-API-KEY") }, &out)
	req := exec.Request{Case: "rest_1", Method: "GET", URL: "http://a/?k=SECRET", Header: map[string]string{"X-Key": "SECRET", "B": "2", "User-Agent": "u"}}
	for range 2 {
		got, err := recorder.Do(t.Context(), req)
		require.NoError(t, err)
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
	_, err = recorder.Do(t.Context(), exec.Request{Method: "GET", URL: "http://b/"})
	assert.ErrorContains(t, err, "no answer")
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
	require.NoError(t, exec.Wait(t.Context(), time.Microsecond))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, exec.Wait(ended, time.Hour), context.Canceled)
	client := &canned{}
	env := &exec.Env{Client: client, Sleep: exec.Wait}
	_, err := exec.Run(ended, env, "get_coordinates_from_city('X')")
	require.ErrorIs(t, err, context.Canceled)
	_, err = exec.Get(ended, env, "", "requests.get('https://geocode.maps.co/search')")
	require.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, client.requests)
}

// TestUnjudged: without the API's answer, or without an expected value, a case
// has no verdict, alone or among others.
func TestUnjudged(t *testing.T) {
	want := []exec.Expected{{Value: pyval.MakeInt(6), Rule: exec.ExactMatch}, {Value: pyval.Str("R"), Rule: exec.ExactMatch}}
	_, err := exec.Check(t.Context(), nil, false, want, texts("math_gcd(12, 18)", "get_movie_rating('A')"), nil)
	assert.Equal(t, "unrecorded", eval.InfraKind(err))
	_, err = exec.Check(t.Context(), nil, true, nil, texts("1"), nil)
	assert.ErrorContains(t, err, "the case expects no result")
	// An int beyond the floats has no tolerance around it.
	huge := pyval.MakeInt(10)
	for range 9 {
		v, err := pyval.Operate("*", huge, huge)
		require.NoError(t, err)
		huge = v.(pyval.Int)
	}
	assert.False(t, exec.RealTimeMatch.Match("f()", huge, huge, false).Valid)
	v, err := exec.Expect(t.Context(), nil, []string{"{1, 2}"}, []exec.Rule{exec.ExactMatch})
	require.NoError(t, err)
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
