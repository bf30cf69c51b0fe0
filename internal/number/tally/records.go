package tally

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/plainfile"
	"github.com/gobfcl/bfcl/internal/number/ladder"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/run/failure"
	"github.com/gobfcl/bfcl/internal/run/shard"
)

// records are the answers of a run folder, judged again.
type records struct {
	dir   string
	run   *record.Run
	shard shard.Shard
	keep  bool // the answers
}

func openRecords(dir string, run *record.Run, o Options) (source, error) {
	part, err := shard.Parse(run.Shard)
	if err != nil {
		return nil, fmt.Errorf("%s: run.json: %w", dir, err)
	}
	return &records{dir: dir, run: run, shard: part, keep: o.Answers}, nil
}

func (r *records) claim() claim {
	c := claim{
		path: r.dir, skipped: r.run.Skipped, model: r.run.Model, dataset: r.run.Dataset, digest: r.run.Digest, trials: r.run.Trials,
		categories: strings.Join(r.run.Categories, ","), ids: strings.Join(r.run.IDs, ","), started: r.run.Started,
		shard: r.shard, run: r.run,
	}
	c.embedder = r.run.Parameters["embedder"]
	if p := r.run.Prices; p != nil {
		c.input, c.output = &p.Input, &p.Output
	}
	return c
}

// fill judges every answer of the folder. Answers to cases that the run was
// not made of, left by an earlier run in the same folder, are not looked at.
func (r *records) fill(b *board) error {
	var cats []*eval.Category
	for _, part := range b.manifest.parts {
		cats = append(cats, part.Category)
	}
	answers, err := record.ReadAnswers(r.dir, cats, r.run.Trials)
	if err != nil {
		return err
	}
	failed, err := readFailures(r.dir)
	if err != nil {
		return err
	}
	settings := r.run.Settings()
	if slices.ContainsFunc(cats, func(c *eval.Category) bool { return c.Executes }) {
		if settings.Executor, err = execution.ForRun(context.Background(), b.manifest.dataset, r.run.Parameters); err != nil {
			return err
		}
	}
	e := &engine.Engine{Settings: settings, Recorded: answers, Adapter: failed}
	return r.judge(b, e)
}

// judge judges on all processors; results are put in order afterwards.
func (r *records) judge(b *board, e *engine.Engine) error {
	for i, part := range b.manifest.parts {
		slots := b.slots[i]
		outcomes := make([]engine.Outcome, len(slots))
		inParallel(len(slots), func(k int) {
			if r.shard.Has(slots[k].result.Case) {
				outcomes[k] = e.Run(context.Background(), part.Category, slots[k].result.Case, slots[k].result.Trial)
			}
		})
		for k, out := range outcomes {
			if r.shard.Has(slots[k].result.Case) && !errors.Is(out.Err, eval.ErrNoAnswer) {
				result := resultOf(slots[k].result.Case, out)
				result.Grade = ladder.Of(part.Category, slots[k].result.Case,
					ladder.Answer{Result: out.Result, Decoded: out.Decoded, Settings: e.Settings}, out.Verdict)
				if row, ok := e.Recorded.Get(result.Case.ID, slots[k].result.Trial); ok && r.keep {
					result.Answer = &row
				}
				b.put(&slots[k], result)
			}
		}
	}
	return nil
}

func inParallel(n int, f func(int)) {
	const batch = 32
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for from := range next {
				for k := from; k < min(from+batch, n); k++ {
					f(k)
				}
			}
		})
	}
	for from := 0; from < n; from += batch {
		next <- from
	}
	close(next)
	wg.Wait()
}

func resultOf(c *eval.Case, out engine.Outcome) Result {
	r := Result{Case: c, Status: out.Status, ErrorType: out.ErrorType, Compared: out.ComparedWord(), Recovery: out.Recovery, Seconds: out.Latency.Seconds()}
	if !out.Passed() {
		r.Text = failure.Text(c, out)
	}
	if out.Status != eval.Error {
		r.Latency = strconv.FormatFloat(out.Latency.Seconds(), 'f', -1, 64)
		r.InputTokens, r.OutputTokens = strconv.Itoa(out.InputTokens), strconv.Itoa(out.OutputTokens)
	}
	return r
}

// An attempt is one trial of a case.
type attempt struct {
	id    string
	trial int
}

// failures answer with the error that was recorded instead of an answer.
type failures map[attempt]record.Failure

// Generate is the recorded error.
func (f failures) Generate(_ context.Context, req *eval.Request) (*eval.Response, error) {
	noted, ok := f[attempt{req.ID, req.Trial}]
	if !ok {
		return nil, eval.Infra("not_recorded", "%w", eval.ErrNoAnswer)
	}
	return nil, &eval.InfraError{Kind: noted.Kind, Err: errors.New(strings.TrimPrefix(noted.Error, noted.Kind+": "))}
}

// readFailures reads errors.jsonl; of several lines for one attempt the last
// counts. A last line that a kill tore is left out.
func readFailures(dir string) (failures, error) {
	out := failures{}
	path := filepath.Join(dir, "errors.jsonl")
	file, err := plainfile.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	in := bufio.NewScanner(file)
	in.Buffer(nil, 16<<20)
	var torn error
	for n := 1; in.Scan(); n++ {
		if torn != nil {
			return nil, torn
		}
		var f record.Failure
		if err := json.Unmarshal(in.Bytes(), &f); err != nil {
			torn = fmt.Errorf("%s:%d: %w", path, n, err)
			continue
		}
		out[attempt{f.ID, f.Trial}] = f
	}
	return out, in.Err()
}
