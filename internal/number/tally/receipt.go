package tally

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Receipt is what was sent for a run's cases and what that cost: by the run's
// ledgers, and by answers that these do not tell of.
type Receipt struct {
	// Money is the sum.
	eval.Money
	// Fates has the ledgers' part by what became of the requests.
	Fates map[record.Fate]eval.Money `json:"fates"`
	// Answers counts the run's answers, and Unlisted those that the ledgers do not
	// tell of, or not in full: Stated is what these say that they cost besides.
	Answers  int        `json:"answers"`
	Unlisted int        `json:"answers_unlisted,omitempty"`
	Stated   eval.Money `json:"stated_by_answers,omitzero"`
	// Beside is what was sent for Others answers, and other cases, that are not of
	// this selection. It is not part of the sum.
	Beside eval.Money `json:"beside,omitzero"`
	Others int        `json:"answers_beside,omitempty"`
	// Lost counts what the ledgers lack, such as damaged lines, and Without are the
	// folders that have none.
	Lost    int      `json:"lost,omitempty"`
	Without []string `json:"without_ledger,omitempty"`
	// Lacks says in words what the sum lacks; nil if it is exact.
	Lacks []string `json:"lacks,omitempty"`
	// Proxies, Served and Fingerprints count requests by those words.
	Proxies      map[string]int `json:"proxies,omitempty"`
	Served       map[string]int `json:"served,omitempty"`
	Fingerprints map[string]int `json:"fingerprints,omitempty"`
	// Errors counts requests by the kinds of their errors.
	Errors map[string]int `json:"errors,omitempty"`

	held map[attempt]eval.Money // by the ledgers, of what was answered
}

// An attempt is a trial of a case, by its name in the ledger.
type attempt struct {
	name  string
	trial int
}

// account adds up the ledgers of folders, and gives each answer its price. The
// receipt is nil if there is no ledger, and no answer states a price, as those of a
// run with a ledger do.
func (b *board) account(dirs []string) *Receipt {
	r := &Receipt{Fates: map[record.Fate]eval.Money{}, Proxies: map[string]int{}, Served: map[string]int{}, Fingerprints: map[string]int{}, Errors: map[string]int{}}
	r.held = map[attempt]eval.Money{}
	asked, others := map[attempt]bool{}, map[attempt]bool{}
	for slot := range b.all() {
		for _, id := range append([]string{slot.result.Case.ID}, slot.result.Case.Needs...) {
			asked[attempt{record.LedgerName(id), slot.result.Trial}] = true
		}
	}
	for _, dir := range dirs {
		lost, err := record.ReadLedger(dir, func(s *record.Sent) {
			key := attempt{s.Case, s.Trial}
			if asked[key] || s.Case == "" { // or of no case
				r.list(key, s)
				return
			}
			r.Beside = r.Beside.Plus(s.Money())
			others[key] = others[key] || s.Fate == record.Kept
		})
		r.Lost += lost
		switch {
		case errors.Is(err, os.ErrNotExist):
			r.Without = append(r.Without, dir)
		case err != nil: // the score does not depend on it
			b.notes = append(b.notes, fmt.Sprintf("the ledger cannot be read: %v", err))
			r.Without = append(r.Without, dir)
		}
	}
	for _, answered := range others {
		if answered {
			r.Others++
		}
	}
	stated := false
	for slot := range b.all() {
		stated = stated || slot.result.Cost.Requests > 0
		if slot.filled && slot.result.Status != eval.Error && slot.result.Effort == nil {
			r.price(slot)
		}
	}
	if len(r.Without) == len(dirs) && !stated {
		return nil
	}
	r.Money, r.Lacks = r.Plus(r.Stated), r.lacks()
	return r
}

