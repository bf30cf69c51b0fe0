package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/say"
)

// A progress shows how far a run is: on a terminal one line that is updated,
// elsewhere a line now and then.
type progress struct {
	r       *runner
	live    bool
	started time.Time
	shown   string
	seen    bool // the test has begun
	// stopping: a note has said that the run ends early.
	stopping bool
	// waits: a quiet run has said that the server makes it wait.
	waits bool
}

// test runs the suite and waits for its end.
func (r *runner) test() (process.Ending, error) {
	run := process.Run{
		Options: r.flags.o, Rules: option.Gate{File: r.gate.config, Baseline: r.gate.baseline}, Timeout: r.timeout, Package: modulePath, JUnit: tally.JUnitFile, Looked: r.looked.Looks(),
		Show: func(started time.Time) process.Progress { return r.newProgress(started) },
	}
	return run.Wait()
}

func (r *runner) newProgress(started time.Time) *progress {
	p := &progress{r: r, live: terminal(r.err), started: started}
	p.Update()
	return p
}

// Every is how often the progress is shown.
func (p *progress) Every() time.Duration {
	if p.live {
		return 250 * time.Millisecond
	}
	return 5 * time.Second
}

// Update shows how far the run is.
func (p *progress) Update() {
	text := "starting"
	now, ok := engine.ReadProgress(p.r.flags.o.RunDir)
	if p.r.quiet {
		if said := now.Wait.Text(time.Now()); ok && now.Wait.Long() && said != "" && !p.waits {
			p.waits = true
			fmt.Fprintln(p.r.err, "bfcl: "+said)
		}
		return
	}
	switch {
	case ok && !now.Started.Before(p.started):
		text, p.seen = now.Text(time.Now()), true
		if p.stopping { // what is left to do is not asked any more
			text = fmt.Sprintf("stopping  %d/%d  %d in flight", now.Done, now.Total, now.InFlight)
		}
	case p.seen || !p.live && p.shown != "":
		return
	}
	p.write(text)
}

func (p *progress) write(text string) {
	switch {
	case p.live:
		// A line that wraps could not be overwritten.
		fmt.Fprintf(p.r.err, "\r\x1b[K%s", say.Cut(text, columns(p.r.err)-1))
	case text != p.shown:
		fmt.Fprintln(p.r.err, text)
	}
	p.shown = text
}

// Say prints a note that stays, of a run that ends early.
func (p *progress) Say(note string) {
	p.stopping = true
	if p.r.quiet || !p.live {
		fmt.Fprintln(p.r.err, note)
		return
	}
	fmt.Fprintf(p.r.err, "\r\x1b[K%s\n", strings.Join(say.Wrap(note, columns(p.r.err)), "\n"))
	p.Update()
}

// Close clears the line.
func (p *progress) Close() {
	if p.live && !p.r.quiet {
		fmt.Fprint(p.r.err, "\r\x1b[K")
	}
}
