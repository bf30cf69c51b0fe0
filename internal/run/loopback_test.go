package run_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A server speaks Chat Completions and answers each question with what a real
// model answered to it.
type server struct {
	*httptest.Server
	mu      sync.Mutex
	answers map[[32]byte][]pyval.Value
	asked   map[[32]byte]int
	// question tells which question a case asks: a few cases ask the same.
	question map[string][32]byte
	served   atomic.Int64
	// open counts the connections. One of a client that is dead closes when its
	// last request is answered.
	open atomic.Int64
	// fault, where set, may answer a request instead.
	fault atomic.Pointer[func(w http.ResponseWriter) bool]
}

// key identifies a question: everything of the request but the parameters.
func key(body []byte) ([32]byte, error) {
	var q struct {
		Messages json.RawMessage `json:"messages"`
		Tools    json.RawMessage `json:"tools"`
	}
	err := json.Unmarshal(body, &q)
	return sha256.Sum256(append(append([]byte(nil), q.Messages...), q.Tools...)), err
}

func newServer(t *testing.T) *server {
	s := &server{answers: map[[32]byte][]pyval.Value{}, asked: map[[32]byte]int{}, question: map[string][32]byte{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			s.open.Add(1)
		case http.StateClosed:
			s.open.Add(-1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if fault := s.fault.Load(); fault != nil && (*fault)(w) {
		return
	}
	k, err := key(body)
	s.mu.Lock()
	answers := s.answers[k]
	n := s.asked[k]
	s.asked[k]++
	s.mu.Unlock()
	if err != nil || len(answers) == 0 {
		http.Error(w, `{"error": {"message": "a question that no case asks"}}`, http.StatusBadRequest)
		return
	}
	s.served.Add(1)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(reply(answers[n%len(answers)]))
}

// reply writes a recorded result as a chat completion.
func reply(result pyval.Value) []byte {
	message := map[string]any{"role": "assistant", "content": nil}
	finish := "stop"
	if list, ok := result.(*pyval.List); ok {
		calls := []any{}
		for i, item := range list.Items {
			for name, args := range item.(*pyval.Dict).All() {
				calls = append(calls, map[string]any{
					"id": fmt.Sprintf("call_%d", i), "type": "function",
					"function": map[string]any{"name": pyval.Text(name), "arguments": pyval.Text(args)},
				})
				finish = "tool_calls"
			}
		}
		message["tool_calls"] = calls
	} else {
		message["content"] = pyval.Text(result)
	}
	out, err := json.Marshal(map[string]any{
		"id": "x", "object": "chat.completion", "created": 1, "model": "m",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
	})
	if err != nil {
		panic(err)
	}
	return out
}

// learn asks the suite's own questions of a recorder once, so that the server
// knows which answer belongs to which question.
func (s *server) learn(t *testing.T, o suite.Options, recorded record.Answers) {
	t.Helper()
	var current atomic.Pointer[record.Row]
	teacher := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		k, err := key(body)
		assert.NoError(t, err)
		row := current.Load()
		s.answers[k] = append(s.answers[k], row.Result)
		s.question[row.ID] = k
		_, _ = w.Write(reply(pyval.Str("")))
	}))
	defer teacher.Close()
	o.BaseURL, o.RunDir = teacher.URL+"/v1", t.TempDir()
	ask := open(t, o)
	for _, part := range ask.Plan.Parts {
		for _, c := range part.Cases {
			row, ok := recorded.Get(c.ID, 0)
			require.True(t, ok, c.ID)
			current.Store(&row)
			ask.Engine.Run(t.Context(), part.Category, c, 0)
		}
	}
	require.NoError(t, ask.Finish(false))
}

func open(t *testing.T, o suite.Options) *suite.Suite {
	t.Helper()
	s := testkit.Must(suite.Open(o))(t)
	s.Start()
	return s
}

// answerAll runs all cases and ends the run.
func answerAll(t *testing.T, s *suite.Suite) map[string]eval.Result {
	t.Helper()
	out := map[string]eval.Result{}
	var mu sync.Mutex
	s.Each(context.Background(), func(cat *eval.Category, c *eval.Case, _ int) {
		o := s.Engine.Run(context.Background(), cat, c, 0)
		mu.Lock()
		defer mu.Unlock()
		out[c.ID] = o
	})
	require.NoError(t, s.Finish(false))
	return out
}

