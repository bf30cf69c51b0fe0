package suite_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// TestReach: the commonest first mistakes are told in one line with their mend,
// and servers that may well answer are not refused.
func TestReach(t *testing.T) {
	const list, chat = "GET /v1/models", "POST /v1/chat/completions"
	serves := func(ids ...string) string {
		return `{"object": "list", "data": [{"id": "` + strings.Join(ids, `"}, {"id": "`) + `"}]}`
	}
	const notFound = `404 {"error": {"message": "The model does not exist."}}`
	closed := httptest.NewServer(nil)
	closed.Close()
	for _, row := range []struct {
		name, path string
		replies    map[string]string
		says       string // "" for no error
		asked      []string
	}{
		{"it serves the model", "/v1", map[string]string{list: serves("m", "n")}, "", []string{list}},
		{"no path", "", map[string]string{list: serves("m")}, "", []string{list}},
		{"another spelling", "/v1", map[string]string{list: serves("Maker/M"), chat: notFound}, `the server has no model "m"; it serves Maker/M: use -model=openai:Maker/M`, []string{list, chat}},
		{"one model", "/v1", map[string]string{list: serves("qwen"), chat: notFound}, `no model "m"; it serves qwen: use -model=openai:qwen`, []string{list, chat}},
		{"many others", "/v1", map[string]string{list: serves("a", "b", "c", "d", "e", "f", "g", "h", "i", "k"), chat: notFound}, "it serves a, b, c, d, e, f, g, h and 2 more", nil},
		{"any name will do", "/v1", map[string]string{list: serves("file.gguf"), chat: `200 {"choices": []}`}, "", []string{list, chat}},
		{"a hostile name", "/v1", map[string]string{list: serves(`m\u001b[2J$(id)`), chat: notFound}, `it serves m\x1b[2J$(id): use -model=$'openai:m\033[2J$(id)'`, nil},
		{"the path lacks /v1", "/api", map[string]string{"GET /api/v1/models": serves("m")}, "has no models, and http://SERVER/api/v1 has: use -base-url=http://SERVER/api/v1", nil},
		{"the path has it twice", "/v1/v1", map[string]string{list: serves("m")}, "use -base-url=http://SERVER/v1", nil},
		{"another program", "/v1", map[string]string{list: "404 <html>", chat: "404 <html>nginx"}, `another program than a model's server answers at http://SERVER/v1: HTTP 404, "<html>nginx`, nil},
		{"a server without a list", "/v1", map[string]string{list: "404 <html>", chat: `200 {"choices": []}`}, "", nil},
		{"a list that is none", "/v1", map[string]string{list: `{"choices": []}`}, "", nil},
		{"the key is refused", "/v1", map[string]string{list: "401 no", chat: "401 wrong key"}, `refuses the key: HTTP 401, "wrong key"`, []string{list, chat}},
		{"only the list is refused", "/v1", map[string]string{list: "403 no", chat: `200 {"choices": []}`}, "", []string{list, chat}},
		{"it is loading", "/v1", map[string]string{list: `503 {"error": "loading"}`}, "", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			var asked []string
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assert.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
				asked = append(asked, r.Method+" "+r.URL.Path)
				reply, ok := row.replies[asked[len(asked)-1]]
				if !ok {
					reply = `404 {"detail": "Not Found"}`
				}
				code := http.StatusOK
				if n, err := fmt.Sscanf(reply, "%3d ", &code); n == 1 && err == nil {
					reply = reply[4:]
					w.WriteHeader(code)
				}
				_, _ = w.Write([]byte(reply))
			}))
			defer s.Close()
			began := time.Now()
			err := reach(t, s.URL+row.path)
			assert.Less(t, time.Since(began), 5*time.Second)
			if row.asked != nil {
				assert.Equal(t, row.asked, asked)
			}
			if row.says == "" {
				assert.NoError(t, err)
				return
			}
			require.Error(t, err)
			assert.True(t, misuse.Is(err))
			assert.Contains(t, strings.ReplaceAll(err.Error(), strings.TrimPrefix(s.URL, "http://"), "SERVER"), row.says)
			assert.NotContains(t, err.Error(), "\n")
			assert.NotContains(t, err.Error(), "secret")
		})
	}
	assert.ErrorContains(t, reach(t, closed.URL+"/v1"), "connection refused; is the server running")
}

func reach(t *testing.T, base string) error {
	t.Helper()
	t.Setenv("OPENAI_API_KEY", "secret")
	o := options(t)
	o.Model, o.BaseURL, o.Categories = "openai:m", base, "sql"
	p, err := suite.NewPlan(o)
	require.NoError(t, err)
	return p.Reach(t.Context())
}
