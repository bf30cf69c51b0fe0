package main

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/testkit"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"bfcl": main}) }

func checkout() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// TestScripts runs the scripts of testdata/script. CHECKOUT is the module's
// root. Go's caches stay the user's, since a run builds the suite.
func TestScripts(t *testing.T) {
	keep := map[string]string{"CHECKOUT": checkout()}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN", "GOSUMDB", "GONOSUMDB", "GONOSUMCHECK"} {
		if value := goEnv(t, name); value != "" {
			keep[name] = value
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("BFCL_UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			for name, value := range keep {
				env.Setenv(name, value)
			}
			env.Setenv("NO_COLOR", "1")
			return nil
		},
	})
}

// TestSuiteFlagsAreTheTests holds the command's flags against those that the
// suite's test defines.
func TestSuiteFlagsAreTheTests(t *testing.T) {
	theirs := flag.NewFlagSet("suite", flag.ContinueOnError)
	new(testkit.Flags).Register(theirs)
	var flags suiteFlags
	ours := pflag.NewFlagSet("run", pflag.ContinueOnError)
	flags.register(ours)
	theirs.VisitAll(func(f *flag.Flag) {
		mine := ours.Lookup(f.Name)
		if assert.NotNilf(t, mine, "bfcl run lacks the suite's flag -%s", f.Name) {
			assert.Equal(t, f.DefValue, mine.DefValue, f.Name)
		}
	})
	ours.VisitAll(func(f *pflag.Flag) {
		assert.NotNilf(t, theirs.Lookup(f.Name), "the suite's test has no flag -%s", f.Name)
	})
}

// TestSuiteFlagsArriveAtTheTest sets every flag and reads the arguments as
// the test does.
func TestSuiteFlagsArriveAtTheTest(t *testing.T) {
	given := map[string]string{
		"model": "replay:x y", "dataset": "d", "data": "e", "categories": "live", "ids": "a,b", "mode": "fc", "underscore-to-dot": "no",
		"concurrency": "3", "trials": "2", "run-dir": "r", "resume": "true", "request-timeout": "3s",
	}
	var flags suiteFlags
	ours := pflag.NewFlagSet("run", pflag.ContinueOnError)
	flags.register(ours)
	for name, value := range given {
		require.NoError(t, ours.Set(name, value))
	}
	theirs := flag.NewFlagSet("suite", flag.ContinueOnError)
	new(testkit.Flags).Register(theirs)
	require.NoError(t, theirs.Parse(flags.args()))
	theirs.VisitAll(func(f *flag.Flag) {
		assert.Equalf(t, given[f.Name], f.Value.String(), "-%s", f.Name)
	})
}