// list adds a line of a ledger.
func (r *Receipt) list(key attempt, s *record.Sent) {
	for _, by := range []struct {
		counts map[string]int
		word   string
	}{{r.Proxies, s.Proxy}, {r.Served, s.Served}, {r.Fingerprints, s.Fingerprint}, {r.Errors, s.Error}} {
		if by.word != "" {
			by.counts[by.word]++
		}
	}
	r.Money, r.Fates[s.Fate] = r.Plus(s.Money()), r.Fates[s.Fate].Plus(s.Money())
	if s.Fate == record.Kept || s.Fate == record.Answered { // the process may have ended before it noted what it had recorded
		r.held[key] = r.held[key].Plus(s.Money())
	}
}

// price gives an answer its price: what its line says, or else the ledger, or else
// its tokens at the prices of its own run. What the ledgers lack of it is noted.
func (r *Receipt) price(s *slot) {
	const rounding = 1e-6 // of older JUnit
	answer, key := &s.result, attempt{record.LedgerName(s.result.Case.ID), s.result.Trial}
	held := r.held[key]
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

// lacks says what the sum lacks.
func (r *Receipt) lacks() (out []string) {
	replies := r.Fates[record.Kept].Unknown + r.Fates[record.Answered].Unknown + r.Fates[record.Abandoned].Unknown + r.Fates[record.Looked].Unknown
	for _, one := range []struct {
		n    int
		text string
	}{
		{replies + r.Stated.Unknown, "replies whose price is not known: %d"},
		{r.Unknown - replies, "requests that got no whole reply: %d"},
		{r.Unlisted, "answers that the ledger does not list: %d"},
		{r.Lost, "parts of the ledger that are lost: %d"},
		{len(r.Without), "run folders without a ledger: %d"},
	} {
		if one.n > 0 {
			out = append(out, fmt.Sprintf(one.text, one.n))
		}
	}
	return out
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

// folder returns the run folder of a source.
func (s *source) folder() string {
	if isDir(s.path) {
		return s.path
	}
	return filepath.Dir(s.path)
}

// fates are the fates in the order of the receipt, each with its meaning.
var fates = []struct {
	fate record.Fate
	says string
}{
	{record.Kept, "kept: part of a recorded answer"},
	{record.Retried, "retried: failed, and sent again"},
	{record.Refused, "refused: failed for good"},
	{record.Abandoned, "abandoned: answered, but the case has no answer"},
	{record.Answered, "answered, but the process ended before the case"},
	{record.Looked, "looked: of no case, how the server answers"},
	{record.Open, "open: no reply before the process ended"},
}

// Write prints the receipt.
func (r *Receipt) Write(w io.Writer) error {
	var b strings.Builder
	row := func(m eval.Money, says string) {
		if m.Requests > 0 {
			least := " "
			if m.Unknown > 0 {
				least = "≥"
			}
			fmt.Fprintf(&b, "%10d  %s%11.6f  %s\n", m.Requests, least, m.Dollars, says)
		}
	}
	fmt.Fprintf(&b, "%10s  %12s\n", "requests", "dollars")
	for _, f := range fates {
		row(r.Fates[f.fate], f.says)
	}
	row(r.Stated, "not in the ledger: stated by "+say.Count(r.Unlisted, "answer", "answers"))
	sum := r.Money
	if len(r.Lacks) > 0 {
		sum.Unknown = max(1, sum.Unknown)
	}
	row(sum, "sent, for "+say.Count(r.Answers, "answer", "answers"))
	row(r.Beside, "besides, for "+say.Count(r.Others, "answer", "answers")+" that are not of this selection")
	for _, by := range []struct {
		title  string
		counts map[string]int
	}{{"error", r.Errors}, {"proxy", r.Proxies}, {"served by", r.Served}, {"fingerprint", r.Fingerprints}} {
		for _, word := range slices.Sorted(maps.Keys(by.counts)) {
			fmt.Fprintf(&b, "%10d  %s %s\n", by.counts[word], by.title, say.Plain(word, 60))
		}
	}
	for _, text := range r.Lacks {
		fmt.Fprintf(&b, "The sum is a lower bound: %s.\n", text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
