package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/view"
)

func (a *app) viewCommand() *cobra.Command {
	r := &reporting{app: a, output: "report.html"} // so that answers are read
	cmd := &cobra.Command{
		Use:   "view [RESULTS]",
		Short: "Look at all runs in the browser, also those in progress",
		Long: `Serve a page on this machine that lists the run folders below RESULTS, or below
results: model, data, state, score and interval, with a search, and how each
model's score changed. Runs that are chosen there open as the page of
` + "`bfcl report`" + `: one shows what failed and what to do next, two where the points
went and whether that is real. A run in progress is followed until its report is
there.

Nothing is written and nothing leaves the machine: the address is on loopback
and cannot be guessed. Ctrl-C ends it.`,
		Example: `  bfcl view
  bfcl view ~/runs --data ~/bfcl-data`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return r.view(append(args, "results")[0]) },
	}
	r.runs.register(cmd)
	return cmd
}

// view serves the page until Ctrl-C.
func (r *reporting) view(root string) error {
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return option.Misuse("there is no folder %s: name the one that holds your runs", say.Printable(root, 300))
	}
	runs, _, err := view.Runs(root, time.Now())
	if err != nil {
		return err
	}
	ctx, stop := process.Interrupted(context.Background())
	defer stop()
	quiet := *r // remarks would be repeated with each page, which has them too
	quiet.app = &app{in: r.in, out: io.Discard, err: io.Discard}
	url, wait, err := view.New(view.Options{Root: root, Report: quiet.html}).Open(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.err, "bfcl: %s shows %s below %s; Ctrl-C ends it\n", url, say.Count(len(runs), "run", "runs"), say.Printable(root, 300))
	return wait()
}

// html is the page of runs.
func (r *reporting) html(dirs []string) ([]byte, error) {
	page, err := r.page(dirs)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := page.HTML(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
