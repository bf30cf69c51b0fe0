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

	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Receipt is what a run sent and paid, by its ledgers.
type Receipt struct {
	// Requests counts what was sent, and Dollars is its price.
	record.Sum
	// Fates has the same by what became of the requests.
	Fates map[record.Fate]record.Sum `json:"fates"`
	// Answers counts the answers that the ledgers tell of; the run may have more.
	Answers int `json:"answers"`
	// Proxies, Served and Fingerprints count requests by those words.
	Proxies      map[string]int `json:"proxies,omitempty"`
	Served       map[string]int `json:"served,omitempty"`
	Fingerprints map[string]int `json:"fingerprints,omitempty"`
	// Errors counts requests by the kinds of their errors.
	Errors map[string]int `json:"errors,omitempty"`

	kept map[attempt]bool
}

// An attempt is a trial of a case.
type attempt struct {
	id    string
	trial int
}

// covers reports whether each answer of a run is in its ledgers.
func (r *Receipt) covers(run *Run) bool {
	for _, result := range run.answers() {
		if !r.kept[attempt{result.Case.ID, result.Trial}] {
			return false
		}
	}
	return true
}

// receipt adds up the ledgers of folders; nil if one of them has none.
func receipt(dirs []string) (*Receipt, error) {
	r := &Receipt{Fates: map[record.Fate]record.Sum{}, Proxies: map[string]int{}, Served: map[string]int{}, Fingerprints: map[string]int{}, Errors: map[string]int{}}
	r.kept = map[attempt]bool{}
	for _, dir := range dirs {
		sums, err := record.ReadLedger(dir, func(s record.Sent) {
			for _, by := range []struct {
				counts map[string]int
				word   string
			}{{r.Proxies, s.Proxy}, {r.Served, s.Served}, {r.Fingerprints, s.Fingerprint}, {r.Errors, s.Error}} {
				if by.word != "" {
					by.counts[by.word]++
				}
			}
			if s.Fate == record.Kept {
				r.kept[attempt{s.Case, s.Trial}] = true
			}
		})
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		for fate, sum := range sums {
			r.Requests, r.Dollars = r.Requests+sum.Requests, r.Dollars+sum.Dollars
			r.Fates[fate] = record.Sum{Requests: r.Fates[fate].Requests + sum.Requests, Dollars: r.Fates[fate].Dollars + sum.Dollars}
		}
	}
	r.Answers = len(r.kept)
	return r, nil
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
	{record.Open, "open: no reply before the process ended"},
}

// Write prints the receipt.
func (r *Receipt) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%10s  %12s\n", "requests", "dollars")
	for _, f := range fates {
		if sum := r.Fates[f.fate]; sum.Requests > 0 {
			fmt.Fprintf(&b, "%10d  %12.6f  %s\n", sum.Requests, sum.Dollars, f.says)
		}
	}
	fmt.Fprintf(&b, "%10d  %12.6f  sent, for %s\n", r.Requests, r.Dollars, say.Count(r.Answers, "answer", "answers"))
	for _, by := range []struct {
		title  string
		counts map[string]int
	}{{"error", r.Errors}, {"proxy", r.Proxies}, {"served by", r.Served}, {"fingerprint", r.Fingerprints}} {
		for _, word := range slices.Sorted(maps.Keys(by.counts)) {
			fmt.Fprintf(&b, "%10d  %s %s\n", by.counts[word], by.title, say.Plain(word, 60))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
