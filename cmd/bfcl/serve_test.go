package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/agent"
)

// piped runs the command with a client at its standard input and output. The
// client's end gives the exit code and the errors.
func piped(t *testing.T, args ...string) (s *mcp.ClientSession, end func() (code int, said string)) {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	var said bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- Main(args, inRead, outWrite, &said)
		_ = outWrite.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: outRead, Writer: inWrite}, nil)
	require.NoError(t, err)
	return s, func() (int, string) {
		_ = inWrite.Close()
		code := <-ended
		_ = s.Close()
		return code, said.String()
	}
}

func textOf(t *testing.T, s *mcp.ClientSession, name, arguments string) string {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	require.NoError(t, err)
	return result.Content[0].(*mcp.TextContent).Text
}

// TestServeStdio serves cases of every kind, and shows what is called.
func TestServeStdio(t *testing.T) {
	for _, c := range []struct{ id, call, arguments, result, shown string }{
		{"multi_turn_base_0", "mkdir", `{"dir_name":"x"}`, "None", "+ GorillaFileSystem"},
		{"simple_python_0", "anything", `{}`, "noted", "anything {}"},
		{"memory_kv_0-", "archival_memory_add", `{"key":"honey","value":"40 kg"}`, "added", "archival_memory_add"},
	} {
		id := c.id
		if strings.HasSuffix(id, "-") {
			id = firstOf(t, "memory_kv")
		}
		s, end := piped(t, "serve", "--stdio", "--case", id)
		assert.Contains(t, textOf(t, s, c.call, c.arguments), c.result, id)
		code, said := end()
		assert.Equal(t, exitOK, code, said)
		assert.Contains(t, said, c.shown)
		assert.Contains(t, said, "turn 1: ")
		assert.NotContains(t, said, "Bearer")
	}
}

// firstOf is the id of a category's first case.
func firstOf(t *testing.T, category string) string {
	t.Helper()
	s := &serving{category: category}
	s.data.dataset = "starter"
	var err error
	s.dataset, err = s.data.open()
	require.NoError(t, err)
	_, cases, err := s.cases()
	require.NoError(t, err)
	return cases[0].ID
}

// bearing adds a header to requests.
type bearing map[string]string

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range b {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestServe serves a category over HTTP, each case with a world of its own, and
// one of them to mcp-connect.
func TestServe(t *testing.T) {
	outRead, outWrite := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- Main([]string{"serve", "--category", "multi_turn_base", "--json"}, strings.NewReader(""), outWrite, io.Discard)
		_ = outWrite.Close()
	}()
	lines := bufio.NewScanner(outRead)
	lines.Buffer(nil, 1<<20)
	var all []servedCase
	for len(all) < 15 && lines.Scan() {
		var c servedCase
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		all = append(all, c)
	}
	require.Len(t, all, 15)
	shown := make(chan played, 8)
	go func() {
		defer close(shown)
		for lines.Scan() {
			var p played
			if json.Unmarshal(lines.Bytes(), &p) == nil {
				shown <- p
			}
		}
	}()
	for i, want := range []string{`"new_folder"`, ""} {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: all[0].URL, HTTPClient: &http.Client{Transport: bearing(all[0].Headers)}}, nil)
		require.NoError(t, err)
		if i == 0 {
			textOf(t, s, "mkdir", `{"dir_name":"new_folder"}`)
			p := <-shown
			assert.Equal(t, "multi_turn_base_0", p.Case)
			assert.NotEmpty(t, p.Changes)
		}
		assert.Contains(t, textOf(t, s, "ls", `{}`), want)
		<-shown
		require.NoError(t, s.Close())
	}
	_, token, _ := strings.Cut(all[0].Headers["Authorization"], " ")
	t.Setenv(agent.URLVariable, all[0].URL)
	t.Setenv(agent.TokenVariable, token)
	s, end := piped(t, "mcp-connect")
	assert.Contains(t, textOf(t, s, "ls", `{}`), `"new_folder"`)
	code, said := end()
	assert.Equal(t, exitOK, code, said)
	self, err := os.FindProcess(os.Getpid())
	require.NoError(t, err)
	require.NoError(t, self.Signal(syscall.SIGTERM))
	assert.Equal(t, exitInterrupted, <-ended)
	for range shown { // until the output has ended
	}
}
