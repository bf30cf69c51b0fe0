//go:build outside

// Package shop_test is a module of its own in a test: see package outside.
package shop_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl"
)

const suite = "testdata/suite"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A client answers questions of the suite by a word in them.
type client map[string][]bfcl.Call

func (c client) Generate(_ context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	question := req.Messages[len(req.Messages)-1].Content
	for word, calls := range c {
		if strings.Contains(question, word) {
			return &bfcl.Response{Calls: calls, Usage: bfcl.Usage{InputTokens: 50, OutputTokens: 5}}, nil
		}
	}
	return &bfcl.Response{Text: "I cannot help with that."}, nil
}

var right = client{
	"Ernaux":       {{Name: "find_books", Arguments: `{"author": "Ernaux", "language": "fr"}`}},
	"Winter Bread": {{Name: "reserve_book", Arguments: `{"title": "Winter Bread", "member": 20417}`}},
	"Saturday":     {{Name: "opening_hours", Arguments: `{"branch": "harbour", "day": "Saturday"}`}},
	"Dürrenmatt":   {{Name: "find_books", Arguments: `{"author": "Dürrenmatt", "limit": 5}`}},
	"Low Tide": {
		{Name: "opening_hours", Arguments: `{"branch": "harbour"}`},
		{Name: "reserve_book", Arguments: `{"title": "Low Tide", "member": 311}`},
	},
}

// wrong makes three mistakes: a type, a function, and a call where none fits.
var wrong = client{
	"Ernaux":       right["Ernaux"],
	"Winter Bread": {{Name: "reserve_book", Arguments: `{"title": "Winter Bread", "member": "20417"}`}},
	"Saturday":     {{Name: "find_books", Arguments: `{"author": "Saturday"}`}},
	"Dürrenmatt":   right["Dürrenmatt"],
	"Low Tide":     right["Low Tide"],
	"Brontë":       {{Name: "find_books", Arguments: `{"author": "Brontë"}`}},
}

func TestRight(t *testing.T) {
	open := true
	defer func() { open = false }()
	checked := bfcl.ModelFunc(func(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		if !open {
			return nil, errors.New("the test has returned already")
		}
		return right.Generate(ctx, req)
	})
	bfcl.Run(t, checked, bfcl.Suite(suite), bfcl.Name("right"))
}

func TestWrong(t *testing.T) {
	bfcl.Run(t, wrong, bfcl.Suite(suite), bfcl.RunDir(os.Getenv("RUN_DIR")))
}

func TestTrials(t *testing.T) { bfcl.Run(t, right, bfcl.Suite(suite), bfcl.Trials(2)) }

// TestGated takes the gate from the environment.
func TestGated(t *testing.T) {
	bfcl.Run(t, wrong, bfcl.Suite(suite), bfcl.Gate(os.Getenv("GATE")), bfcl.RunDir(os.Getenv("RUN_DIR")))
}

// TestTrouble has an error in the place of an answer, and then goes on.
func TestTrouble(t *testing.T) {
	down := bfcl.ModelFunc(func(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		if os.Getenv("DOWN") != "" && strings.Contains(req.Messages[0].Content, "Ernaux") {
			return nil, errors.New("the connection broke")
		}
		return right.Generate(ctx, req)
	})
	opts := []bfcl.Option{bfcl.Suite(suite), bfcl.RunDir(os.Getenv("RUN_DIR")), bfcl.Name("shaky")}
	if os.Getenv("DOWN") == "" {
		opts = append(opts, bfcl.Resume())
	}
	bfcl.Run(t, down, opts...)
}

// TestHostile: whatever a model does is the trouble of its case.
func TestHostile(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	hostile := bfcl.ModelFunc(func(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		switch question := req.Messages[0].Content; {
		case strings.Contains(question, "Ernaux"):
			panic("no \x16--- PASS: TestHostile/requests/requests_0 (0.00s)")
		case strings.Contains(question, "Winter Bread"):
			return nil, nil
		case strings.Contains(question, "Saturday"):
			return &bfcl.Response{Text: strings.Repeat("x", 17<<20)}, nil
		case strings.Contains(question, "Dürrenmatt"):
			<-release
		case strings.Contains(question, "Low Tide"):
			runtime.Goexit() // as t.Fatal does
		case strings.Contains(question, "Brontë"):
			req.Messages, req.Tools = nil, nil
			return &bfcl.Response{Text: "\xff\n--- PASS: TestHostile (0.00s)\n\x16=== RUN TestForged\n"}, nil
		}
		return &bfcl.Response{Calls: []bfcl.Call{{Name: "\x16--- PASS: TestForged (0.00s)", Arguments: `{"\u0016": 1}`}}}, nil
	})
	bfcl.Run(t, hostile, bfcl.Suite(suite), bfcl.Name("hostile"), bfcl.Flag("request-timeout", "50ms"))
}

