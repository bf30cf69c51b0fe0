package gotest

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// tuneGC lets the heap of a run of usual size grow further between garbage
// collections, which otherwise delay requests. In a very large run most of the
// heap is the cases, which stay: there is little to collect, and no memory to
// spare. GOGC overrides this.
func tuneGC(cases int) {
	const usual, large, most = 200, 50, 10_000
	switch {
	case os.Getenv("GOGC") != "":
	case cases <= most:
		debug.SetGCPercent(usual)
	default:
		debug.SetGCPercent(large)
	}
}

// announce logs what is run, as attributes for machines and a line for people.
func announce(t *testing.T, s *suite.Suite) {
	t.Helper()
	run := s.Plan.Run
	if run.ID != "" {
		t.Attr("run", run.ID)
	}
	t.Attr("model", say.Plain(run.Model, 200))
	t.Attr("dataset", say.Plain(run.Dataset, 200))
	t.Attr("digest", run.Digest)
	t.Attr("categories", strings.Join(run.Categories, ","))
	t.Attr("trials", strconv.Itoa(run.Trials))
	if run.Shard != "" {
		t.Attr("shard", run.Shard)
		t.Attr("job", say.Plain(run.Job, 200))
	}
	if p := run.Prices; p != nil {
		t.Attr("prices", fmt.Sprintf("%g %g", p.Input, p.Output))
	}
	if e := run.Parameters["embedder"]; e != "" {
		t.Attr("embedder", say.Plain(e, 200))
	}
	if ids := s.Plan.IDs; ids != nil {
		const longest = 3000 // go test drops an attribute that is too long
		text := strings.Join(ids, ",")
		if len(text) > longest || strings.ContainsAny(text, "\n\r") {
			text = fmt.Sprintf("#%d", len(ids))
		}
		t.Attr("selection", text)
	}
	for _, note := range append(slices.Concat(s.Plan.Notes, s.Plan.Dataset.Remarks()), run.Data.Warning()) {
		if note != "" {
			t.Log(note)
		}
	}
	if deadline, ok := t.Deadline(); ok && s.Plan.Model.Kind.Chat {
		t.Logf("this run stops itself before go test's timeout at %s: set -timeout=0 for long runs", deadline.Format("15:04:05"))
	}
}

// attributes sets attributes, which become the test case's properties in the
// JUnit file, and a line each in a log: few, and none for what is not known.
func attributes(t *testing.T, out eval.Result) {
	if out.ErrorType != "" {
		t.Attr("error_type", out.ErrorType)
	}
	if out.Status == eval.Error {
		return
	}
	var ended []string
	if out.CutOff {
		ended = append(ended, eval.CutOff)
	}
	if out.Malformed {
		ended = append(ended, "malformed_call")
	}
	if ended = append(ended, say.Printable(out.Finish, 100)); len(ended) > 1 || out.Finish != "" {
		t.Attr("ended", strings.TrimSpace(strings.Join(ended, " ")))
	}
	latency, tokens := tally.Took(&out.Response)
	if latency != "" {
		t.Attr("latency", latency)
	}
	if tokens != "" {
		t.Attr("tokens", tokens)
	}
	if out.Effort != nil {
		t.Attr("agent", out.Effort.String())
	}
	if out.Cost.Requests > 0 {
		t.Attr("cost", out.Cost.Attr())
	}
}
