package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// serverLog is the file of a run folder that holds what a server started for the run printed.
const serverLog = "server.log"

// onServer starts the server that -start names, runs, and ends the server. Its
// log goes to the run folder, which the run itself makes.
func (r *runner) onServer() (err error) {
	if r.start == "" {
		return r.one()
	}
	if r.flags.o.BaseURL != "" {
		return option.Misuse("-start starts the server itself: leave -base-url out")
	}
	r.flags.o.BaseURL = "http://127.0.0.1:" + server.Port + "/v1"
	plan, err := suite.NewPlan(r.flags.o)
	if err != nil {
		return err
	}
	line := server.StartLine(r.start, plan.Model.ID())
	dir, err := os.MkdirTemp("", "bfcl-server")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	log := filepath.Join(dir, serverLog)
	fmt.Fprintf(r.err, "bfcl: starting %s\n", line)
	started, err := server.Launch(line, log)
	if err != nil {
		return err
	}
	ctx, stop := process.Interrupted(context.Background())
	defer stop()
	if err := started.Ready(ctx, r.flags.o.ServerWait); err != nil {
		return errors.Join(err, started.Close())
	}
	stop() // the run itself listens from here on
	err = r.one()
	return errors.Join(err, started.Close(), keep(log, r.flags.o.RunDir))
}

// keep copies a log into a run folder, if there is one.
func keep(log, dir string) error {
	if info, err := os.Stat(dir); dir == "" || err != nil || !info.IsDir() {
		return nil
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	return record.WriteFile(filepath.Join(dir, serverLog), text)
}

// manyCases is how many cases make a run long enough to look at the server first.
const manyCases = 500

// lookFirst makes sure that the server can be asked at all, and asks that of a
// long run the questions that decide, where users name servers themselves. It
// does so each time, as a server that was seen before may have been started anew
// with other flags. It says what it finds, and refuses a run that would have no
// answers.
func (r *runner) lookFirst(plan *suite.Plan) error {
	o := r.flags.o
	if r.noCheck || !plan.Model.Kind.Remote || !plan.Model.OwnServer() && o.BaseURL == "" {
		return nil
	}
	ctx, stop := process.Interrupted(context.Background())
	defer stop()
	var found *doctor.Report
	r.looked = &record.Ledger{}
	plan.Looked = r.looked
	err := plan.Model.Reach(ctx, plan.Looked)
	if (o.Resume || r.gate.held != nil) && errors.Is(err, syscall.ECONNREFUSED) {
		// Jobs that restart meet servers that restart, and a gate could not tell: an outage is no mistake.
		r.tell(err.Error())
		return interrupted(ctx, r)
	}
	if err == nil {
		if o.Resume || plan.Cases() < manyCases {
			return interrupted(ctx, r)
		}
		found, err = doctor.Short(ctx, patientOf(plan, o))
	}
	switch {
	case ctx.Err() != nil:
		return interrupted(ctx, r)
	case err != nil:
		return err
	}
	if text := found.Server.String(); text != "" {
		r.tell("the server is " + say.Plain(text, 300))
	}
	for _, f := range found.Findings {
		fmt.Fprintf(r.err, "bfcl: asked for %s: %s\n", f.Question, say.Plain(f.Said, 300))
	}
	if refused := found.Refused(); refused != "" {
		return fmt.Errorf("the server does not answer as a run needs it: %s; `bfcl doctor` with the same flags says more, and -no-check asks nevertheless", refused)
	}
	if found.Worst() != doctor.Fine {
		fmt.Fprintln(r.err, "bfcl: `bfcl doctor` with the same flags says what that costs; the run goes on")
	}
	return nil
}

// interrupted ends a run that was interrupted before it began.
func interrupted(ctx context.Context, r *runner) error {
	if ctx.Err() == nil {
		return nil
	}
	r.complain(errors.New("interrupted: the server was being asked, and the run has not begun"))
	return exit(exitInterrupted)
}
