package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// serverLog is the file of a run folder that holds what a server printed that
// was started for the run.
const serverLog = "server.log"

// onServer starts the server that -start names, runs, and ends the server. Its
// log goes to the run folder, which the run itself makes.
func (r *runner) onServer(run func() error) (err error) {
	if r.start == "" {
		return run()
	}
	if r.flags.o.BaseURL != "" {
		return misuse.Errorf("-start starts the server itself: leave -base-url out")
	}
	r.flags.o.BaseURL = "http://127.0.0.1:" + server.Port + "/v1"
	plan, err := suite.NewPlan(r.flags.o)
	if err != nil {
		return misuse.Mark(err)
	}
	name := ""
	if f, ok := dialect.FamilyOf(plan.Model.ID()); ok {
		name = f.Dialect.Name
	}
	line, err := server.StartLine(r.start, plan.Model.ID(), name)
	if err != nil {
		return misuse.Mark(err)
	}
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
	err = run()
	return errors.Join(err, started.Close(), keep(log, r.flags.o.RunDir))
}

// keep copies a log into a run folder, if there is one.
func keep(log, dir string) error {
	if info, err := os.Stat(dir); dir == "" || err != nil || !info.IsDir() {
		return nil
	}
	from, err := os.Open(log)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	to, err := os.Create(filepath.Join(dir, serverLog))
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}
