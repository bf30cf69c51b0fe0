package record

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Receipt is what was sent for a run's cases and what that cost: by the run's
// ledgers, and by answers that these do not tell of.
type Receipt struct {
	// Money is the sum.
	eval.Money
	// Fates has the ledgers' part by what became of the requests.
	Fates map[Fate]eval.Money `json:"fates"`
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

	asked, beside map[attempt]bool       // of the selection, and answers of others
	held          map[attempt]eval.Money // of what was answered
}

// NewReceipt returns one of nothing.
func NewReceipt() *Receipt {
	return &Receipt{Fates: map[Fate]eval.Money{}, Proxies: map[string]int{}, Served: map[string]int{}, Fingerprints: map[string]int{}, Errors: map[string]int{}, asked: map[attempt]bool{}, beside: map[attempt]bool{}, held: map[attempt]eval.Money{}}
}

// Held returns what the ledgers say that the answer to a trial of a case cost.
func (r *Receipt) Held(id string, trial int) eval.Money {
	return r.held[attempt{LedgerName(id), trial}]
}

// Ask says that a trial of a case is of the selection.
func (r *Receipt) Ask(id string, trial int) { r.asked[attempt{LedgerName(id), trial}] = true }

// Read adds the ledger of a folder. One that is not there is no error.
func (r *Receipt) Read(dir string) error {
	lost, err := ReadLedger(dir, func(s *Sent) {
		key := attempt{s.Case, s.Trial}
		if r.asked[key] || s.Case == "" { // or of no case
			r.list(key, s)
			return
		}
		r.Beside = r.Beside.Plus(s.Money())
		if s.Fate == Kept && !r.beside[key] {
			r.beside[key] = true
			r.Others++
		}
	})
	r.Lost += lost
	if err != nil {
		r.Without = append(r.Without, dir)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// list adds a line of a ledger.
func (r *Receipt) list(key attempt, s *Sent) {
	for _, by := range []struct {
		counts map[string]int
		word   string
	}{{r.Proxies, s.Proxy}, {r.Served, s.Served}, {r.Fingerprints, s.Fingerprint}, {r.Errors, s.Error}} {
		if by.word != "" {
			by.counts[by.word]++
		}
	}
	r.Money, r.Fates[s.Fate] = r.Plus(s.Money()), r.Fates[s.Fate].Plus(s.Money())
	if s.Fate == Kept || s.Fate == Answered { // the process may have ended before it noted what it had recorded
		r.held[key] = r.held[key].Plus(s.Money())
	}
}

// Close makes the sum, and says what it lacks.
func (r *Receipt) Close() {
	r.Money = r.Plus(r.Stated)
	replies := r.Fates[Kept].Unknown + r.Fates[Answered].Unknown + r.Fates[Abandoned].Unknown + r.Fates[Looked].Unknown
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
			r.Lacks = append(r.Lacks, fmt.Sprintf(one.text, one.n))
		}
	}
}

// fates are the fates in the order of the receipt, each with its meaning.
var fates = []struct {
	fate Fate
	says string
}{
	{Kept, "kept: part of a recorded answer"},
	{Retried, "retried: failed, and sent again"},
	{Refused, "refused: failed for good"},
	{Abandoned, "abandoned: answered, but the case has no answer"},
	{Answered, "answered, but the process ended before the case"},
	{Looked, "looked: of no case, how the server answers"},
	{Open, "open: no reply before the process ended"},
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
