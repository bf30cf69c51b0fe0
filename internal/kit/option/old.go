package option

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
)

// An OldFlag is a flag that another has replaced. It works for one release, with
// a hint, and no help shows it.
type OldFlag struct {
	Name string
	// Now is the flag to use instead.
	Now string
	set func(o *Options, value string) error
}

// Old are the flags that others have replaced.
var Old = []OldFlag{
	{"limit", "-sample=N,by=category", func(o *Options, value string) error {
		n, err := strconv.Atoi(value)
		switch {
		case err != nil || n < 0:
			return fmt.Errorf("want a number of cases")
		case o.Sample != "":
			return errBoth
		case n > 0:
			o.Sample = value + ",by=category"
			o.limited = o.Sample
		}
		return nil
	}},
}

var errBoth = errors.New("-limit and -sample both choose cases: use -sample alone")

// Gone are flags that nothing has replaced, with the reason.
var Gone = map[string]string{
	"exclude-state-log": "the records of conversations always have the simulators' states",
	"otel":              "bfcl report --jsonl has a line for each case, with OpenTelemetry's names",
	"include-input-log": "bfcl run -dry-run shows what a model is sent",
	"share-equal":       "each case is asked, since answers to one question differ",
	"watch":             "bfcl view lists all runs, and follows those in progress",
}

// outdated is the value of an old flag.
type outdated struct {
	o   *Options
	old OldFlag
}

// String returns nothing: what the flag sets is in another one.
func (outdated) String() string { return "" }

// Set does what the flag did, and notes what to use instead.
func (f outdated) Set(value string) error {
	if err := f.old.set(f.o, value); err != nil {
		return err
	}
	f.o.Hints = append(f.o.Hints, fmt.Sprintf("-%s is now %s; the old flag will go with the next release", f.old.Name, f.old.Now))
	return nil
}

// Args returns the options as arguments of a test or a command, without those at
// their default, and with each header's value.
func (o *Options) Args() []string {
	var copied Options
	set := flag.NewFlagSet("", flag.ContinueOnError)
	copied.Register(set)
	defaults := map[string]string{}
	set.VisitAll(func(f *flag.Flag) { defaults[f.Name] = f.Value.String() })
	copied = *o
	var args []string
	set.VisitAll(func(f *flag.Flag) {
		switch value := f.Value.String(); {
		case f.Name == "header":
			for _, header := range o.Headers {
				args = append(args, "-header="+header)
			}
		case value != defaults[f.Name]:
			args = append(args, "-"+f.Name+"="+value)
		}
	})
	return args
}
