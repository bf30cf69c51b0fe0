package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/gobfcl/bfcl/internal/world/exec/live"
)

// elsewhere asks one server in place of every API.
type elsewhere struct {
	exec.Client
	server *url.URL
}

func (e elsewhere) Do(ctx context.Context, req exec.Request) (exec.Response, error) {
	u, err := url.Parse(req.URL)
	if err != nil {
		return exec.Response{}, err
	}
	u.Scheme, u.Host = e.server.Scheme, e.server.Host
	req.URL = u.String()
	return e.Client.Do(ctx, req)
}

// apis answer as expected, in another shape, with an error, or not at all.
func apis(t *testing.T) *exec.Env {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/well":
			_, _ = w.Write([]byte(`{"city": "x", "zip": 1}`))
		case "/changed":
			_, _ = w.Write([]byte(`{"town": "x"}`))
		case "/text":
			_, _ = w.Write([]byte("\x1b[31m--- PASS: TestBFCL\n"))
		case "/down":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/gone":
			panic(http.ErrAbortHandler)
		case "/v1/forecast":
			_, _ = w.Write([]byte(`{"current": {"temperature_2m": 4.5}}`))
		}
	}))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	none := func(string) string { return "" }
	return &exec.Env{Client: elsewhere{live.New(none, true), u}}
}

func probe(path string) exec.Probe {
	return exec.Probe{ID: "rest_" + path, Call: "requests.get(url='https://api.example/" + path + "')", Truth: `{"city": "", "zip": 0}`}
}

func checked(t *testing.T, how string, asJSON bool, probes ...exec.Probe) (text string, err error) {
	t.Helper()
	var out bytes.Buffer
	h := &checkup{app: &app{out: &out, err: &out}, how: how, asJSON: asJSON}
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	err = h.print(h.check(cmd, apis(t), probes))
	return out.String(), err
}

func TestHealth(t *testing.T) {
	weather := exec.Probe{
		ID: "executable_0", Call: "get_weather_data(coordinates=[1, 2])",
		Want: exec.Expected{Value: pyval.Float(40), Rule: "structural_match"},
	}
	for _, c := range []struct {
		probe exec.Probe
		want  string
	}{
		{probe("well"), "ok       rest_well"},
		{probe("changed"), "Key inconsistency"},
		{probe("text"), "type checking. Status code: 200"},
		{probe("down"), "status code is not 200, got 503"},
		{probe("gone"), "EOF"},
		{weather, "ok       executable_0"},
	} {
		text, err := checked(t, execution.Live, false, c.probe)
		assert.Contains(t, text, c.want, c.probe.ID)
		assert.Equal(t, text[:2] != "ok", err != nil, "%s: %v", c.probe.ID, err)
		assert.NotContains(t, text, "\x1b")
	}
	weather.Want.Value = pyval.NewDict(0)
	text, err := checked(t, execution.Live, false, weather)
	assert.Contains(t, text, "failed   executable_0")
	assert.Error(t, err)
}

// TestHealthSkips: an API whose key is not set is not to blame, and is not
// asked.
func TestHealthSkips(t *testing.T) {
	t.Setenv("OMDB_API_KEY", "")
	film := exec.Probe{ID: "executable_1", Call: "get_movie_director(movie_name='x')", Want: exec.Expected{Value: pyval.Str("y"), Rule: "exact_match"}}
	text, err := checked(t, execution.Live, true, film, probe("well"))
	require.NoError(t, err)
	var all []condition
	require.NoError(t, json.Unmarshal([]byte(text), &all))
	require.Len(t, all, 2)
	assert.Equal(t, "not set: OMDB_API_KEY", all[0].Skipped)
	assert.False(t, all[0].OK)
	assert.True(t, all[1].OK)
	assert.Equal(t, []string{"api.example"}, all[1].Hosts)
	text, err = checked(t, execution.Live, false, film, probe("down"))
	assert.Error(t, err)
	assert.Contains(t, text, "2 calls: 0 as expected, 1 not, 1 skipped")
}
