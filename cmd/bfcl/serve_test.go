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

// TestAttach: another terminal shows the state of a case that is served, and
// each call as it arrives, until the serve ends.
func TestAttach(t *testing.T) {
	outRead, outWrite := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- Main([]string{"serve", "--json"}, strings.NewReader(""), outWrite, io.Discard)
		_ = outWrite.Close()
	}()
	lines := bufio.NewScanner(outRead)
	require.True(t, lines.Scan())
	var c servedCase
	require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
	go func() {
		for lines.Scan() { // so that nothing waits to be written
		}
	}()
	_, token, _ := strings.Cut(c.Headers["Authorization"], " ")
	t.Setenv(agent.URLVariable, c.URL)
	t.Setenv(agent.TokenVariable, token)
	viewRead, viewWrite := io.Pipe()
	attached := make(chan int, 1)
	var said bytes.Buffer
	go func() {
		attached <- Main([]string{"play", "--attach"}, strings.NewReader(""), viewWrite, &said)
		_ = viewWrite.Close()
	}()
	seen := bufio.NewScanner(viewRead)
	until := func(want string) (all string) {
		for seen.Scan() {
			all += seen.Text() + "\n"
			if strings.Contains(seen.Text(), want) {
				return all
			}
		}
		t.Fatalf("%q was never shown, but\n%s", want, all)
		return ""
	}
	assert.Contains(t, until("GorillaFileSystem"), "turn 1: ")
	until(`"root": {`)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: c.URL, HTTPClient: &http.Client{Transport: bearing(c.Headers)}}, nil)
	require.NoError(t, err)
	textOf(t, s, "mkdir", `{"dir_name":"new_folder"}`)
	assert.Contains(t, until("+ GorillaFileSystem"), "  → None\n")
	textOf(t, s, "ls", `{"no":"such"}`)
	until("  ✗ Error during execution")

	asked := &playing{app: &app{out: &bytes.Buffer{}, err: &bytes.Buffer{}, in: strings.NewReader(":state\n:state Nothing\n:fly\n:help\n:quit\n:state")}}
	f := &following{playing: asked, url: c.URL, token: token}
	f.listen(t.Context())
	out, complaints := asked.out.(*bytes.Buffer).String(), asked.err.(*bytes.Buffer).String()
	assert.Equal(t, 1, strings.Count(out, `"new_folder": {`), "the state is that of the moment")
	assert.Contains(t, out, ":quit       end")
	assert.Contains(t, complaints, `there is no class "Nothing" here: use GorillaFileSystem`)
	assert.Contains(t, complaints, `unknown command ":fly"`)

	require.NoError(t, s.Close())
	self, err := os.FindProcess(os.Getpid())
	require.NoError(t, err)
	go func() {
		for seen.Scan() {
		}
	}()
	require.NoError(t, self.Signal(syscall.SIGTERM))
	assert.Equal(t, exitInterrupted, <-ended)
	assert.Contains(t, []int{exitOK, exitInterrupted}, <-attached) // both are told in this process
}

// TestViewers: who does not keep up is left behind, and the serve does not wait.
func TestViewers(t *testing.T) {
	var v viewers
	v.tell(played{Call: "nobody hears"})
	slow, leave := v.join()
	defer leave()
	for range waiting + 2 {
		v.tell(played{Call: "ls()"})
	}
	n := 0
	for range slow {
		n++
	}
	assert.Equal(t, waiting, n)
	assert.Empty(t, v.all)
}
