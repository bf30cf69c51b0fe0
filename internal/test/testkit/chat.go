package testkit

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A Chat is a server of chat completions that counts what it is asked.
type Chat struct {
	*httptest.Server
	// Lists is the model that its list of models has.
	Lists string

	mu    sync.Mutex
	all   int
	asked map[string]int // by messages
}

// A Question is a request for an answer.
type Question struct {
	*http.Request
	// N is its number, from 1.
	N int
	// Back is the header of the reply.
	Back http.Header
	Text []byte
	asking
}

// asking is what is read of a question.
type asking struct {
	Messages json.RawMessage
	Tools    []struct{ Function struct{ Name string } }
}

// ServeChat starts a server of the model m that replies as answer says: the body,
// with the status before it if that is not 200, as in "404 {}". answer may wait.
func ServeChat(t testing.TB, answer func(q *Question) string) *Chat {
	c := &Chat{Lists: "m", asked: map[string]int{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		reply := "404 {}"
		switch {
		case r.Method == http.MethodPost:
			q := &Question{Request: r, Back: w.Header()}
			q.Text, _ = io.ReadAll(r.Body) // else a server does not notice that the client goes
			if json.Unmarshal(q.Text, &q.asking) != nil {
				break // as of a client that was killed meanwhile
			}
			c.mu.Lock()
			c.all++
			c.asked[string(q.Messages)]++
			q.N = c.all
			c.mu.Unlock()
			reply = answer(q)
		case strings.HasSuffix(r.URL.Path, "/models"):
			reply = fmt.Sprintf(`{"data": [{"id": %q}]}`, c.Lists)
		}
		status := http.StatusOK
		if n, _ := fmt.Sscanf(reply, "%3d ", &status); n == 1 {
			reply = reply[len("404 "):]
			w.WriteHeader(status)
		}
		_, _ = io.WriteString(w, reply)
	}))
	t.Cleanup(func() { c.CloseClientConnections(); c.Close() })
	return c
}

// Flag is the flag that names the server.
func (c *Chat) Flag() string { return "-base-url=" + c.URL + "/v1" }

// Asked returns how many questions came, and how many of them repeat another.
func (c *Chat) Asked() (all, again int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all, c.all - len(c.asked)
}

// Reply is an answer that consists of a text, and ends for a reason.
func Reply(text, finish string) string {
	return ReplyOf(map[string]any{"role": "assistant", "content": text}, finish)
}

// ReplyOf is an answer that consists of a message.
func ReplyOf(message map[string]any, finish string) string {
	text, err := json.Marshal(map[string]any{
		"choices": []any{map[string]any{"message": message, "finish_reason": finish}},
		"usage":   map[string]int{"prompt_tokens": 90, "completion_tokens": 10},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}
