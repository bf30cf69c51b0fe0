package run_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// placed is an adapter with a limited number of places, which asks for
// permission once a request has a place, as a transport does.
type placed struct {
	engine *engine.Engine
	places chan struct{}
	sent   atomic.Int64
}

func (p *placed) Generate(ctx context.Context, _ *eval.Request) (*eval.Response, error) {
	p.places <- struct{}{}
	err := p.engine.May(ctx)
	if err == nil {
		p.sent.Add(1)
		time.Sleep(time.Second)
	}
	<-p.places
	if err != nil {
		return nil, err
	}
	time.Sleep(time.Millisecond) // reading the answer
	return &eval.Response{Result: eval.TextResult("right"), InputTokens: 1, OutputTokens: 1}, nil
}

// dollars are the price of a request.
func dollars(x float64) eval.Money { return eval.Money{Dollars: x, Requests: 1} }

// prices are prices in dollars for one token.
func prices(in, out float64) catalog.Prices {
	in, out = in*1e6, out*1e6
	return catalog.Prices{Input: &in, Output: &out}
}

// askAll runs cases of a category all at once and returns how many were answered.
func askAll(t *testing.T, e *engine.Engine, cat *eval.Category, cases int) (answered int64) {
	var running sync.WaitGroup
	var n atomic.Int64
	for i := range cases {
		running.Go(func() {
			if out := e.Run(t.Context(), cat, &eval.Case{ID: fmt.Sprintf("%s_%d", cat.Name, i)}, 0); !out.NotRun {
				assert.NoError(t, out.Err)
				n.Add(1)
			}
		})
	}
	running.Wait()
	return n.Load()
}

// TestEngineBudgetHolds: when far more cases wait than there are places, the
// budget is exceeded by at most the requests in flight.
func TestEngineBudgetHolds(t *testing.T) {
	for _, inFlight := range []int{1, 4, 16} {
		t.Run(fmt.Sprint(inFlight), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const budget = 20.0
				e := &engine.Engine{
					Admitted: true, Budget: engine.Budget{Prices: prices(1, 0), Most: budget},
					Progress: engine.NewProgress([]engine.Count{{Total: 300}}, 0, "", 0),
				}
				model := &placed{engine: e, places: make(chan struct{}, inFlight)}
				e.Adapter = model
				answered := askAll(t, e, echo, 300)
				assert.Equal(t, model.sent.Load(), answered, "what was asked has its answer")
				assert.GreaterOrEqual(t, model.sent.Load(), int64(budget))
				assert.Less(t, model.sent.Load(), int64(budget)+int64(inFlight))
				assert.ErrorContains(t, e.Halted(), "the budget is spent")
				assert.InDelta(t, float64(model.sent.Load()), e.Progress.Snapshot().Cost.Dollars, 0)
			})
		})
	}
}

// TestBudgetPaysForWholeConversations: a conversation that has begun is led to its
// end, so that what was paid for is an answer; none begins that the rest of the
// budget does not cover.
func TestBudgetPaysForWholeConversations(t *testing.T) {
	for most, want := range map[float64]struct{ answered, spent int }{5: {1, 10}, 25: {2, 20}, 95: {9, 90}} {
		synctest.Test(t, func(t *testing.T) {
			e := &engine.Engine{
				Budget: engine.Budget{Prices: prices(1, 0), Most: most}, Progress: engine.NewProgress([]engine.Count{{Total: 50}}, 0, "", 0),
				Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
					time.Sleep(time.Second)
					return engineText("x")(nil, nil)
				}),
				Leader: leader(func(ctx context.Context, _ *eval.Category, c *eval.Case, _ int, ask eval.Ask) (resp *eval.Response, err error) {
					for range 10 {
						if resp, err = ask(ctx, &eval.Request{ID: c.ID}); err != nil {
							return nil, err
						}
					}
					return resp, nil
				}),
			}
			assert.EqualValues(t, want.answered, askAll(t, e, talked, 50))
			assert.InDelta(t, want.spent, e.Progress.Snapshot().Cost.Dollars, 0, "nothing is thrown away")
			require.ErrorContains(t, e.Halted(), fmt.Sprintf("the budget is spent: $%d.0000 of -max-cost=%g", want.spent, most))
		})
	}
}

