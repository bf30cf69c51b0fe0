package web

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestLocal(t *testing.T) {
	texts := []string{"", "My dog is called Biscuit.", "the dog's name", "invoice number 4471", "犬", "!!!"}
	vectors := testkit.Must(Local{}.Embed(t.Context(), texts))(t)
	again, _ := Local{}.Embed(t.Context(), texts)
	assert.Equal(t, vectors, again)
	for i, v := range vectors {
		assert.Len(t, v, localSize)
		assert.InDelta(t, 1, math.Sqrt(dot(v, v)), 1e-6, "%q", texts[i])
	}
	assert.Greater(t, dot(vectors[1], vectors[2]), dot(vectors[3], vectors[2]), "a dog is more like a dog than an invoice")
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestOpenEmbedder(t *testing.T) {
	none := func(string) string { return "" }
	for name, want := range map[string]string{
		"": "", "local": "",
		"openai:m@http://localhost:1/v1": "",
		"openai:m":                       "write openai:<id>@<address>",
		"openai:@http://x":               "write openai:<id>@<address>",
		"openai:m@ftp://x":               "must begin with http:// or https://",
		"onnx:x":                         "unknown -embedder",
	} {
		e, err := OpenEmbedder(name, none)
		if want == "" {
			require.NoError(t, err, name)
			assert.NoError(t, e.Close())
			continue
		}
		assert.ErrorContains(t, err, want, name)
	}
	assert.Equal(t, "local", EmbedderName(""))
	assert.Equal(t, "openai:a/b@https://host:1/v1", EmbedderName("openai:a/b@https://user:secret@host:1/v1?key=secret"))
}

// TestKeys: OpenAI's key goes to OpenAI alone.
func TestKeys(t *testing.T) {
	var got atomic.Value
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got.Store(r.Header.Get("Authorization"))
		_, _ = fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,0]}]}`)
	}))
	defer srv.Close()
	for variable, want := range map[string]string{openaiVariable: "", keyVariable: "Bearer secret"} {
		e, err := OpenEmbedder("openai:m@"+srv.URL, func(name string) string {
			if name == variable {
				return "secret"
			}
			return ""
		})
		require.NoError(t, err)
		testkit.Must(e.Embed(t.Context(), []string{"x"}))(t)
		assert.Equal(t, want, got.Load(), variable)
		require.NoError(t, e.Close())
	}
}

func at(t *testing.T, handler http.HandlerFunc) *server {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	carrier := transport.New(transport.Options{MaxTries: 2, RetryWait: time.Millisecond, MaxElapsed: 20 * time.Millisecond})
	s := testkit.Must(serverAt(&provider.Config{Model: "m", BaseURL: srv.URL, Transport: carrier}))(t)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestServer(t *testing.T) {
	asked := 0
	s := at(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		var body struct{ Input []string }
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		assert.True(t, strings.HasSuffix(r.URL.Path, "/v1/embeddings"), r.URL.Path)
		rows := make([]string, 0, len(body.Input))
		for i, text := range body.Input { // the last first: the index tells
			rows = append([]string{fmt.Sprintf(`{"index":%d,"embedding":[%d,0,4]}`, i, len(text))}, rows...)
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(rows, ","))
	})
	got := testkit.Must(s.Embed(t.Context(), []string{"aaa", "", "aaa"}))(t)
	assert.Equal(t, [][]float32{{0.6, 0, 0.8}, {0, 0, 1}, {0.6, 0, 0.8}}, got)
	testkit.Must(s.Embed(t.Context(), []string{"", "aaa"}))(t)
	assert.Equal(t, 1, asked, "what is known is not asked again")
}

func TestServerTrouble(t *testing.T) {
	for name, c := range map[string]struct {
		status            int
		body, kind, cause string
	}{
		"too few":      {200, `{"data":[]}`, trouble, "0 vectors for 1 texts"},
		"wrong length": {200, `{"data":[{"embedding":[1,0]}]}`, trouble, "a vector of 2 numbers after one of 3"},
		"NaN":          {200, `{"data":[{"embedding":[NaN,0,1]}]}`, transport.NotJSON, "NaN"},
		"infinite":     {200, `{"data":[{"embedding":[1e999,0,1]}]}`, trouble, "a number that is NaN or infinite"},
		"text":         {200, `{"data":[{"embedding":["1",0,1]}]}`, trouble, "it contains a str"},
		"zeros":        {200, `{"data":[{"embedding":[0,0,0]}]}`, trouble, "only zeros"},
		"missing":      {200, `{"data":[{}]}`, trouble, "missing or empty"},
		"wrong index":  {200, `{"data":[{"index":7,"embedding":[1,0,0]}]}`, trouble, "numbers its vectors wrongly"},

		"no JSON":       {200, `<html>`, transport.NotJSON, "not JSON"},
		"rate limit":    {429, `{"error":{"message":"slow down"}}`, transport.RateLimited, "slow down"},
		"server error":  {500, `{"error":{"message":"boom"}}`, transport.ServerError, "boom"},
		"key refused":   {401, `{"error":{"message":"no"}}`, transport.Unauthorized, "embeddings of http://"},
		"unknown model": {404, `{"error":{"message":"no such model"}}`, transport.ModelNotFound, "no such model"},
	} {
		t.Run(name, func(t *testing.T) {
			first := true
			s := at(t, func(w http.ResponseWriter, _ *http.Request) {
				if first {
					first = false
					_, _ = fmt.Fprint(w, `{"data":[{"embedding":[1,2,2]}]}`)
					return
				}
				w.WriteHeader(c.status)
				_, _ = fmt.Fprint(w, c.body)
			})
			require.NoError(t, s.endpoint.Close())
			testkit.Must(s.Embed(t.Context(), []string{"one"}))(t)
			_, err := s.Embed(t.Context(), []string{"another"})
			require.Error(t, err)
			assert.Equal(t, c.kind, eval.InfraKind(err))
			assert.ErrorContains(t, err, c.cause)
			assert.False(t, transport.IsFatal(err), "other categories go on")
			assert.NoError(t, testkit.Err(s.Embed(t.Context(), []string{"one"})), "what is known stays known")
		})
	}
}
