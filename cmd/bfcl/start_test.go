package main

import (
	"fmt"
	"net/http"
	"os"
	"time"
)

// modelServer is a server that a run starts: it lists its model after a while,
// and answers every question with a text.
func modelServer() {
	began := time.Now()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		if time.Since(began) < 300*time.Millisecond {
			http.Error(w, `{"error": {"message": "Loading model", "code": 503}}`, http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprint(w, `{"object": "list", "data": [{"id": "m", "owned_by": "vllm", "max_model_len": 4096}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"choices": [{"message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 200, "completion_tokens": 3}}`)
	})
	fmt.Println("serving on", os.Args[1])
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+os.Args[1], mux))
	os.Exit(1)
}
