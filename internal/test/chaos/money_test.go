package chaos_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// each is what a reply of a till costs in dollars at its first price.
const each = 0.011

// A purse is a run whose money is counted.
type purse struct {
	t    testing.TB
	till *till
	root string
	dir  string
}

func newPurse(t testing.TB, seed uint64, names ...string) *purse {
	root := t.TempDir()
	return &purse{t, newTill(t, seed, names...), root, filepath.Join(root, "run")}
}

// pass asks, or asks again, and returns the halt of the run.
func (p *purse) pass(change ...func(*suite.Options)) error {
	p.t.Helper()
	return p.ask(context.Background(), p.options(change...))
}

func (p *purse) options(change ...func(*suite.Options)) suite.Options {
	models := filepath.Join(p.root, "models.yaml")
	require.NoError(p.t, os.WriteFile(models, []byte(p.till.catalogue()), 0o644))
	o := suite.Options{
		Model: "m", Models: models, Dataset: "starter", Categories: "simple_python,irrelevance", Trials: 1, Root: p.root, RunDir: p.dir,
		Resume: true, Concurrency: 4, Timeout: time.Minute,
	}
	for _, c := range change {
		c(&o)
	}
	return o
}

func (p *purse) ask(ctx context.Context, o suite.Options) error {
	p.t.Helper()
	s := testkit.Must(suite.Open(o))(p.t)
	s.Start()
	s.Each(ctx, func(cat *eval.Category, c *eval.Case, trial int) {
		if ctx.Err() == nil {
			s.Engine.Run(ctx, cat, c, trial)
		}
	})
	require.NoError(p.t, s.Finish(ctx.Err() != nil))
	return s.Engine.Halted()
}

func (p *purse) read(dirs ...string) *tally.Run {
	p.t.Helper()
	if dirs == nil {
		dirs = []string{p.dir}
	}
	return testkit.Must(tally.Read(dirs, tally.Options{Unfinished: true}))(p.t)
}

// gate returns the outcome of a ceiling for the cost.
func (p *purse) gate(run *tally.Run, ceiling string) gate.Outcome {
	p.t.Helper()
	c := testkit.Must(gate.Parse("gate.yaml", []byte("min_cases: 1\npartial: true\nceilings: {"+ceiling+"}")))(p.t)
	d := testkit.Must(gate.Decide(c, run, nil))(p.t)
	return d.Outcome
}

// told checks what a run says of its money: the cost, that of a thousand answers, and
// whether these are exact.
func (p *purse) told(cost, per1000 float64, exact bool) tally.Spend {
	p.t.Helper()
	run := p.read()
	s := run.Spend()
	require.NotNil(p.t, s.Cost)
	assert.InDelta(p.t, cost, *s.Cost, 1e-9)
	assert.InDelta(p.t, per1000, *s.CostPer1000, 1e-6)
	assert.Equal(p.t, exact, len(s.Lacks) == 0, "%v", s.Lacks)
	var text strings.Builder
	require.NoError(p.t, s.Write(&text))
	assert.Equal(p.t, !exact, strings.Contains(text.String(), "cost     at least $"), text.String())
	assert.Contains(p.t, text.String(), s.By())
	return s
}

func of(ids string) func(*suite.Options) { return func(o *suite.Options) { o.IDs = ids } }

// TestGateDecidesOnTheLedger: a ceiling of an ordinary run's cost is decided, and
// package bfcl knows it too.
func TestGateDecidesOnTheLedger(t *testing.T) {
	t.Parallel()
	p := newPurse(t, 1)
	require.NoError(t, p.pass())
	p.told(52*each, 1000*each, true)
	run := p.read()
	assert.Equal(t, gate.Failed, p.gate(run, "cost: 0.5"))
	assert.Equal(t, gate.Passed, p.gate(run, "cost: 0.6"))
	assert.Equal(t, gate.Passed, p.gate(run, "cost_per_1000: 11.1"))
	assert.Equal(t, gate.Failed, p.gate(run, "cost_per_1000: 10.9"))
	m := testkit.Must(bfcl.Open("m", bfcl.Flag("models", filepath.Join(p.root, "models.yaml"))))(t)
	r := testkit.Must(bfcl.Measure(t.Context(), m, bfcl.Categories("irrelevance"), bfcl.RunDir(filepath.Join(p.root, "own"))))(t)
	assert.InDelta(t, 20*each, r.Cost, 1e-9)
	assert.Equal(t, "by the ledger of requests", r.CostBasis)
	assert.Empty(t, r.CostLacks)
}

// TestLostLedger: answers that the ledger does not tell of count by what they state, and
// what else was sent for them is said to be missing; what a folder holds besides the
// cases that are asked for is said, too.
func TestLostLedger(t *testing.T) {
	t.Parallel()
	p := newPurse(t, 1)
	require.NoError(t, p.pass())
	require.NoError(t, p.pass(of("simple_python_0,simple_python_1")))
	s := p.told(2*each, 1000*each, true)
	assert.InDelta(t, 50*each, s.Beside, 1e-9)
	assert.Equal(t, 50, s.Others)
	require.NoError(t, p.pass())
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, record.LedgerFile), nil, 0o644))
	p.told(52*each, 1000*each, false)
	var out strings.Builder
	require.NoError(t, p.read().Receipt.Write(&out))
	assert.Contains(t, out.String(), "not in the ledger: stated by 52 answers")
	assert.Contains(t, out.String(), "The sum is a lower bound: answers that the ledger does not list: 52.")
}

