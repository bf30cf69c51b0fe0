package gotest

import (
	"fmt"
	"maps"
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
	if s.Plan.Run.ID != "" {
		t.Attr("run", s.Plan.Run.ID)
	}
	t.Attr("model", say.Plain(s.Plan.Run.Model, 200))
	t.Attr("dataset", say.Plain(s.Plan.Run.Dataset, 200))
	t.Attr("digest", s.Plan.Run.Digest)
	t.Attr("categories", strings.Join(s.Plan.Run.Categories, ","))
	t.Attr("trials", strconv.Itoa(s.Plan.Run.Trials))
	if s.Plan.Run.Shard != "" {
		t.Attr("shard", s.Plan.Run.Shard)
		t.Attr("job", say.Plain(s.Plan.Run.Job, 200))
	}
	if p := s.Plan.Run.Prices; p != nil {
		t.Attr("prices", fmt.Sprintf("%g %g", p.Input, p.Output))
	}
	if e := s.Plan.Run.Parameters["embedder"]; e != "" {
		t.Attr("embedder", say.Plain(e, 200))
	}
	if len(s.Plan.Run.Skipped) > 0 {
		t.Attr("skipped", skipped(s.Plan.Run.Skipped))
	}
	if s.Plan.IDs != nil {
		t.Attr("selection", selection(s.Plan.IDs))
	}
	for _, note := range slices.Concat(s.Plan.Notes, s.Plan.Dataset.Remarks()) {
		t.Log(note)
	}
	if text := s.Plan.Run.Data.Warning(); text != "" {
		t.Log(text)
	}
	if deadline, ok := t.Deadline(); ok && s.Plan.Model.Kind.Chat {
		t.Logf("this run stops itself before go test's timeout at %s: set -timeout=0 for long runs", deadline.Format("15:04:05"))
	}
}

// skipped lists the categories that lack keys, in the form "rest
// OMDB_API_KEY;…".
func skipped(categories map[string][]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(categories)) {
		out = append(out, name+" "+strings.Join(categories[name], " "))
	}
	return strings.Join(out, ";")
}

// selection lists the ids for the JUnit file. go test drops an attribute that
// is too long, so of a long list there is only the number.
func selection(ids []string) string {
	const longest = 3000
	if text := strings.Join(ids, ","); len(text) <= longest && !strings.ContainsAny(text, "\n\r") {
		return text
	}
	return fmt.Sprintf("#%d", len(ids))
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
