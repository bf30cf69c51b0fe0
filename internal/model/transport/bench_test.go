package transport

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const benchBody = `{"model":"m","messages":[{"role":"user","content":"What is the weather in Oslo?"}]}`

func roundTrip(b *testing.B, client http.RoundTripper, url string) {
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, strings.NewReader(benchBody))
	if err != nil {
		b.Fatal(err)
	}
	resp, err := client.RoundTrip(req)
	if err != nil {
		b.Error(err)
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

// BenchmarkOverhead is what a request costs without a network: ours, and the
// same server bare.
func BenchmarkOverhead(b *testing.B) {
	server := fake(func(*http.Request) (*http.Response, error) { return reply(200, okReply), nil })
	for name, client := range map[string]http.RoundTripper{"bare": server, "transport": New(Options{Base: server})} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				roundTrip(b, client, fakeURL)
			}
		})
	}
}

// BenchmarkRun is a run of 5,000 requests at 100 ms each, all over the
// loopback device: efficiency is the best possible time over the real one.
func BenchmarkRun(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(100 * time.Millisecond)
		_, _ = io.WriteString(w, okReply)
	}))
	defer server.Close()
	for name, inFlight := range map[string]int{"100": 100, "1000": 1000} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			const requests = 5000
			for b.Loop() {
				tr := New(Options{MaxInFlight: inFlight})
				jobs, done := make(chan struct{}), make(chan struct{})
				for range inFlight {
					go func() {
						for range jobs {
							roundTrip(b, tr, server.URL)
						}
						done <- struct{}{}
					}()
				}
				for range requests {
					jobs <- struct{}{}
				}
				close(jobs)
				for range inFlight {
					<-done
				}
				tr.CloseIdleConnections()
			}
			best := time.Duration(requests/inFlight) * 100 * time.Millisecond
			b.ReportMetric(100*best.Seconds()*float64(b.N)/b.Elapsed().Seconds(), "%efficiency")
		})
	}
}
