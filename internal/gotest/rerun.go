package gotest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// oneTest matches the value that gotestsum's --rerun-fails passes to -run: the
// whole path of one test.
var oneTest = pattern.Of(`^\^` + Name + `\$(/\^[^/]*\$)+$`)

// A rerun is the refusal to run a single failed case again.
type rerun struct {
	levels []string // of the case's path, below the test's
	why    string
}

// Error says why.
func (r *rerun) Error() string { return r.why }

// refusedRerun refuses to run a single failed case again, as gotestsum does
// with --rerun-fails, if the run folder holds the run in which it failed: asking
// until an answer is right is not a measurement.
func refusedRerun(o suite.Options) *rerun {
	run := flag.Lookup("test.run")
	if o.Resume || o.RunDir == "" && o.Model == "oracle" || run == nil || !oneTest().MatchString(run.Value.String()) {
		return nil
	}
	dir := suite.RunDir(o)
	if _, err := os.Stat(filepath.Join(dir, record.RunFile)); err != nil {
		return nil
	}
	return &rerun{strings.Split(run.Value.String(), "/")[1:], "a single failed case cannot be run again over the run in " + dir +
		", because asking until an answer is right measures nothing: run gotestsum without --rerun-fails (-trials repeats cases, -resume asks again what ended in an error, and another -run-dir keeps a case apart)"}
}

// refuse fails the test that was chosen, and not only its parents: gotestsum
// would then run these, with all their tests.
func (r *rerun) refuse(t *testing.T, levels []string) {
	if len(levels) == 0 {
		t.Fatal(r.why)
	}
	name := strings.ReplaceAll(strings.Trim(levels[0], "^$"), `\`, "")
	t.Run(name, func(t *testing.T) { r.refuse(t, levels[1:]) })
}
