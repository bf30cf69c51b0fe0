// Command server is a chat-completions server on loopback that answers every
// request alike after a fixed latency, to measure what the suite itself costs.
//
//	go run ./bench/server -latency 100ms -addr 127.0.0.1:8099
package main

import (
	"flag"
	"io"
	"log"
	"net/http"
	"time"
)

const answer = `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,` +
	`"tool_calls":[{"id":"c","type":"function","function":{"name":"parts_order","arguments":"{\"part\": \"P-1\", \"pieces\": 1, \"depot\": \"Hall 1\", \"urgent\": true}"}}]},` +
	`"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":200,"completion_tokens":30,"total_tokens":230}}`

func main() {
	addr := flag.String("addr", "127.0.0.1:8099", "the loopback `address` to listen on")
	latency := flag.Duration("latency", 100*time.Millisecond, "the time an answer takes")
	flag.Parse()
	server := &http.Server{Addr: *addr, ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(*latency)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	})}
	log.Fatal("server: ", server.ListenAndServe())
}