// TestPricesOfEachPass: an answer keeps the price that it was asked at, with a ledger
// and without, in one folder and in shards whatever their order.
func TestPricesOfEachPass(t *testing.T) {
	t.Parallel()
	for _, without := range []bool{false, true} {
		p := newPurse(t, 1)
		lose := func(dir string) { // what the answers state is left
			if without {
				require.NoError(t, os.Remove(filepath.Join(dir, record.LedgerFile)))
			}
		}
		require.NoError(t, p.pass(of("simple_python_?")))
		p.till.price = 1000
		require.NoError(t, p.pass())
		lose(p.dir)
		s := p.told(10*each+420*each, 430000*each/52, !without)
		assert.Equal(t, map[bool]string{false: "ledger", true: "tokens"}[without], s.Basis)

		p = newPurse(t, 2)
		var dirs []string
		total := 0.0
		for i, shard := range []string{"0/2", "1/2"} {
			p.till.price = 100 + 900*float64(i)
			dirs = append(dirs, p.dir+shard[:1])
			require.NoError(t, p.pass(func(o *suite.Options) { o.Shard, o.RunDir, o.Job = shard, dirs[i], "j" }))
			lose(dirs[i])
		}
		_, paid, _ := p.till.count()
		for _, dollars := range paid {
			total += dollars
		}
		for _, order := range [][]string{dirs, {dirs[1], dirs[0]}} {
			s := p.read(order...).Spend()
			assert.InDelta(t, total, *s.Cost, 1e-9)
			assert.Equal(t, without, len(s.Lacks) > 0, "%v", s.Lacks)
		}
	}
	p := newPurse(t, 1) // prices that were not known are not today's
	p.till.price = 0
	require.NoError(t, p.pass(of("simple_python_?")))
	assert.NotEqual(t, "ledger", p.read().Spend().Basis)
	p.till.price = 100
	require.NoError(t, p.pass())
	p.told(42*each, 42000*each/52, false)
	require.NoError(t, os.Remove(filepath.Join(p.dir, record.LedgerFile)))
	p.told(42*each, 42000*each/52, false)
}

// TestCutReplies: a reply that breaks off may be charged, for the ledger and for the
// budget.
func TestCutReplies(t *testing.T) {
	t.Parallel()
	p := newPurse(t, 3)
	p.till.cuts = 0.3
	require.NoError(t, p.pass(func(o *suite.Options) { o.Concurrency = 52 })) // most cases wait for their next try
	s := p.told(52*each, 1000*each, false)
	requests, _, _ := p.till.count()
	assert.Contains(t, s.Lacks[0], "requests that got no whole reply: ")
	assert.Greater(t, requests, 60)
	p.dir += "-budget"
	require.ErrorContains(t, p.pass(func(o *suite.Options) { o.MaxCost = 0.3 }), "the budget is spent: at least $0.")
	after, _, _ := p.till.count()
	assert.LessOrEqual(t, after-requests, 32, "29 requests for $0.3, and what is in flight")
	run, err := tally.Read([]string{p.dir}, tally.Options{Receipt: true})
	require.NoError(t, err, "a receipt is for runs that their budget stopped, too")
	require.NoError(t, run.Receipt.Write(io.Discard))
	assert.Equal(t, after-requests, run.Receipt.Requests)

	p.till.cuts, p.dir = 1, p.dir+"-all" // what none of them cost is known
	require.ErrorContains(t, p.pass(func(o *suite.Options) { o.MaxCost = 0.1 }), "the budget is spent: at least $0.0000")
	all, _, _ := p.till.count()
	assert.LessOrEqual(t, all-after, 16, "each counts as its prompt")
}

// TestUnreadableEncoding: a reply that is compressed in a way that nobody asked for is
// paid once.
func TestUnreadableEncoding(t *testing.T) {
	t.Parallel()
	p := newPurse(t, 1, "simple_python", "irrelevance")
	p.till.encoding = "br"
	require.ErrorContains(t, p.pass(), "the reply is compressed with br, which was not asked for")
	_, _, charged := p.till.count()
	assert.LessOrEqual(t, len(charged), 8, "what is in flight")
	for id, n := range charged {
		assert.Equal(t, 1, n, id)
	}
	run := testkit.Must(tally.Read([]string{p.dir}, tally.Options{Receipt: true}))(t)
	assert.NotEmpty(t, run.Receipt.Lacks)
}

// TestAnswersAstray: a file of answers in a wrong place is not asked for again without
// a word.
func TestAnswersAstray(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]string{
		"another name":       "result/non_live/BFCL_v4_simple_python_result (1).json",
		"another category's": "result/non_live/BFCL_v4_multiple_result.json",
		"another group":      "result/live/BFCL_v4_simple_python_result.json",
		"no group":           "result/BFCL_v4_simple_python_result.json",
	} {
		p := newPurse(t, 1)
		require.NoError(t, p.pass(of("simple_python_?")))
		from, to := filepath.Join(p.dir, "result/non_live/BFCL_v4_simple_python_result.json"), filepath.Join(p.dir, to)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.Rename(from, to))
		testkit.Fails(suite.Open(p.options()))(t, from, name)
		require.NoError(t, p.pass(func(o *suite.Options) { o.Categories = "irrelevance" }), name+": it is not asked for")
		require.NoError(t, os.Rename(to, from))
		require.NoError(t, os.WriteFile(from+".bak", nil, 0o644))
		require.NoError(t, p.pass())
		requests, _, _ := p.till.count()
		assert.Equal(t, 52, requests, name)
	}
}
