package world_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

func listen(t *testing.T) *endpoint.Host {
	t.Helper()
	before := goleak.IgnoreCurrent()
	h := testkit.Must(endpoint.Listen())(t)
	t.Cleanup(func() {
		require.NoError(t, h.Close())
		http.DefaultClient.CloseIdleConnections()
		goleak.VerifyNone(t, before)
	})
	return h
}

// calculator is a world with a calculator.
func calculator(t *testing.T) endpoint.World {
	t.Helper()
	env := testkit.Must(classes.Library.Open(sim.Setup{Model: "m", Entry: "e", Involved: []string{"MathAPI"}}))(t)
	return endpoint.Simulated{Env: env}
}

func tokenOf(e *endpoint.Endpoint) string {
	_, value := e.Header()
	return strings.TrimPrefix(value, "Bearer ")
}

func open(t *testing.T, h *endpoint.Host, w endpoint.World, l endpoint.Limits) *endpoint.Endpoint {
	t.Helper()
	e := testkit.Must(h.Open(w, l))(t)
	t.Cleanup(e.Close)
	return e
}

// authorized adds an endpoint's header to requests.
type authorized struct{ e *endpoint.Endpoint }

func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(a.e.Header())
	return http.DefaultTransport.RoundTrip(r)
}

func connect(t *testing.T, e *endpoint.Endpoint, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	s := testkit.Must(client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: e.URL(), HTTPClient: &http.Client{Transport: authorized{e}}}, nil))(t)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func call(t *testing.T, s *mcp.ClientSession, name, arguments string) (text string, failed bool) {
	t.Helper()
	r := testkit.Must(s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)}))(t)
	require.Len(t, r.Content, 1)
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

func newTool(name, properties string) endpoint.Tool {
	return endpoint.Tool{Name: name, Description: "It is " + name + ".", Schema: json.RawMessage(`{"type":"object","properties":` + properties + `}`)}
}

// TestEndpointCalls: calls are carried out and recorded as they came, with
// their numbers and the order of arguments, also calls of unknown tools.
func TestEndpointCalls(t *testing.T) {
	e := open(t, listen(t), calculator(t), endpoint.Limits{})
	require.NoError(t, e.Show([]endpoint.Tool{newTool("subtract", `{}`), newTool("add", `{"b":{"type":"number"},"a":{"type":"number"}}`)}))
	s := connect(t, e, nil)
	e.Begin()
	for _, c := range []struct {
		name, arguments, text string
		failed                bool
	}{
		{"add", `{"b": 2, "a": 1}`, `{"result": 3}`, false},
		{"add", `{"a": 1.0, "b": 2}`, `{"result": 3.0}`, false},
		{"add", `{"a": 1}`, "Error during execution: MathAPI.add() missing 1 required positional argument: 'b'", true},
		{"divide", `{"a": 1, "b": 0}`, `{"error": "Cannot divide by zero"}`, true},
		{"launch", `{"x": 1}`, "Error during execution: name 'launch' is not defined", true},
		{"add", `[1, 2]`, "The call cannot be read: its arguments must be one JSON object.", true},
	} {
		text, failed := call(t, s, c.name, c.arguments)
		assert.Equal(t, c.text, text, c.name+c.arguments)
		assert.Equal(t, c.failed, failed, c.name+c.arguments)
	}
	calls := e.End()
	require.Len(t, calls, 6)
	var arguments bytes.Buffer
	require.NoError(t, json.Compact(&arguments, []byte(calls[1].Arguments)))
	assert.Equal(t, `{"a":1.0,"b":2}`, arguments.String())
	assert.True(t, calls[4].Unknown)
	assert.False(t, calls[0].Unknown)
	assert.True(t, calls[3].Unknown, "divide was never shown")
	for _, c := range calls {
		assert.False(t, c.Joined)
		assert.False(t, c.At.IsZero())
	}
	assert.Equal(t, 1, e.Clients())
}

