package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/show/watch"
)

// follow serves the page that follows a run, until Ctrl-C.
func (r *reporting) follow(paths []string, models []leaderboard.Published) error {
	if len(paths) != 1 {
		return misuse.Errorf("--watch follows one run, got %d", len(paths))
	}
	if info, err := os.Stat(paths[0]); err != nil || !info.IsDir() {
		return misuse.Errorf("--watch: there is no run folder at %s: start the run first, or name its -run-dir", safe.Printable(paths[0], 300))
	}
	// Notes would be repeated with each report.
	quiet := *r
	quiet.app = &app{in: r.in, out: io.Discard, err: io.Discard}
	server := watch.New(watch.Options{Dir: paths[0], Name: safe.Printable(paths[0], 300), Report: func(dir string) ([]byte, error) {
		page, err := quiet.html(dir, models)
		if err != nil {
			return nil, err
		}
		return page, record.WriteFile(r.output, page)
	}})
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	url, wait, err := server.Open(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.err, "bfcl: %s follows %s; Ctrl-C ends it\n", url, safe.Printable(paths[0], 300))
	if err := wait(); err != nil {
		return err
	}
	if server.Ended() {
		fmt.Fprintf(r.err, "bfcl: %s is the report\n", r.output)
		return nil
	}
	return exit(exitInterrupted)
}

// html is the page of one run.
func (r *reporting) html(dir string, models []leaderboard.Published) ([]byte, error) {
	page, err := r.page([]string{dir}, models)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := page.HTML(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// A watching is the page that `bfcl run -watch` serves.
type watching struct {
	server *watch.Server
	url    string
	end    func()
}

// watchPage serves the page of the runs that follow.
func watchPage(r *runner) (*watching, error) {
	server := watch.New(watch.Options{Report: func(dir string) ([]byte, error) {
		page := &reporting{app: &app{in: r.in, out: io.Discard, err: io.Discard}, output: "report.html"}
		page.runs.o.Data, page.runs.allowErrors = r.flags.o.Data, r.allowErrors
		return page.html(dir, nil)
	}})
	ctx, cancel := context.WithCancel(context.Background())
	url, wait, err := server.Open(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	return &watching{server, url, func() { cancel(); _ = wait() }}, nil
}

// pageGrace is how long open pages have to fetch the report.
const pageGrace = 10 * time.Second

// close makes the report and waits until open pages have it. On a terminal the
// page stays until Ctrl-C.
func (w *watching) close(r *runner) {
	defer w.end()
	if err := w.server.Finish(); err != nil {
		return // the run has printed why
	}
	w.server.Settle(pageGrace)
	if !terminal(r.err) {
		return
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupted)
	fmt.Fprintf(r.err, "bfcl: the report is at %s until Ctrl-C; bfcl report writes it to a file\n", w.url)
	<-interrupted
}