// TestBudgetOfDearRequests: with a hundred places, a budget that pays for a few
// requests is exceeded by less than a tenth if they cost about the same, and by
// less than half however they differ; what the run says last is what it spent.
func TestBudgetOfDearRequests(t *testing.T) {
	for name, c := range map[string]struct {
		cost func(n int64) int
		over float64
	}{
		"alike":        {func(int64) int { return 70 }, 1.1},
		"nearly alike": {func(n int64) int { return 50 + int(n*37%41) }, 1.1},
		"ever dearer":  {func(n int64) int { return 5 + int(n)*5 }, 1.5},
		"few dear":     {func(n int64) int { return 5 + 190*int(1-min(n%9, 1)) }, 1.5},
		"first cheap":  {func(n int64) int { return 1 + 99*int(min(n/4, 1)) }, 1.5},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const budget = 500.0
				var sent atomic.Int64
				model := adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
					n := sent.Add(1)
					time.Sleep(time.Second + time.Duration(n%7)*100*time.Millisecond)
					return &eval.Response{Result: eval.TextResult("right"), InputTokens: c.cost(n), OutputTokens: 1}, nil
				})
				e := &engine.Engine{
					Adapter: model, Budget: engine.Budget{Prices: prices(1, 0), Most: budget},
					Progress: engine.NewProgress([]engine.Count{{Total: 300}}, 0, "", 0),
				}
				askAll(t, e, echo, 300)
				spent := e.Progress.Snapshot().Cost.Dollars
				assert.LessOrEqual(t, spent, c.over*budget)
				assert.GreaterOrEqual(t, spent, 0.6*budget, "the budget is for spending")
				require.ErrorContains(t, e.Halted(), fmt.Sprintf("the budget is spent: $%.4f of", spent))
			})
		})
	}
}

// TestBudgetForgetsADearRequest: what one dear request cost holds others back for
// a while only.
func TestBudgetForgetsADearRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		model := adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
			cost := 1
			if sent.Add(1) == 1 {
				cost = 200
			}
			time.Sleep(time.Second)
			return &eval.Response{Result: eval.TextResult("right"), InputTokens: cost, OutputTokens: 1}, nil
		})
		e := &engine.Engine{Adapter: model, Budget: engine.Budget{Prices: prices(1, 0), Most: 1000}}
		began := time.Now()
		askAll(t, e, echo, 200)
		require.NoError(t, e.Halted())
		assert.Less(t, time.Since(began), 40*time.Second, "of two hundred one after another")
	})
}

// TestEngineBeginsNothing: after an interrupt, a case that waits for a place is not
// asked: its answer would come after the grace period, and be lost.
func TestEngineBeginsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin, interrupt := context.WithCancelCause(t.Context())
		interrupted := errors.New("interrupted")
		e := &engine.Engine{Begin: begin, Admitted: true}
		model := &placed{engine: e, places: make(chan struct{}, 1)}
		e.Adapter = model
		var running sync.WaitGroup
		var answered atomic.Int64
		for i := range 4 {
			running.Go(func() {
				out := e.Run(t.Context(), echo, &eval.Case{ID: fmt.Sprintf("simple_python_%d", i)}, 0)
				if out.NotRun {
					assert.ErrorIs(t, out.Err, interrupted)
					return
				}
				answered.Add(1)
			})
		}
		time.Sleep(1500 * time.Millisecond) // the second is in flight
		interrupt(interrupted)
		running.Wait()
		assert.EqualValues(t, 2, answered.Load())
		assert.EqualValues(t, 2, model.sent.Load())
	})
}