// TestEndpointList: tools stand in the order in which they were shown, and later ones
// are announced.
func TestEndpointList(t *testing.T) {
	e := open(t, listen(t), calculator(t), endpoint.Limits{})
	require.NoError(t, e.Show([]endpoint.Tool{newTool("subtract", `{"z":{"type":"string"},"a":{"type":"string"}}`), newTool("add", `{}`)}))
	changed := make(chan struct{}, 1)
	s := connect(t, e, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	names := func() (out []string) {
		list := testkit.Must(s.ListTools(t.Context(), nil))(t)
		for _, tool := range list.Tools {
			out = append(out, tool.Name)
		}
		return out
	}
	assert.Equal(t, []string{"subtract", "add"}, names())
	require.NoError(t, e.Show([]endpoint.Tool{newTool("multiply", `{}`), newTool("cosine", `{}`)}))
	select {
	case <-changed:
	case <-time.After(30 * time.Second):
		t.Fatal("nobody was told of the new tools")
	}
	assert.Equal(t, []string{"subtract", "add", "multiply", "cosine"}, names())
	assert.ErrorContains(t, e.Show([]endpoint.Tool{{Name: "odd", Schema: json.RawMessage(`{"type":"array"}`)}}), "cannot be shown")
}

// TestEndpointNoTurn: calls before, between and after turns are not carried
// out.
func TestEndpointNoTurn(t *testing.T) {
	e := open(t, listen(t), calculator(t), endpoint.Limits{})
	s := connect(t, e, nil)
	text, failed := call(t, s, "add", `{"a": 1, "b": 2}`)
	assert.True(t, failed)
	assert.Contains(t, text, "no turn was open")
	e.Begin()
	assert.Empty(t, e.End())
	call(t, s, "add", `{"a": 1, "b": 2}`)
	e.Begin()
	assert.Empty(t, e.End())
	assert.Equal(t, 2, e.Late())
}

func TestEndpointLimit(t *testing.T) {
	e := open(t, listen(t), calculator(t), endpoint.Limits{Calls: 2})
	s := connect(t, e, nil)
	e.Begin()
	call(t, s, "add", `{"a": 1, "b": 2}`)
	e.End()
	e.Begin()
	call(t, s, "add", `{"a": 1, "b": 2}`)
	select {
	case <-e.Over():
		t.Fatal("two calls are allowed")
	default:
	}
	for range 3 {
		text, failed := call(t, s, "add", `{"a": 1, "b": 2}`)
		assert.True(t, failed)
		assert.Contains(t, text, "limit")
	}
	<-e.Over()
	assert.Len(t, e.End(), 1)
}

// A gate is a world whose calls wait until they are let through.
type gate struct{ entered, leave chan struct{} }

func (g gate) Call(_ context.Context, name, _ string) (endpoint.Answer, error) {
	g.entered <- struct{}{}
	<-g.leave
	if name == "unread" {
		return endpoint.Answer{Text: name, Failed: true, Unread: true}, nil
	}
	return endpoint.Answer{Text: name}, nil
}

// TestEndpointParallel: concurrent calls are one step; a call that cannot be
// read is a step of its own, so that it does not spoil the others.
func TestEndpointParallel(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  []bool
	}{
		{[]string{"a", "b", "c"}, []bool{false, true, true}},
		{[]string{"a", "unread", "c"}, []bool{false, false, false}},
	} {
		g := gate{make(chan struct{}), make(chan struct{})}
		e := open(t, listen(t), g, endpoint.Limits{})
		s := connect(t, e, nil)
		e.Begin()
		var wg sync.WaitGroup
		wg.Go(func() { call(t, s, c.names[0], `{}`) })
		<-g.entered
		for _, name := range c.names[1:] {
			wg.Go(func() { call(t, s, name, `{}`) })
			require.Eventually(t, func() bool { return e.Waiting() == 2 }, 30*time.Second, time.Millisecond)
			g.leave <- struct{}{}
			<-g.entered
			// The next is under way; all that came so far have arrived.
		}
		g.leave <- struct{}{}
		wg.Wait()
		var got []bool
		for _, call := range e.End() {
			got = append(got, call.Joined)
		}
		assert.Equal(t, c.want, got, strings.Join(c.names, " "))
	}
}

