package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
)

const body = `{"model": "m", "messages": [{"role": "user", "content": "Order %d pieces of part P-%d for the depot in Hall %d, and mark it as urgent."}], ` +
	`"tools": [{"type": "function", "function": {"name": "parts_order", "description": "Order spare parts for a depot.", "parameters": {"type": "object", "properties": ` +
	`{"part": {"type": "string", "description": "The part's number."}, "pieces": {"type": "integer", "description": "How many pieces."}, ` +
	`"depot": {"type": "string", "description": "Where to."}, "urgent": {"type": "boolean", "description": "Whether it is urgent."}}, "required": ["part", "pieces", "depot"]}}}]}`

// plain asks internal/test/bench the questions of the synthetic dataset with
// only net/http, and ignores the answers: its cost is the minimum for a client
// in Go, and whatever more the suite costs is its own.
//
//	go run ./internal/test/bench plain -requests 5000 -inflight 1000 -url http://127.0.0.1:8099/v1/chat/completions
func plain() {
	requests := flag.Int("requests", 5000, "the `number` of requests")
	inFlight := flag.Int("inflight", 1000, "how `many` are in flight")
	url := flag.String("url", "http://127.0.0.1:8099/v1/chat/completions", "the server's `address`")
	flag.Parse()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: *inFlight, MaxConnsPerHost: *inFlight}}
	next := make(chan int)
	var wg sync.WaitGroup
	for range *inFlight {
		wg.Go(func() {
			for i := range next {
				if err := ask(client, *url, fmt.Sprintf(body, i%97+1, i, i%12+1)); err != nil {
					log.Fatal("plain: ", err)
				}
			}
		})
	}
	for i := range *requests {
		next <- i
	}
	close(next)
	wg.Wait()
}

func ask(client *http.Client, url, body string) error {
	resp, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the server answers %s", resp.Status)
	}
	return err
}
