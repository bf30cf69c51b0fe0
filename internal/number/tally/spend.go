package tally

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Spend is what a run took. Latencies are in seconds, for requests only;
// costs are in dollars. Unknown values are left out.
type Spend struct {
	InputTokens   int64    `json:"input_tokens"`
	OutputTokens  int64    `json:"output_tokens"`
	LatencyMean   *float64 `json:"latency_mean,omitempty"`
	LatencyStdDev *float64 `json:"latency_stddev,omitempty"`
	LatencyP95    *float64 `json:"latency_p95,omitempty"`
	// TTFTMean and TTFTP95 are the time to the first token of answers that came
	// as streams.
	TTFTMean *float64 `json:"ttft_mean,omitempty"`
	TTFTP95  *float64 `json:"ttft_p95,omitempty"`
	// Cost is what was sent for the run's cases, and CostPer1000 that of a
	// thousand answers. Lacks says what is not in them; if there is anything, they
	// are lower bounds.
	Cost        *float64 `json:"cost,omitempty"`
	CostPer1000 *float64 `json:"cost_per_1000,omitempty"`
	Lacks       []string `json:"cost_lacks,omitempty"`
	// Basis says where the cost comes from: "ledger", added up over the requests
	// that were sent, retries and abandoned ones too; "agent", stated by the agent;
	// "tokens", that of the answers alone, by their tokens; or "time", upstream's
	// estimate for a model without a price, from the requests' time on eight
	// H100 GPUs that serve a hundred at once.
	Basis string `json:"basis,omitempty"`
	// Abandoned is the part of Cost that no answer came of: by the run's ledger,
	// what was paid for cases that have none.
	Abandoned float64 `json:"cost_abandoned,omitempty"`
	// Beside is what the ledger says of Others answers that the run folder has to
	// cases that are not of this selection. It is not part of Cost.
	Beside float64 `json:"cost_beside,omitempty"`
	Others int     `json:"answers_beside,omitempty"`
	// Requests is how many requests were sent, by the ledger, and Retried how many
	// of them again; 0 without a ledger.
	Requests int `json:"requests,omitempty"`
	Retried  int `json:"requests_retried,omitempty"`
	// Answers is the number of answers with a latency or tokens.
	Answers int `json:"answers"`
}

// Spend adds up the run's latencies, tokens and cost as upstream's
// get_cost_latency_info does, unrounded where upstream rounds to cents.
func (r *Run) Spend() Spend {
	var u leaderboard.Usage
	var first []float64
	var answers, stated eval.Money
	var s Spend
	agent, unpriced := false, 0
	for _, result := range r.All() {
		latency, input, output := result.Latency.Seconds(), int64(result.InputTokens), int64(result.OutputTokens)
		if latency > 0 {
			u.Latency.AddFloat(latency)
		}
		if latency > 0 || input > 0 || output > 0 {
			s.Answers++
		}
		s.InputTokens += input
		s.OutputTokens += output
		if x := result.TTFT.Seconds(); x > 0 {
			first = append(first, x)
		}
		if result.Effort != nil { // an agent's time is not that of a model on a server
			agent = true
			stated = stated.Plus(r.CostOf(result))
		} else if m := r.CostOf(result); m.Requests > 0 {
			answers = answers.Plus(m)
		} else if latency > 0 || input+output > 0 {
			unpriced++
		}
	}
	// A single latency has no deviation, so no statistics are given then, as in upstream's
	// table.
	if figures, err := u.Spend(leaderboard.Model{}); err == nil && figures.Mean.Known {
		s.LatencyMean, s.LatencyStdDev, s.LatencyP95 = &figures.Mean.Value, &figures.StdDev.Value, &figures.P95.Value
	}
	if mean, err := stat.Mean(first); err == nil {
		p95, _ := stat.Percentile(first, 95) // fails where the mean does
		s.TTFTMean, s.TTFTP95 = &mean, &p95
	}
	switch {
	case agent:
		if s.Basis = "agent"; stated.Dollars != 0 { // NaN is a cost that no limit allows
			s.cost(stated, s.Answers, fmt.Sprintf("the agent does not fully report what %s took", say.Cases(stated.Unknown)))
		}
		return s
	case r.Receipt != nil && r.Receipt.Requests > 0 && (r.Receipt.Dollars > 0 || answers.Requests > 0):
		if s.Basis = "ledger"; len(r.Receipt.Fates) == 0 {
			s.Basis = "tokens"
		}
		s.cost(r.Receipt.Money, r.Receipt.Answers, "")
		if s.CostPer1000 != nil { // looks are no part of an answer
			*s.CostPer1000 -= r.Receipt.Fates[record.Looked].Dollars / float64(r.Receipt.Answers) * 1000
		}
		s.Lacks = r.Receipt.Lacks
	case answers.Requests > 0 && s.Answers > 0:
		s.Basis = "tokens"
		answers.Unknown += unpriced
		s.cost(answers, s.Answers, fmt.Sprintf("answers whose price is not known: %d", answers.Unknown))
	case u.Latency.Sum() > 0 && s.Asked():
		s.Basis = "time"
		s.cost(eval.Money{Dollars: leaderboard.TimeCost(u.Latency.Sum())}, s.Answers, "")
	}
	if p := r.Receipt; p != nil {
		s.Requests, s.Retried = p.Requests, p.Fates[record.Retried].Requests
		s.Abandoned = p.Fates[record.Abandoned].Dollars
		s.Beside, s.Others = p.Beside.Dollars, p.Others
	}
	return s
}

