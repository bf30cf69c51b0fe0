package agent

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// behaviour names the environment variable that makes the test binary play an
// agent instead of running tests.
const behaviour = "AGENT_TEST_PROGRAM"

// TestMain runs the tests, or the agent they ask.
func TestMain(m *testing.M) {
	if name := os.Getenv(behaviour); name != "" {
		play(programs[name])
		return
	}
	os.Exit(m.Run())
}

// A turn is what the programs read of a line.
type turn struct {
	ID, History, Text, System string
	Turn                      int
	Messages                  []struct{ Role, Content string }
	MCP                       struct {
		URL     string
		Headers map[string]string
	}
	ToolsChanged bool `json:"tools_changed"`
}

func play(program func(n int, t turn)) {
	in := bufio.NewReader(os.Stdin)
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var t turn
		if err := json.Unmarshal([]byte(line), &t); err != nil {
			os.Exit(9)
		}
		program(n, t)
	}
}

func speak(text string) {
	line, _ := json.Marshal(map[string]string{"text": text})
	fmt.Println(string(line))
}

// programs are the agents by name. Each is called for one line, the nth.
var programs = map[string]func(n int, t turn){
	"good": func(n int, t turn) {
		_, token, _ := strings.Cut(t.MCP.Headers["Authorization"], " ")
		same := t.MCP.URL == os.Getenv(URLVariable) && token == os.Getenv(TokenVariable)
		speak(fmt.Sprint(os.Getpid(), " ", n, " ", t.Turn, " ", t.History, " ", same, " ", t.System, "|", t.Text, "|", len(t.Messages), t.ToolsChanged))
	},
	"literal":   func(_ int, t turn) { fmt.Println(strings.ReplaceAll(t.Text, "ID", t.ID)) },
	"exit":      func(int, turn) { fmt.Fprint(os.Stderr, "no key\x1b[31m"); os.Exit(3) },
	"exit 0":    func(int, turn) { os.Exit(0) },
	"one shot":  func(int, turn) { speak("x"); os.Exit(0) },
	"hang":      func(int, turn) { fmt.Fprint(os.Stderr, "thinking"); time.Sleep(time.Hour) },
	"flood":     func(int, turn) { fmt.Println(strings.Repeat("x", 11<<20)) },
	"two lines": func(n int, _ turn) { speak("a"); speak("b") },
	"child": func(int, turn) {
		child := exec.Command("sleep", "3600")
		_ = child.Start()
		speak(strconv.Itoa(child.Process.Pid))
	},
}

func open(t *testing.T, program string, timeout time.Duration) *Adapter {
	t.Helper()
	t.Setenv(behaviour, program)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // else each exit takes a second under -race
	before := goleak.IgnoreCurrent()
	a := testkit.Must(Program("'"+os.Args[0]+"'", timeout, nil))(t)
	t.Cleanup(func() {
		require.NoError(t, a.Close())
		goleak.VerifyNone(t, before)
	})
	return a
}

func request(history, text string) *eval.Request {
	return &eval.Request{
		ID: "multi_turn_base_7", Turn: 1, Mode: eval.FC,
		Messages: []eval.Message{{Role: "system", Content: "Be kind."}, {Role: "user", Content: text}},
		Endpoint: &eval.Endpoint{URL: "http://127.0.0.1:1/mcp/" + history, Header: "Authorization", Value: Scheme + "secret", History: history, Changed: true},
	}
}

func textOf(t *testing.T, a *Adapter, req *eval.Request) string {
	t.Helper()
	resp := testkit.Must(a.Generate(t.Context(), req))(t)
	assert.Positive(t, resp.Latency)
	return pyval.Text(resp.Result)
}

// TestConversations: each conversation has a program of its own, which knows
// where its tools are and nothing of the case.
func TestConversations(t *testing.T) {
	a := open(t, "good", time.Minute)
	first, second := textOf(t, a, request("one", "x")), textOf(t, a, request("one", "x"))
	other := textOf(t, a, request("two", "x"))
	pid := strings.Fields(first)[0]
	assert.Equal(t, pid+" 1 1 one true Be kind.|x|2 true", first)
	assert.Equal(t, pid+" 2 1 one true Be kind.|x|2 true", second)
	assert.NotEqual(t, pid, strings.Fields(other)[0])
	a.Release("one")
	a.Release("nobody")
	assert.NotEqual(t, pid, strings.Fields(textOf(t, a, request("one", "x")))[0])
	line := testkit.Must(turnLine("5", request("one", "x")))(t)
	assert.NotContains(t, string(line), "multi_turn")
}

func TestAnswers(t *testing.T) {
	a := open(t, "literal", time.Minute)
	resp := testkit.Must(a.Generate(t.Context(), request("h", `{"id": "ID", "text": "Done.", "input_tokens": 7, "output_tokens": 3, "cost": 0.25, "model": "m-1"}`)))(t)
	assert.Equal(t, pyval.Str("Done."), resp.Result)
	assert.Equal(t, []any{7, 3, 0.25, "m-1"}, []any{resp.InputTokens, resp.OutputTokens, resp.Cost.Dollars, resp.Served})
	for _, c := range []struct{ line, kind, want string }{
		{`hello`, "protocol", "everything else to standard error"},
		{`[1]`, "protocol", "it must be an object, not list"},
		{`{"id": "other", "text": "x"}`, "protocol", `"id" is`},
		{`{"text": 5}`, "protocol", `neither a string "text"`},
		{`{"calls": []}`, "protocol", "command:<program>"},
		{`{"text": "x", "input_tokens": -1}`, "protocol", `"input_tokens" is not`},
		{`{"text": "x", "output_tokens": 1.5}`, "protocol", `"output_tokens" is not`},
		{`{"text": "x", "cost": "much"}`, "protocol", `"cost" is not`},
		{`{"text": "x", "cost": NaN}`, "protocol", `"cost" is not`},
		{`{"error": "503 \u001b[0m"}`, "program", `503 \x1b[0m`},
	} {
		_, err := a.Generate(t.Context(), request("h", c.line))
		require.ErrorContains(t, err, c.want, c.line)
		assert.Equal(t, c.kind, eval.InfraKind(err), c.line)
	}
	assert.ErrorContains(t, testkit.Err(a.Generate(t.Context(), &eval.Request{})), "needs an endpoint")
}