// TestWhatIsCharged: what an answer counts under a budget, by what the reply
// states.
func TestWhatIsCharged(t *testing.T) {
	chars, few, none := 2.0, 0.5, 0.0
	for _, c := range []struct {
		name   string
		resp   eval.Response
		budget engine.Budget
		cost   float64
		halted string
	}{
		{"tokens", eval.Response{InputTokens: 2, OutputTokens: 3}, engine.Budget{Prices: prices(1, 10), Most: 100}, 32, ""},
		{"its own price", eval.Response{InputTokens: 2, OutputTokens: 3, Cost: dollars(7)}, engine.Budget{Prices: prices(1, 10), Most: 100}, 7, ""},
		{"its own small price", eval.Response{InputTokens: 2, OutputTokens: 3, Cost: dollars(0.5)}, engine.Budget{Prices: prices(1, 10), Most: 100}, 0.5, ""},
		{"its own small price alone", eval.Response{InputTokens: 2, OutputTokens: 3, Cost: dollars(0.5)}, engine.Budget{Most: 100}, 0.5, ""},
		{"few tokens", eval.Response{InputTokens: 1, OutputTokens: 1}, engine.Budget{Prices: prices(1, 10), Most: 100}, 11, ""},
		{"its own price alone", eval.Response{Cost: dollars(7), InputTokens: 1, OutputTokens: 1}, engine.Budget{Most: 100}, 7, ""},
		{"no price", eval.Response{InputTokens: 2, OutputTokens: 3}, engine.Budget{Most: 100}, 0, ""},
		{"neither price nor tokens", eval.Response{}, engine.Budget{Most: 100}, 0, ""},
		{"the server's error", eval.Response{Malformed: true}, engine.Budget{Prices: prices(1, 10), Most: 10}, 0, ""},
		{"the limit itself", eval.Response{InputTokens: 2, OutputTokens: 3}, engine.Budget{Prices: prices(1, 10), Most: 32}, 32, "the budget is spent: $32.0000 of -max-cost=32; continue"},
		{"no input tokens", eval.Response{OutputTokens: 3}, engine.Budget{Prices: prices(1, 10), Most: 100}, 30, "-max-cost=100 cannot be kept: a reply states no tokens (usage), such as the one to simple_python_0"},
		{"no output tokens", eval.Response{InputTokens: 2}, engine.Budget{Prices: prices(1, 10), Most: 100}, 2, "states no tokens"},
		{"no output", eval.Response{InputTokens: 2, Result: pyval.Str("")}, engine.Budget{Prices: prices(1, 10), Most: 100}, 2, ""},
		{"no calls", eval.Response{InputTokens: 2, Result: pyval.NewList()}, engine.Budget{Prices: prices(1, 10), Most: 100}, 2, ""},
		{"a call", eval.Response{InputTokens: 2, Result: pyval.NewList(pyval.NewDict(0))}, engine.Budget{Prices: prices(1, 10), Most: 100}, 2, "states no tokens"},
		{"neither a text nor calls", eval.Response{InputTokens: 2, Result: pyval.NewDict(0)}, engine.Budget{Prices: prices(1, 10), Most: 100}, 2, "states no tokens"},
		{"nothing to estimate by", eval.Response{}, engine.Budget{Prices: withChars(prices(1, 10), &none), Most: 100}, 0, "states no tokens"},
		{"without a limit", eval.Response{}, engine.Budget{Prices: prices(1, 10)}, 0, ""},
		{"estimated", eval.Response{Result: pyval.Str("four"), Reasoning: "six888"}, engine.Budget{Prices: withChars(prices(1, 10), &chars), Most: 100}, 61, ""},
		{"many tokens estimated", eval.Response{Result: pyval.Str("four")}, engine.Budget{Prices: withChars(prices(1, 10), &few), Most: 100}, 91, ""},
		{"stated, not estimated", eval.Response{InputTokens: 2, OutputTokens: 3}, engine.Budget{Prices: withChars(prices(1, 10), &chars), Most: 100}, 32, ""},
	} {
		if c.resp.Result == nil {
			c.resp.Result = pyval.Str("right")
		}
		e := &engine.Engine{Budget: c.budget, Progress: engine.NewProgress(nil, 0, "", 0), Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) { return &c.resp, nil })}
		out := e.Run(t.Context(), echo, question, 0)
		require.NoError(t, out.Err, "the answer counts")
		assert.InDelta(t, c.cost, out.Cost.Dollars, 1e-9, c.name)
		assert.InDelta(t, c.cost, e.Progress.Snapshot().Cost.Dollars, 1e-9, c.name)
		if c.halted == "" {
			require.NoError(t, e.Halted(), c.name)
		} else {
			require.ErrorContains(t, e.Halted(), c.halted, c.name)
		}
	}
}