// CostOf returns what a result cost: for an agent what it states, and else the
// price of its requests, by its tokens if nothing else is known. It has no requests if
// no price is known.
func (r *Run) CostOf(result *eval.Result) eval.Money {
	switch e := result.Effort; {
	case e != nil && e.States(e.Cost):
		return eval.Money{Dollars: e.Cost, Requests: 1}
	case e != nil:
		return eval.Money{Dollars: e.Cost, Requests: 1, Unknown: 1}
	case result.Cost.Requests > 0:
		return result.Cost
	case result.InputTokens+result.OutputTokens == 0 && result.Latency <= 0: // nobody was asked
		return eval.Money{}
	}
	return priced(result, r.Prices)
}

// cost sets the cost of some answers; lacks says what is not known of it.
func (s *Spend) cost(m eval.Money, answers int, lacks string) {
	s.Cost = &m.Dollars
	if answers > 0 {
		per1000 := m.Dollars / float64(answers) * 1000
		s.CostPer1000 = &per1000
	}
	if m.Unknown > 0 {
		s.Lacks = []string{lacks}
	}
}

// Asked reports whether a model was asked: the time of an answer computed in
// process is not worth showing.
func (s Spend) Asked() bool {
	const shown = 0.005 // seconds, the least that two decimals show
	return s.InputTokens+s.OutputTokens > 0 || s.LatencyMean != nil && *s.LatencyMean >= shown
}

// By says where the cost comes from.
func (s Spend) By() string { return bases[s.Basis] }

var bases = map[string]string{
	"ledger": "by the ledger of requests",
	"tokens": "by the answers' tokens, without what else was sent",
	"agent":  "as the agent states",
	"time":   "estimated by time: the model's price is not known",
}

// Costs returns the lines about the cost, with its basis and what it lacks; "" if no
// cost is known.
func (s Spend) Costs() string {
	if s.Cost == nil {
		return ""
	}
	text := "cost     " + s.Text(*s.Cost)
	if s.CostPer1000 != nil {
		text += fmt.Sprintf(", $%.4f per 1,000 answers", *s.CostPer1000)
	}
	if s.Basis != "" {
		text += " (" + s.By() + ")"
	}
	if s.Abandoned > 0 {
		text += fmt.Sprintf("; $%.4f of it for cases without an answer", s.Abandoned)
	}
	for _, lack := range s.Lacks {
		text += "\n         not in it: " + lack
	}
	if s.Beside > 0 {
		text += fmt.Sprintf("\nbesides  $%.4f for %s in the folder that are not of this selection", s.Beside, say.Count(s.Others, "answer", "answers"))
	}
	return text + "\n"
}

// Text returns dollars of the cost, and that they are a lower bound if they are.
func (s Spend) Text(dollars float64) string {
	return eval.Money{Dollars: dollars, Unknown: len(s.Lacks)}.String()
}

