package tally

import (
	"fmt"
	"path/filepath"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
)

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

// folder returns the run folder of a source.
func (s *source) folder() string {
	if isDir(s.path) {
		return s.path
	}
	return filepath.Dir(s.path)
}