// A broken world cannot be reached.
type broken struct{}

func (broken) Call(context.Context, string, string) (endpoint.Answer, error) {
	return endpoint.Answer{}, eval.Infra("search", "the web is away")
}

func TestEndpointOutage(t *testing.T) {
	e := open(t, listen(t), broken{}, endpoint.Limits{})
	s := connect(t, e, nil)
	e.Begin()
	text, failed := call(t, s, "search", `{}`)
	assert.True(t, failed)
	assert.NotContains(t, text, "web")
	assert.Empty(t, e.End())
	assert.Equal(t, "search", eval.InfraKind(e.Err()))
}

// TestEndpointNeighbours: endpoints that are called alternately each carry out
// and record only their own calls.
func TestEndpointNeighbours(t *testing.T) {
	h := listen(t)
	var endpoints []*endpoint.Endpoint
	var sessions []*mcp.ClientSession
	const n, rounds = 8, 4
	for i := range n {
		env := testkit.Must(classes.Library.Open(sim.Setup{Model: "m", Entry: fmt.Sprint("e_", i), Involved: []string{"GorillaFileSystem"}}))(t)
		e := open(t, h, endpoint.Simulated{Env: env}, endpoint.Limits{})
		endpoints, sessions = append(endpoints, e), append(sessions, connect(t, e, nil))
		e.Begin()
	}
	for k := range rounds {
		for i, s := range sessions {
			_, failed := call(t, s, "touch", fmt.Sprintf(`{"file_name":"f%d_%d"}`, i, k))
			assert.False(t, failed)
		}
	}
	for i, s := range sessions {
		text, _ := call(t, s, "ls", `{}`)
		assert.Equal(t, fmt.Sprintf(`{"current_directory_content": ["f%[1]d_0", "f%[1]d_1", "f%[1]d_2", "f%[1]d_3"]}`, i), text)
		calls := endpoints[i].End()
		require.Len(t, calls, rounds+1)
		for k := range rounds {
			assert.JSONEq(t, fmt.Sprintf(`{"file_name":"f%d_%d"}`, i, k), calls[k].Arguments)
		}
	}
}

// TestEndpointStrangers: nothing is served without the address and the token,
// or under a host that is not this machine.
func TestEndpointStrangers(t *testing.T) {
	h := listen(t)
	e := open(t, h, calculator(t), endpoint.Limits{})
	other := open(t, h, calculator(t), endpoint.Limits{})
	_, right := e.Header()
	_, wrong := other.Header()
	body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for _, c := range []struct {
		url, header, host string
		status            int
	}{
		{e.URL(), right, "", 200},
		{e.URL(), wrong, "", 401},
		{e.URL(), "", "", 401},
		{e.URL() + "x", right, "", 401},
		{e.URL() + "/x", right, "", 404},
		{"http://" + h.Address() + "/", right, "", 401},
		{e.URL(), right, "evil.example", 403},
		{e.URL(), right, "evil.example:80", 403},
		{e.URL(), right, "127.0.0.1.evil.example", 403},
		{e.URL(), right, "localhost:80", 200},
		{e.URL(), right, "[::1]", 200},
	} {
		r := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, c.url, strings.NewReader(body)))(t)
		r.Header.Set("Authorization", c.header)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Host = c.host
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		_ = resp.Body.Close()
		assert.Equal(t, c.status, resp.StatusCode, fmt.Sprint(c))
	}
	e.Close()
	assert.Equal(t, 0, e.Late())
	for _, name := range []string{"0.0.0.0", "", "192.0.2.1", "example.com", "::"} {
		assert.False(t, endpoint.Loopback(name), name)
	}
	assert.Greater(t, len(e.ID()), 25)
	assert.NotEqual(t, e.ID(), tokenOf(e))
}

