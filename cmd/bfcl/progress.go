package main

import (
	"fmt"
	"time"

	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// A progress shows how far a run is: on a terminal one line that is updated,
// elsewhere a line now and then.
type progress struct {
	r       *runner
	live    bool
	every   time.Duration
	started time.Time
	shown   string
	seen    bool // the test has begun
	note    string
}

func (r *runner) newProgress(started time.Time) *progress {
	p := &progress{r: r, live: terminal(r.err), every: 5 * time.Second, started: started}
	if p.live {
		p.every = 250 * time.Millisecond
	}
	p.update()
	return p
}

func (p *progress) update() {
	if p.r.quiet {
		return
	}
	text := "starting"
	now, ok := engine.ReadProgress(p.r.flags.o.RunDir)
	switch {
	case ok && !now.Started.Before(p.started):
		text, p.seen = now.Text(time.Now()), true
	case p.seen || !p.live && p.shown != "":
		return
	}
	if p.note != "" {
		text += "  " + p.note
	}
	p.write(text)
}

func (p *progress) write(text string) {
	switch {
	case p.live:
		// A line that wraps could not be overwritten.
		fmt.Fprintf(p.r.err, "\r\x1b[K%s", safe.Cut(text, columns(p.r.err)-1))
	case text != p.shown:
		fmt.Fprintln(p.r.err, text)
	}
	p.shown = text
}

// say adds a note that stays.
func (p *progress) say(note string) {
	p.note = "(" + note + ")"
	if p.r.quiet || !p.live {
		fmt.Fprintln(p.r.err, note)
		return
	}
	p.write(p.shown + "  " + p.note)
}

// close clears the line.
func (p *progress) close() {
	if p.live && !p.r.quiet {
		fmt.Fprint(p.r.err, "\r\x1b[K")
	}
}