// Write prints the figures in a few lines.
func (s Spend) Write(w io.Writer) error {
	var b strings.Builder
	if s.LatencyMean != nil {
		fmt.Fprintf(&b, "latency  %.2f s mean, %.2f s deviation, %.2f s 95th percentile\n", *s.LatencyMean, *s.LatencyStdDev, *s.LatencyP95)
	}
	if s.TTFTMean != nil {
		fmt.Fprintf(&b, "ttft     %.2f s mean to the first token, %.2f s 95th percentile\n", *s.TTFTMean, *s.TTFTP95)
	}
	if s.InputTokens+s.OutputTokens > 0 {
		fmt.Fprintf(&b, "tokens   %d in, %d out\n", s.InputTokens, s.OutputTokens)
	}
	b.WriteString(s.Costs())
	if s.Retried > 0 {
		fmt.Fprintf(&b, "sent     %s, %d of them again\n", say.Count(s.Requests, "request", "requests"), s.Retried)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// account adds up the ledgers of folders, and gives each answer its price. The
// receipt is nil if there is no ledger, and no answer states a price, as those of a
// run with a ledger do.
func (b *board) account(dirs []string) *record.Receipt {
	r := record.NewReceipt()
	for slot := range b.all() {
		for _, id := range append([]string{slot.result.Case.ID}, slot.result.Case.Needs...) {
			r.Ask(id, slot.result.Trial)
		}
	}
	for _, dir := range dirs {
		if err := r.Read(dir); err != nil { // the score does not depend on it
			b.notes = append(b.notes, fmt.Sprintf("the ledger cannot be read: %v", err))
		}
	}
	stated := false
	for slot := range b.all() {
		stated = stated || slot.result.Cost.Requests > 0
		if slot.filled && slot.result.Status != eval.Error && slot.result.Effort == nil {
			price(r, slot)
		}
	}
	if len(r.Without) == len(dirs) && !stated {
		return nil
	}
	r.Close()
	return r
}

// price gives an answer its price: what its line says, or else the ledger, or else
// its tokens at the prices of its own run. What the ledgers lack of it is noted.
func price(r *record.Receipt, s *slot) {
	const rounding = 1e-6 // of older JUnit
	answer, held := &s.result, r.Held(s.result.Case.ID, s.result.Trial)
	r.Answers++
	switch stated := answer.Cost; {
	case stated.Requests == 0 && held.Requests > 0:
		if held.Dollars > 0 || held.Unknown < held.Requests { // or else the model had no price
			answer.Cost = held
		}
	case stated.Requests == 0:
		answer.Cost = priced(answer, s.from.run.Prices)
		r.Unlisted, r.Stated = r.Unlisted+1, r.Stated.Plus(answer.Cost)
	case stated.Dollars > held.Dollars+rounding || held.Requests == 0:
		more := eval.Money{Dollars: stated.Dollars - held.Dollars, Requests: max(1, stated.Requests-held.Requests), Unknown: max(0, stated.Unknown-held.Unknown)}
		r.Unlisted, r.Stated = r.Unlisted+1, r.Stated.Plus(more)
	}
}

// priced returns the price of an answer's tokens; the zero Money without prices.
func priced(r *eval.Result, p *record.Prices) eval.Money {
	if p = sane(p); p == nil {
		return eval.Money{}
	}
	m := eval.Money{Dollars: (float64(r.InputTokens)*p.Input + float64(r.OutputTokens)*p.Output) / 1e6, Requests: 1}
	if r.InputTokens == 0 || r.Result != nil && !r.Measured() {
		m.Unknown = 1
	}
	return m
}

// AgentOf returns what an agent took for the cases of a run; nil for a run of a
// model.
func AgentOf(run *Run) *score.AgentEffort {
	a := &score.AgentEffort{Official: run.Data.IsOfficial(score.V4.Name), NotIsolated: run.Parameters["not_isolated"], Comparable: []string{}, Others: []string{}}
	dir := run.Path
	if filepath.Ext(dir) == ".xml" { // the JUnit of a run folder
		dir = filepath.Dir(dir)
	}
	failed, _ := record.ReadFailures(dir) // what cannot be read has been reported
	var total score.AgentTotal
	for cat, result := range run.All() {
		if total.Add(result); result.Effort == nil {
			continue
		}
		if a.Add(cat, result.Effort); len(failed) == 0 {
			continue
		}
		if f, again := failed.Get(result.Case.ID, result.Trial); again {
			a.Again++
			a.Attempts += f.Times
		}
	}
	if a.Cases == 0 {
		return nil
	}
	a.Solved, a.Figures = total.Solved, total.Values()
	return a
}