func TestEndpointClosed(t *testing.T) {
	h := testkit.Must(endpoint.Listen())(t)
	require.NoError(t, h.Close())
	assert.ErrorIs(t, testkit.Err(h.Open(endpoint.Noted{}, endpoint.Limits{})), endpoint.ErrClosed)
}

func TestEndpointWorlds(t *testing.T) {
	answer := testkit.Must(endpoint.Noted{}.Call(t.Context(), "anything", `{}`))(t)
	assert.Equal(t, endpoint.Answer{Text: "noted"}, answer)
	x := endpoint.Executed{Env: &exec.Env{}, Case: &eval.Case{}, Decode: func(result pyval.Value) (pyval.Value, error) {
		for name, args := range result.(*pyval.List).Items[0].(*pyval.Dict).All() {
			switch pyval.Text(name) {
			case "unread":
				return nil, errors.New("no")
			case "two":
				return pyval.NewList(pyval.Str("a()"), pyval.Str("b()")), nil
			}
			return pyval.NewList(pyval.Str(pyval.Text(name) + "(" + pyval.Text(args) + ")")), nil
		}
		return nil, nil
	}}
	for _, c := range []struct {
		name, arguments string
		want            endpoint.Answer
	}{
		{"math_factorial", "n=5", endpoint.Answer{Text: "120"}},
		{"math_factorial", "m=5", endpoint.Answer{Text: "Error during execution: math_factorial() got an unexpected keyword argument 'm'", Failed: true}},
		{"unread", "", endpoint.Answer{Text: "The call cannot be read: its arguments must be one JSON object.", Failed: true, Unread: true}},
		{"two", "", endpoint.Answer{Text: "The call cannot be read: its arguments must be one JSON object.", Failed: true, Unread: true}},
	} {
		assert.Equal(t, c.want, testkit.Must(x.Call(t.Context(), c.name, c.arguments))(t), c.name)
	}
}

// recorded answers requests by the case's id.
type recorded struct{}

func (recorded) Do(_ context.Context, req exec.Request) (exec.Response, error) {
	if req.Case != "rest_7" {
		return exec.Response{}, eval.Infra("replay", "not recorded")
	}
	if req.URL == "https://example.com/moons" {
		return exec.Response{Status: http.StatusOK, Body: `{"moons": 2}`}, nil
	}
	return exec.Response{Status: http.StatusNotFound, Body: "no such planet"}, nil
}

// TestEndpointREST: the calls of a REST case are requests, answered with their body.
func TestEndpointREST(t *testing.T) {
	x := endpoint.Executed{Env: &exec.Env{Client: recorded{}}, Case: &eval.Case{ID: "rest_7", Rule: eval.REST}, Decode: func(result pyval.Value) (pyval.Value, error) {
		for _, url := range result.(*pyval.List).Items[0].(*pyval.Dict).All() {
			return pyval.NewList(pyval.Str("requests.get(url=" + pyval.Text(url) + ")")), nil
		}
		return nil, nil
	}}
	for _, c := range []struct {
		url  string
		want endpoint.Answer
	}{
		{"'https://example.com/moons'", endpoint.Answer{Text: `{"moons": 2}`}},
		{"'https://example.com/rings'", endpoint.Answer{Text: "Status code 404: no such planet", Failed: true}},
		{"'moons'", endpoint.Answer{Text: "Error during execution: Invalid URL 'moons': No scheme supplied. Perhaps you meant https://moons?", Failed: true}},
	} {
		assert.Equal(t, c.want, testkit.Must(x.Call(t.Context(), "requests.get", c.url))(t), c.url)
	}
	x.Case = &eval.Case{ID: "rest_8", Rule: eval.REST}
	_, err := x.Call(t.Context(), "requests.get", "'https://example.com/moons'")
	assert.Equal(t, "replay", eval.InfraKind(err))
}