// TestFaults asks agents that misbehave: none is waited for without end, and
// each error says what happened.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ program, kind, want string }{
		{"exit", "exited", `no key\x1b[31m`},
		{"exit 0", "exited", "without an answer"},
		{"hang", "timeout", `the agent did not answer a turn within 3s; give it more time with -request-timeout; standard error ends with "thinking"`},
		{"flood", "flood", "more than 10 MB"},
	} {
		t.Run(c.program, func(t *testing.T) {
			timeout := time.Minute
			if c.program == "hang" {
				timeout = 3 * time.Second
			}
			_, err := open(t, c.program, timeout).Generate(t.Context(), request("h", "x"))
			require.ErrorContains(t, err, c.want)
			assert.Equal(t, c.kind, eval.InfraKind(err))
		})
	}
	t.Run("one shot", func(t *testing.T) {
		a := open(t, "one shot", time.Minute)
		textOf(t, a, request("h", "x"))
		require.Eventually(t, func() bool {
			_, err := a.Generate(t.Context(), request("h", "x"))
			return err != nil && strings.Contains(err.Error(), "answer each turn with a line")
		}, time.Minute, time.Millisecond)
	})
	t.Run("breaker", func(t *testing.T) {
		a := open(t, "exit", time.Minute)
		for i := range 6 {
			_, err := a.Generate(t.Context(), request(strconv.Itoa(i), "x"))
			require.Error(t, err)
			assert.Equal(t, i >= 4, transport.IsFatal(err), i)
		}
	})
	testkit.Fails(Program("./no-such-agent", 0, nil))(t, "no-such-agent")
}

// TestServer: the same over HTTP, on this machine alone.
func TestServer(t *testing.T) {
	var mu sync.Mutex
	var over []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			mu.Lock()
			defer mu.Unlock()
			over = append(over, r.URL.Query().Get("history"))
			return
		}
		var in turn
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&in))
		switch in.Text {
		case "refuse":
			http.Error(w, "no\x1b", http.StatusTeapot)
		case "hang":
			<-r.Context().Done()
		case "break":
			panic(http.ErrAbortHandler)
		case "flood":
			_, _ = fmt.Fprint(w, strings.Repeat("x", 11<<20))
		case "nonsense":
			_, _ = fmt.Fprint(w, "[1]")
		default:
			_, _ = fmt.Fprintf(w, "{\"id\": %q, \"text\": \"Done.\"}\n", in.ID)
		}
	}))
	defer server.Close()
	a := testkit.Must(Server(strings.TrimPrefix(server.URL, "http:")+"/turn", 2*time.Second))(t)
	assert.Equal(t, "Done.", textOf(t, a, request("h", "x")))
	for text, want := range map[string][2]string{
		"refuse": {"status", `418 I'm a teapot`}, "hang": {"timeout", "within 2s"}, "break": {"unreachable", "EOF"}, "flood": {"flood", "10 MB"},
	} {
		_, err := a.Generate(t.Context(), request("h", text))
		require.ErrorContains(t, err, want[1])
		assert.Equal(t, want[0], eval.InfraKind(err))
	}
	_, err := a.Generate(t.Context(), request("h", "nonsense"))
	require.ErrorContains(t, err, "it must be an object, not list; it wrote \"[1]\"; the body of its reply must be one JSON object")
	assert.Equal(t, "protocol", eval.InfraKind(err))
	a.Release("h")
	assert.Equal(t, []string{"h"}, over)
	require.NoError(t, a.Close())
	server.Close()
	for i := range 7 {
		_, err = a.Generate(t.Context(), request(strconv.Itoa(i), "x"))
		kind, gone := "unreachable", i >= 4
		if gone {
			kind = transport.CircuitOpen
		}
		assert.Equal(t, kind, eval.InfraKind(err), i)
		assert.Equal(t, gone, transport.IsFatal(err), i)
	}
	assert.ErrorContains(t, err, "refused 7 connections in a row")
	for _, rest := range []string{"//example.com/turn", "//192.0.2.1", "x", "//[::1"} {
		assert.Error(t, testkit.Err(Server(rest, 0)), rest)
	}
}

// FuzzAnswer reads hostile answers: an answer or an error, and no panic.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"text": "x", "cost": 1e400}`)
	f.Add(`{"error": {}}`)
	f.Fuzz(func(t *testing.T, line string) {
		resp, err := parseAnswer(line, "1", "")
		if (resp == nil) == (err == nil) {
			t.Fatal(resp, err)
		}
		var infra *eval.InfraError
		if err != nil && !errors.As(err, &infra) {
			t.Fatal(err)
		}
	})
}
