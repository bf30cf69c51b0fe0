package exec_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/gobfcl/bfcl/internal/world/exec/live"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	client := live.New(env, true)
	recorder := exec.NewRecorder(client, client.Scrub, &out)
	req := exec.Request{Case: "c", Method: "GET", URL: server.URL + "/?k=RAPID-API-KEY", Header: map[string]string{"X-RapidAPI-Key": "RAPID-API-KEY"}}
	for range 2 {
		got, err := recorder.Do(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, `{"echo": "RAPID-API-KEY"}`, got.Body)
	}
	assert.Equal(t, []string{"k=RAPID-API-KEY RAPID-API-KEY", "k=RAPID-API-KEY RAPID-API-KEY"}, seen, "no key goes to a foreign host")
	assert.NotContains(t, out.String(), secret)
	assert.Equal(t, 1, strings.Count(out.String(), "\n"), "recorded once")
	recorded := &exec.Replay{}
	require.NoError(t, recorded.Add("recorded", &out))
	again, err := recorded.Do(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, 200, again.Status)

	_, err = live.New(env, false).Do(t.Context(), req)
	assert.ErrorContains(t, err, "not on the public internet")
	assert.Equal(t, "network", eval.InfraKind(err))
}

func TestLiveNeedsKeys(t *testing.T) {
	none := func(string) string { return "" }
	env := &exec.Env{Client: live.New(none, false)}
	_, err := exec.Run(t.Context(), env, "get_movie_rating('A')")
	assert.EqualError(t, err, "missing_key: OMDB_API_KEY is not set: no request to www.omdbapi.com")
	_, err = exec.Run(t.Context(), env, "get_covid_death_by_country('A')")
	assert.ErrorContains(t, err, "RAPID_API_KEY is not set")
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
	got, err := live.New(func(string) string { return "" }, true).Do(t.Context(),
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
	client := live.New(func(string) string { return "" }, false)
	for _, address := range []string{
		"http://127.0.0.1/", "http://localhost/", "http://169.254.169.254/", "http://100.100.100.200/", "http://168.63.129.16/",
		"http://192.0.0.192/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://0.0.0.0/",
	} {
		_, err := client.Do(t.Context(), exec.Request{Method: "GET", URL: address})
		assert.ErrorContains(t, err, "not on the public internet", address)
	}
}
