package suitetest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/kit/pattern"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// oneTest matches the value that gotestsum's --rerun-fails passes to -run: the
// whole path of one test.
var oneTest = pattern.Of(`^\^` + Name + `\$(/\^[^/]*\$)+$`)

// refusedRerun refuses to run a single failed case again, as gotestsum does
// with --rerun-fails, if the run folder holds the run in which it failed.
// Asking until an answer is right is not a measurement, and each such run would
// move the run before it aside.
func refusedRerun(t *testing.T, o suite.Options) bool {
	chosen := flag.Lookup("test.run")
	if o.Resume || o.RunDir == "" && o.Model == "oracle" || chosen == nil || !oneTest().MatchString(chosen.Value.String()) {
		return false
	}
	dir := suite.RunDir(o)
	if _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil {
		return false
	}
	parts := strings.Split(chosen.Value.String(), "/")[1:]
	refuse(t, parts, "a single failed case cannot be run again over the run in "+dir+
		", because asking until an answer is right measures nothing: run gotestsum without --rerun-fails (-trials repeats cases, -resume asks again what ended in an error, and another -run-dir keeps a case apart)")
	return true
}

// refuse fails the test that was chosen, and not only its parents: gotestsum
// would then run these, with all their tests.
func refuse(t *testing.T, parts []string, why string) {
	if len(parts) == 0 {
		t.Fatal(why)
	}
	name := strings.ReplaceAll(strings.Trim(parts[0], "^$"), `\`, "")
	t.Run(name, func(t *testing.T) { refuse(t, parts[1:], why) })
}
