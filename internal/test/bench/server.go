// Command bench measures what the suite itself costs. Its first word says what it does:
//
//	server     answers the questions of the synthetic dataset correctly after a fixed
//	           latency, as a chat-completions server on loopback
//	synthetic  writes that dataset
//	plain      asks that server with only net/http
//	measure    runs a command several times and prints what each run cost
//
// Its tests run the suite under load.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"time"
)

const answer = `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,` +
	`"tool_calls":[{"id":"c","type":"function","function":{"name":"parts_order","arguments":"{\"part\": \"%s\", \"pieces\": %s, \"depot\": \"%s\", \"urgent\": true}"}}]},` +
	`"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":200,"completion_tokens":30,"total_tokens":230}}`

// text answers other questions.
const text = `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"I have no function for %d bytes."},` +
	`"finish_reason":"stop"}],"usage":{"prompt_tokens":200,"completion_tokens":30,"total_tokens":230}}`

// call asks for the first function that is offered.
const call = `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,` +
	`"tool_calls":[{"id":"c","type":"function","function":{"name":"%s","arguments":"{}"}}]},"finish_reason":"tool_calls"}],` +
	`"usage":{"prompt_tokens":200,"completion_tokens":30,"total_tokens":230}}`

var (
	offered  = regexp.MustCompile(`"tools":\[\{"type":"function","function":\{"name":"([^"]+)"`)
	answered = regexp.MustCompile(`"role":"tool"[^{}]*\}\],"`)
)

// other says whether other questions are answered, too.
var other bool

// question matches the questions of the synthetic dataset.
var question = regexp.MustCompile(`Order (\d+) pieces of part (P-\d+) for the depot in (Hall \d+)`)

func respond(w http.ResponseWriter, body []byte) {
	m := question.FindSubmatch(body)
	if m == nil && other {
		w.Header().Set("Content-Type", "application/json")
		if tool := offered.FindSubmatch(body); tool != nil && !answered.Match(body) {
			_, _ = fmt.Fprintf(w, call, tool[1])
			return
		}
		_, _ = fmt.Fprintf(w, text, len(body))
		return
	}
	if m == nil {
		http.Error(w, `{"error": {"message": "not a question of the synthetic dataset"}}`, http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, answer, m[2], m[1], m[3])
}

// commands are what the first word may be.
var commands = map[string]func(){"server": listen, "plain": plain, "synthetic": synthetic}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		log.Fatal("bench: want one of ", slices.Sorted(maps.Keys(commands)))
	}
	os.Args = os.Args[1:]
	commands[os.Args[0]]()
}

func listen() {
	flag.BoolVar(&other, "any", false, "answer other questions too: with a call of the first function, and after its result with a text")
	addr := flag.String("addr", "127.0.0.1:8099", "the loopback `address` to listen on")
	latency := flag.Duration("latency", 100*time.Millisecond, "the time an answer takes")
	flag.Parse()
	server := &http.Server{Addr: *addr, ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		time.Sleep(*latency)
		respond(w, body)
	})}
	log.Fatal("server: ", server.ListenAndServe())
}