// byName is a script that answers with the function's name.
type byName struct{}

func (byName) Execute(_ *eval.Case, step pyval.Value, _ eval.Settings) (calls, results []string, err error) {
	for name, arguments := range step.(*pyval.List).Items[0].(*pyval.Dict).All() {
		if pyval.Text(arguments) == "[" {
			return nil, nil, errors.New("no call")
		}
		results = append(results, pyval.Text(name))
	}
	return nil, results, nil
}

// TestEndpointScripted: calls of a case on a suite's own tools get its own results.
func TestEndpointScripted(t *testing.T) {
	w := endpoint.Scripted{Case: &eval.Case{Scene: &eval.Scene{Script: byName{}}}}
	for arguments, want := range map[string]endpoint.Answer{
		"{}": {Text: "find"},
		"[":  {Text: "The call cannot be read: its arguments must be one JSON object.", Failed: true, Unread: true},
	} {
		assert.Equal(t, want, testkit.Must(w.Call(t.Context(), "find", arguments))(t))
	}
}

// TestEndpointVerbatim: tools that a suite's owner wrote reach an agent as they are,
// byte for byte.
func TestEndpointVerbatim(t *testing.T) {
	const schema = `{"type":"object","additionalProperties":false,"properties":{"zeta":{"oneOf":[{"type":"integer","minimum":1.0},{"type":"null"}]},"alpha":{"$ref":"#/$defs/seat"}},"$defs":{"seat":{"type":"string","format":"date","maximum":12345678901234567890}}}`
	docs := []*pyval.Dict{adaptertest.Doc(t, `{"name": "book", "description": "The benchmark's.", "parameters": {"type": "dict", "properties": {"zeta": {"type": "float"}}}}`)}
	sent := []*pyval.Dict{adaptertest.Doc(t, `{"name": "book", "description": "Books.", "parameters": `+schema+`}`), adaptertest.Doc(t, `{"name": "list"}`)}
	tools := testkit.Must(endpoint.Tools(adaptertest.Wording(t), docs, sent))(t)
	e := open(t, listen(t), endpoint.Noted{}, endpoint.Limits{})
	require.NoError(t, e.Show(tools))
	var bodies bytes.Buffer
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: e.URL(), HTTPClient: &http.Client{Transport: listening{authorized{e}, &bodies}}, DisableStandaloneSSE: true,
	}, nil)
	require.NoError(t, err)
	testkit.Must(s.ListTools(t.Context(), nil))(t)
	require.NoError(t, s.Close())
	assert.Contains(t, bodies.String(), `"inputSchema":`+schema)
	assert.Contains(t, bodies.String(), `{"type":"object"},"name":"list"`)
	assert.NotContains(t, bodies.String(), "The benchmark's.")
}

// listening keeps the responses that it writes.
type listening struct {
	http.RoundTripper
	to *bytes.Buffer
}

func (l listening) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(r)
	if err != nil || resp.Body == nil {
		return resp, err
	}
	data, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	l.to.Write(data)
	resp.Body = io.NopCloser(bytes.NewReader(data))
	return resp, err
}

// FuzzEndpointCall makes hostile calls to simulated APIs: nothing panics, and a
// call that cannot be read fails.
func FuzzEndpointCall(f *testing.F) {
	f.Add("add", `{"a": 1, "b": 2}`)
	f.Add("cd(folder='x'); ls", `{"a": [}`)
	f.Add("", "")
	f.Fuzz(func(t *testing.T, name, arguments string) {
		answer := testkit.Must(calculator(t).Call(t.Context(), name, arguments))(t)
		assert.True(t, !answer.Unread || answer.Failed)
	})
}