func withChars(p catalog.Prices, chars *float64) catalog.Prices {
	p.CharsPerToken = chars
	return p
}

// TestBudgetToTheCent: a budget that the answers spend exactly is spent, and where
// one more would exceed it by much, it is not asked.
func TestBudgetToTheCent(t *testing.T) {
	for most, want := range map[float64]struct {
		asked int
		said  string
	}{
		10:  {5, "the budget is spent: $10.0000 of -max-cost=10; continue"},
		11:  {5, "the budget is spent: $10.0000 of -max-cost=11, and another case costs about $2.0000; continue"},
		2:   {1, "the budget is spent: $2.0000 of -max-cost=2; continue"},
		3:   {1, "the budget is spent: $2.0000 of -max-cost=3, and another case costs about $2.0000; continue"},
		0.9: {4, "the budget is spent: $0.8000 of -max-cost=0.9, and another case costs about $0.2000; continue"},
		39:  {20, "the budget is spent: $40.0000 of -max-cost=39; continue"}, // less than a tenth too much
		21:  {11, "the budget is spent: $22.0000 of -max-cost=21; continue"},
	} {
		asked, price := 0, 2.0
		if most < 1 {
			price = 0.2
		}
		e := &engine.Engine{Budget: engine.Budget{Prices: prices(price, 0), Most: most}, Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
			asked++
			return engineText("right")(nil, nil)
		})}
		for range 30 {
			e.Run(t.Context(), echo, question, 0)
		}
		assert.Equal(t, want.asked, asked, "-max-cost=%g", most)
		assert.ErrorContains(t, e.Halted(), want.said)
	}
}

// TestCasesAtATime: as many cases are open as the budget is likely to pay for,
// and at most one more than have ended.
func TestCasesAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, sent := time.Now(), make([]atomic.Int64, 20)
		e := &engine.Engine{
			Budget: engine.Budget{Prices: prices(1, 0), Most: 10},
			Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
				sent[int(time.Since(began)/time.Second)].Add(1)
				time.Sleep(time.Second)
				return engineText("right")(nil, nil)
			}),
		}
		askAll(t, e, echo, 30)
		var got []int
		for i := range time.Since(began) / time.Second {
			got = append(got, int(sent[i].Load()))
		}
		assert.Equal(t, []int{1, 2, 4, 3}, got, "each second")
	})
}

// TestEngineGoesOn: after an interrupt, a conversation that has begun is led to
// its end, and no other begins.
func TestEngineGoesOn(t *testing.T) {
	begin, interrupt := context.WithCancelCause(t.Context())
	e := &engine.Engine{Begin: begin, Leader: leader(twice), Adapter: adapter(func(context.Context, *eval.Request) (*eval.Response, error) {
		interrupt(errors.New("interrupted"))
		return engineText("x")(nil, nil)
	})}
	assert.True(t, e.Run(t.Context(), talked, conversation, 0).Passed())
	out := e.Run(t.Context(), talked, &eval.Case{ID: "multi_turn_base_1"}, 0)
	assert.True(t, out.NotRun)
	assert.EqualError(t, out.Err, "interrupted")
}