// compareWithUpstream holds verdicts to upstream's. Cases that ask the same
// question get its answers in whatever order, so each of their
// verdicts must be one that upstream gave to such a case.
func compareWithUpstream(t *testing.T, server *server, s *suite.Suite, recorded string, got map[string]eval.Result) {
	t.Helper()
	passed := 0
	wanted, had := map[[32]byte][]string{}, map[[32]byte][]string{}
	for _, part := range s.Plan.Parts {
		want := upstreamFailures(t, filepath.Join(recorded, "score", "openai_gpt-oss-120b", part.Category.Group, "BFCL_v4_"+part.Category.Name+"_score.json"))
		for _, c := range part.Cases {
			o := got[c.ID]
			assert.NotEqual(t, eval.Error, o.Status, "%s: %v", c.ID, o.Err)
			k := server.question[c.ID]
			wanted[k], had[k] = append(wanted[k], c.ID+" "+want[c.ID]), append(had[k], c.ID+" "+o.ErrorType)
			if len(server.answers[k]) > 1 {
				wanted[k], had[k] = append(wanted[k][:len(wanted[k])-1], want[c.ID]), append(had[k][:len(had[k])-1], o.ErrorType)
			}
			if o.Passed() {
				passed++
			}
		}
	}
	for k := range wanted {
		if len(server.answers[k]) > 1 {
			assert.Subset(t, wanted[k], had[k])
			continue
		}
		assert.Equal(t, wanted[k], had[k])
	}
	t.Logf("%d cases compared, %d passed", len(got), passed)
}

func loopback(t *testing.T, categories string) (s *server, o suite.Options, recorded string) {
	recorded = testkit.Shared(t, "recorded", "v4", "gpt-oss-120b")
	folder := testkit.Must(record.Find(filepath.Join(recorded, "result")))(t)
	answers := testkit.Must(folder.Answers())(t)
	o = options(t)
	o.Dataset, o.Data, o.Categories, o.Model = "v4", testkit.Shared(t, "bfcl"), categories, "openai:gpt-oss-120b"
	s = newServer(t)
	s.learn(t, o, answers)
	o.BaseURL, o.RunDir = s.URL+"/v1", filepath.Join(o.Root, "run")
	return s, o, recorded
}

// either are the categories of a test that takes long; CI takes all of one turn.
func either(few string) string { return []string{few, "single_turn"}[testkit.Some(0, 1)] }

// TestGoldenLoopback asks a server that answers with a real model's recorded
// calls, through the openai adapter: upstream's failing ids are ours.
func TestGoldenLoopback(t *testing.T) {
	t.Parallel()
	server, o, recorded := loopback(t, "single_turn")
	s := open(t, o)
	compareWithUpstream(t, server, s, recorded, answerAll(t, s))
	assert.Equal(t, int64(s.Plan.Cases()), server.served.Load(), "each case is asked, equal questions too")
}

// TestGoldenLoopbackFaults is the same with every fifth response broken.
func TestGoldenLoopbackFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the faulty server takes a while")
	}
	t.Parallel()
	server, o, recorded := loopback(t, either("multiple,irrelevance"))
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(7, 7))
	faults := map[string]int{}
	fault := func(w http.ResponseWriter) bool {
		mu.Lock()
		defer mu.Unlock()
		if random.IntN(5) != 0 {
			return false
		}
		kinds := []string{"429", "500", "reset", "cut"}
		kind := kinds[random.IntN(len(kinds))]
		faults[kind]++
		breakReply(w, kind)
		return true
	}
	server.fault.Store(&fault)
	o.Concurrency = 100 // most cases wait for their next try
	s := open(t, o)
	compareWithUpstream(t, server, s, recorded, answerAll(t, s))
	assert.LessOrEqual(t, server.served.Load(), int64(s.Plan.Cases()), "no answer was asked for twice")
	t.Logf("faults: %v", faults)
}

func breakReply(w http.ResponseWriter, kind string) {
	switch kind {
	case "429":
		w.Header().Set("Retry-After", "0")
		http.Error(w, `{"error": {"message": "slow down"}}`, http.StatusTooManyRequests)
	case "500":
		http.Error(w, `{"error": {"message": "oops"}}`, http.StatusInternalServerError)
	case "reset":
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	case "cut":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "5000")
		_, _ = io.WriteString(w, `{"id": "x", "choices": [{"mess`)
	}
}
