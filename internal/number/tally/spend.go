package tally

import (
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
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
	// Cost is the cost of the whole run, and CostPer1000 that of a thousand
	// answers.
	Cost        *float64 `json:"cost,omitempty"`
	CostPer1000 *float64 `json:"cost_per_1000,omitempty"`
	// Basis says where the cost comes from: "ledger", added up over the requests
	// that were sent, retries and abandoned ones too; "agent", stated by the agent;
	// "tokens", computed from the model's prices; or "time", upstream's
	// estimate for a model without a price, from the requests' time on eight
	// H100 GPUs that serve a hundred at once.
	Basis string `json:"basis,omitempty"`
	// Abandoned is the part of Cost that no answer came of: by the run's ledger,
	// what was paid for cases that have none.
	Abandoned float64 `json:"cost_abandoned,omitempty"`
	// Requests is how many requests were sent, by the ledger, and Retried how many
	// of them again; 0 without a ledger.
	Requests int `json:"requests,omitempty"`
	Retried  int `json:"requests_retried,omitempty"`
	// Silent is the number of cases for which an agent does not state the cost,
	// or not in full. If there are any, the costs are lower bounds.
	Silent int `json:"cases_without_cost,omitempty"`
	// Answers is the number of answers with a latency or tokens.
	Answers int `json:"answers"`
}

// Spend adds up the run's latencies, tokens and cost as upstream's
// get_cost_latency_info does, unrounded where upstream rounds to cents.
func (r *Run) Spend() Spend {
	var u leaderboard.Usage
	var first []float64
	var stated float64
	s := Spend{Basis: "time"}
	for _, result := range r.All() {
		s.add(&u, result)
		if x := result.TTFT.Seconds(); x > 0 {
			first = append(first, x)
		}
		if e := result.Effort; e != nil { // an agent's time is not that of a model on a server
			s.Basis = "agent"
			stated += e.Cost
			if !e.States(e.Cost) {
				s.Silent++
			}
		}
	}
	s.latencies(&u)
	s.firstTokens(first)
	switch {
	case s.Basis == "agent" && stated > 0:
		s.cost(stated)
		return s
	case s.Basis == "agent":
	case r.Prices != nil && r.Receipt != nil && r.Receipt.covers(r):
		s.Basis = "ledger"
		s.cost(r.Receipt.Dollars)
	case r.Prices != nil:
		s.Basis = "tokens"
		s.cost(float64(s.InputTokens)*r.Prices.Input/1e6 + float64(s.OutputTokens)*r.Prices.Output/1e6)
	case u.Latency.Sum() > 0 && s.Asked():
		s.cost(leaderboard.TimeCost(u.Latency.Sum()))
	default:
		s.Basis = ""
	}
	s.Silent = 0
	if r.Receipt != nil {
		s.Requests, s.Retried = r.Receipt.Requests, r.Receipt.Fates[record.Retried].Requests
		s.Abandoned = r.Receipt.Dollars - r.Receipt.Fates[record.Kept].Dollars
	}
	return s
}

func (s *Spend) add(u *leaderboard.Usage, result *eval.Result) {
	latency, input, output := result.Latency.Seconds(), int64(result.InputTokens), int64(result.OutputTokens)
	if latency > 0 {
		u.Latency.AddFloat(latency)
	}
	if latency > 0 || input > 0 || output > 0 {
		s.Answers++
	}
	s.InputTokens += input
	s.OutputTokens += output
}

// latencies fills in the statistics. A single latency has no deviation, so none
// are given then, as in upstream's table.
func (s *Spend) latencies(u *leaderboard.Usage) {
	figures, err := u.Spend(leaderboard.Model{})
	if err != nil || !figures.Mean.Known {
		return
	}
	s.LatencyMean, s.LatencyStdDev, s.LatencyP95 = &figures.Mean.Value, &figures.StdDev.Value, &figures.P95.Value
}

// firstTokens fills in the statistics of the times to the first token.
func (s *Spend) firstTokens(seconds []float64) {
	if mean, err := stat.Mean(seconds); err == nil {
		p95, _ := stat.Percentile(seconds, 95) // fails where the mean does
		s.TTFTMean, s.TTFTP95 = &mean, &p95
	}
}

func (s *Spend) cost(dollars float64) {
	if s.Answers == 0 {
		s.Basis = ""
		return
	}
	per1000 := dollars / float64(s.Answers) * 1000
	s.Cost, s.CostPer1000 = &dollars, &per1000
}

// Asked reports whether a model was asked: the time of an answer computed in
// process is not worth showing.
func (s Spend) Asked() bool {
	const shown = 0.005 // seconds, the least that two decimals show
	return s.InputTokens+s.OutputTokens > 0 || s.LatencyMean != nil && *s.LatencyMean >= shown
}

// Write prints the figures in up to four lines.
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
	if s.Cost != nil {
		least, note := "", ""
		switch {
		case s.Basis == "time":
			note = " (estimated by time: the model's price is not known)"
		case s.Abandoned > 0:
			note = fmt.Sprintf("; $%.4f of it for cases without an answer", s.Abandoned)
		case s.Silent > 0:
			least, note = "at least ", fmt.Sprintf("; not reported in full for %s", say.Cases(s.Silent))
		}
		fmt.Fprintf(&b, "cost     %s$%.4f, $%.4f per 1,000 answers%s\n", least, *s.Cost, *s.CostPer1000, note)
	}
	if s.Retried > 0 {
		fmt.Fprintf(&b, "sent     %s, %d of them again\n", say.Count(s.Requests, "request", "requests"), s.Retried)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
