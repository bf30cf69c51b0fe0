package gotest

import (
	"fmt"
	"io"
	"time"
)

// redraw is the time between two displays of the progress.
const redraw = 250 * time.Millisecond

// show keeps a line with the progress on a terminal, until end is called.
func (r *Run) show(out io.Writer) (end func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			select {
			case now := <-tick.C:
				fmt.Fprintf(out, "\r\x1b[K%s", r.suite.Engine.Progress.Snapshot().Text(now))
			case <-stop:
				fmt.Fprint(out, "\r\x1b[K")
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-done
	}
}
