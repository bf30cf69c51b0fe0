package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/fetch"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/show"
)

// A fetching is one `bfcl fetch`.
type fetching struct {
	*app
	o     fetch.Options
	check bool
	quiet bool
}

func (a *app) fetchCommand() *cobra.Command {
	f := &fetching{app: a}
	cmd := &cobra.Command{
		Use:   "fetch [flags] v4|v3|v2|v1",
		Short: "Get the official data, or check what is installed",
		Long: `Get an official dataset and install it in the data directory: v4 is the current
benchmark, v3, v2 and v1 are its earlier releases. bfcl downloads the archive of
upstream's pinned commit, cuts texts out of upstream's Python sources, and
checks each file, or for v3 and v2 the whole, against the SHA-256 sum pinned
here. The dataset is installed as a whole or not at all.

--from reads an archive (tar.gz) of upstream's repository instead of the
network. --mirror takes the address of a server that answers as
codeload.github.com does, or an address with {commit} in it. HTTPS_PROXY,
HTTP_PROXY and NO_PROXY name proxies.

--check compares what is installed with the checksums and lists each file that
differs, is missing, or does not belong there.

The data directory is -data, else $BFCL_DATA, else bfcl in the user's cache
directory.

Exit codes: 0 installed, or --check found nothing wrong; 1 --check found it;
2 the data could not be fetched or checked; 3 wrong usage; 130 interrupted.`,
		Example: `  bfcl fetch v4
  bfcl fetch v4 --from gorilla.tar.gz
  bfcl fetch v4 --mirror https://mirror.example.com/gorilla-{commit}.tar.gz
  bfcl fetch --check`,
		Args:        cobra.MaximumNArgs(1),
		Annotations: map[string]string{makesData: "yes"},
		RunE:        func(_ *cobra.Command, args []string) error { return f.run(args) },
	}
	flags := cmd.Flags()
	dataFlag(cmd, &f.o.Data)
	flags.StringVar(&f.o.From, "from", "", "read this `file` instead of the network")
	flags.StringVar(&f.o.Mirror, "mirror", "", "the `address` of another server (default $BFCL_MIRROR, else "+fetch.DefaultMirror+")")
	flags.BoolVar(&f.o.Force, "force", false, "replace an installed dataset that is damaged or changed")
	flags.BoolVar(&f.check, "check", false, "check what is installed: the named dataset, or all of them")
	a.jsonFlag(cmd, "print the result as JSON")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	return cmd
}

func (f *fetching) run(args []string) error {
	switch {
	case f.check:
		return f.report(args)
	case len(args) == 0:
		return option.Misuse("name what to fetch: v4, v3, v2 or v1 (see `bfcl fetch --help`)")
	}
	f.o.Dataset = args[0]
	done, err := f.fetch()
	if err != nil {
		return err
	}
	return f.show(done, func() error {
		_, err := fmt.Fprint(f.out, show.Installed(done))
		return err
	})
}

// fetch gets the dataset. Ctrl-C ends it, with nothing half installed.
func (f *fetching) fetch() (*fetch.Installed, error) {
	ctx, stop := process.Interrupted(context.Background())
	defer stop()
	f.o.Mirror = cmp.Or(f.o.Mirror, os.Getenv("BFCL_MIRROR"))
	if !f.quiet {
		p := &byteProgress{app: f.app}
		f.o.Say = func(line string) { p.end(); p.tell(line) }
		f.o.Progress = p.show
		defer p.end()
	}
	done, err := fetch.Run(ctx, f.o)
	if err != nil && ctx.Err() != nil {
		fmt.Fprintln(f.err, "bfcl: interrupted, nothing was installed")
		return nil, exit(exitInterrupted)
	}
	return done, err
}

// report checks the named dataset, or all that are installed.
func (f *fetching) report(names []string) error {
	if len(names) == 0 {
		if names = fetch.InstalledIn(f.o.Data); len(names) == 0 {
			return option.Misuse("nothing is installed in %s: get the official data with `bfcl fetch v4`", fixtures.DataDir(f.o.Data))
		}
	}
	same, reports := true, []*fetch.Report{}
	for _, name := range names {
		if !fixtures.Fetched(name) {
			return option.Misuse("%.100q is not a dataset that can be fetched: use v4, v3, v2 or v1", name)
		}
		report, err := fetch.Check(f.o.Data, name)
		if err != nil {
			return err
		}
		reports, same = append(reports, report), same && report.OK()
	}
	err := f.show(reports, func() error {
		for _, report := range reports {
			fmt.Fprint(f.out, show.Checked(report))
		}
		return nil
	})
	if err == nil && !same {
		return exit(exitNo)
	}
	return err
}

// A byteProgress shows a download: on a terminal one line, elsewhere a line now and then.
type byteProgress struct {
	*app
	last time.Time
	open bool // a line is being changed
}

func (p *byteProgress) show(done, total int64) {
	every, now := 200*time.Millisecond, time.Now()
	if !terminal(p.err) {
		if every = 20 * time.Second; p.last.IsZero() {
			p.last = now
		}
	}
	if now.Sub(p.last) < every && done != total {
		return
	}
	p.last = now
	text := fmt.Sprintf("%.1f MB", float64(done)/1e6)
	if total > 0 {
		text += fmt.Sprintf(" of %.1f MB", float64(total)/1e6)
	}
	if terminal(p.err) {
		fmt.Fprintf(p.err, "\r  %s\x1b[K", text)
		p.open = true
		return
	}
	fmt.Fprintln(p.err, "  "+text)
}

func (p *byteProgress) end() {
	if p.open {
		fmt.Fprintln(p.err)
		p.open = false
	}
}

// fetchMissing gets the dataset that an error says is not installed, if it is the
// run's or a release's. It returns whether that was so.
func (r *runner) fetchMissing(err error) (bool, error) {
	o := r.flags.o
	var missing *fixtures.NotFetchedError
	if !errors.As(err, &missing) || missing.Name != o.Dataset && fixtures.Pinned(missing.Name) == nil {
		return false, nil
	}
	fmt.Fprintf(r.err, "bfcl: dataset %s is not in %s: fetching it first\n", missing.Name, missing.Data)
	f := &fetching{app: r.app, quiet: r.quiet, o: fetch.Options{Dataset: missing.Name, Data: o.Data}}
	done, err := f.fetch()
	if err == nil && !r.quiet {
		fmt.Fprint(r.err, show.Installed(done))
	}
	return true, err
}