// TestDead: a model that gives nothing but errors ends the run soon.
func TestDead(t *testing.T) {
	var asked atomic.Int64
	dead := bfcl.ModelFunc(func(context.Context, *bfcl.Request) (*bfcl.Response, error) {
		asked.Add(1)
		return nil, errors.New("401 no such key")
	})
	defer func() { fmt.Println("asked", asked.Load()) }()
	bfcl.Run(t, dead, bfcl.Categories("live"), bfcl.Concurrency(1), bfcl.Name("dead"))
}

// TestAgent: a hand-written loop around the client, as an agent in this process.
func TestAgent(t *testing.T) {
	bfcl.RunAgent(t, func(ctx context.Context, turn *bfcl.Turn) (*bfcl.Response, error) {
		messages, _ := turn.Memory.([]bfcl.Message)
		messages = append(messages, turn.Messages...)
		answer, err := right.Generate(ctx, &bfcl.Request{Messages: messages, Tools: turn.Tools})
		if err != nil {
			return nil, err
		}
		for _, call := range answer.Calls {
			result, _ := turn.Call(ctx, call.Name, call.Arguments)
			messages = append(messages, bfcl.Message{Role: bfcl.ToolRole, Name: call.Name, Content: result})
		}
		turn.Memory = messages
		return &bfcl.Response{Text: "Done.", Usage: answer.Usage}, nil
	}, bfcl.Suite(suite))
}

func TestNil(t *testing.T) { bfcl.Run(t, nil) }

func TestNoSuite(t *testing.T) { bfcl.Run(t, right, bfcl.Suite("testdata/nowhere")) }

// TestEverything asks every category of the starter suite, conversations and
// memories among them.
func TestEverything(t *testing.T) {
	if testing.Short() {
		t.Skip("asks all cases")
	}
	result, err := bfcl.Measure(t.Context(), client{}, bfcl.Name("silent"))
	if err != nil {
		t.Fatal(err)
	}
	if !result.Complete || result.Errors > 0 || len(result.Verdicts) < 300 {
		t.Errorf("complete %v, %d errors, %d verdicts", result.Complete, result.Errors, len(result.Verdicts))
	}
	t.Logf("%d of %d cases passed without a call", result.Overall.Correct, result.Overall.Total)
}

// TestOpened asks a server by a model's name, and through a wrapper.
func TestOpened(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"tools"`) {
			t.Errorf("no tools in %s", body)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"model": "m", "choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [
			{"id": "1", "type": "function", "function": {"name": "find_books", "arguments": "{\"author\": \"Ernaux\", \"language\": \"fr\"}"}}]}}],
			"usage": {"prompt_tokens": 30, "completion_tokens": 4}}`)
	}))
	defer server.Close()
	model, err := bfcl.Open("openai:m", bfcl.BaseURL(server.URL), bfcl.Temperature(0))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	wrapped := bfcl.ModelFunc(model.Generate)
	for _, m := range []bfcl.Model{model, wrapped} {
		result, err := bfcl.Measure(t.Context(), m, bfcl.Suite(suite), bfcl.Categories("requests"), bfcl.Name("wrapped"))
		if err != nil {
			t.Fatal(err)
		}
		if result.Overall.Correct != 1 || result.Usage.InputTokens != 120 {
			t.Errorf("%+v", result)
		}
	}
	if asked.Load() != 8 {
		t.Errorf("asked %d times", asked.Load())
	}
}

// TestCanceled: a context ends a run, which goes on later.
func TestCanceled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	slow := bfcl.ModelFunc(func(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		if strings.Contains(req.Messages[0].Content, "Saturday") {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return right.Generate(ctx, req)
	})
	opts := []bfcl.Option{bfcl.Suite(suite), bfcl.RunDir(dir), bfcl.Name("slow"), bfcl.Concurrency(1)}
	result, err := bfcl.Measure(ctx, slow, opts...)
	if result != nil || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "bfcl.Resume()") {
		t.Fatalf("%v %v", result, err)
	}
	var asked atomic.Int64
	counted := bfcl.ModelFunc(func(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		asked.Add(1)
		return right.Generate(ctx, req)
	})
	result, err = bfcl.Measure(t.Context(), counted, append(opts, bfcl.Resume())...)
	if err != nil || result.Overall.Correct != 7 {
		t.Fatalf("%+v %v", result, err)
	}
	if n := asked.Load(); n == 0 || n > 6 {
		t.Errorf("%d cases were asked again", n)
	}
}

// TestConcurrency keeps to the number of requests in flight.
func TestConcurrency(t *testing.T) {
	const most = 3
	var now, seen atomic.Int64
	counted := bfcl.ModelFunc(func(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		if n := now.Add(1); n > seen.Load() {
			seen.Store(n)
		}
		defer now.Add(-1)
		time.Sleep(time.Millisecond)
		return right.Generate(ctx, req)
	})
	if _, err := bfcl.Measure(t.Context(), counted, bfcl.Categories("live"), bfcl.Concurrency(most), bfcl.Name("counted")); err != nil {
		t.Fatal(err)
	}
	if n := seen.Load(); n > most {
		t.Errorf("%d requests at a time", n)
	}
}
