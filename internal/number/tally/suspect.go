package tally

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// Those who may be to blame for failures.
const (
	Model     = "model"
	Server    = "server"
	Benchmark = "benchmark"
)

// A Suspect says who may be to blame for a group's failures beside the model,
// who is to blame by default. It changes no verdict.
type Suspect struct {
	// Who are one or two of the above.
	Who []string `json:"who"`
	// Evidence is a sentence with the figures.
	Evidence string `json:"evidence"`
	// Ask says what would decide between two; "" for one.
	Ask string `json:"ask,omitempty"`
}

// String returns the suspects and the evidence in a sentence.
func (s *Suspect) String() string {
	text := "suspect " + strings.Join(s.Who, " or ") + ": " + s.Evidence
	if s.Ask != "" {
		text += "; " + s.Ask
	}
	return text
}

// askDoctor is what tells a model that makes one call from a server that lets
// one through.
const askDoctor = "`bfcl doctor` asks for several calls, and -read=dialect shows what the model writes"

// A rule returns a suspect for a group of failures, nil if it has none.
type rule func(r *Run, group []*eval.Result) *Suspect

// rules are asked in order: a fault of all answers explains more than one of
// some.
var rules = []rule{oneCallEach, callsInText, unreadByServer, atTheSlot, listedErrata}

// suspect returns who may be to blame for a group of failures, nil for the model
// alone.
func (r *Run) suspect(group []*eval.Result) *Suspect {
	for _, rule := range rules {
		if s := rule(r, group); s != nil {
			return s
		}
	}
	return nil
}

// enough is the least number of answers that a habit shows in.
const enough = 20

// oneCallEach: no answer of the run has more than one call, though many should.
func oneCallEach(r *Run, group []*eval.Result) *Suspect {
	if of(group, oneCall) < len(group) {
		return nil
	}
	wanted, one := 0, 0
	for cat, result := range r.All() {
		if !cat.Rule.Parallel() || result.Status == eval.Error || result.Varied != nil {
			continue
		}
		wanted++
		switch {
		case oneCall(result):
			one++
		case result.Passed() || !noCall(result):
			return nil // this one has several
		}
	}
	if one < enough {
		return nil
	}
	s := &Suspect{Who: []string{Server, Model}, Ask: askDoctor,
		Evidence: fmt.Sprintf("%d of %d answers that need several calls hold exactly one, and none holds more", one, wanted)}
	if f, ok := dialect.FamilyOf(r.Model); ok && f.Turn == dialect.One {
		s.Evidence += "; " + f.Name + "'s own chat template writes one call a turn"
	}
	return s
}

func oneCall(r *eval.Result) bool {
	return r.Cause.Kind == cause.WrongCount && r.Cause.Got == cause.OneCall
}

// noCall reports whether no call could be read from an answer.
func noCall(r *eval.Result) bool {
	return r.Cause.Kind == cause.NoCall || r.Cause.Kind == cause.Malformed || r.Cause.Kind == cause.CutOff
}

// callsInText: the calls stand in the text although the server was to find them.
func callsInText(r *Run, group []*eval.Result) *Suspect {
	if of(group, noCall) < len(group) {
		return nil // finding out what was lost takes longer
	}
	lost := r.Lost()
	if lost == nil || 2*lost.Answers < len(group) {
		return nil
	}
	return &Suspect{Who: []string{Server},
		Evidence: fmt.Sprintf("in %d answers the calls stand in the text, where the dialect %s reads them: the server's tool parser did not", lost.Answers, lost.Dialect)}
}

// unreadByServer: the server reported that it could not read the answers.
func unreadByServer(_ *Run, group []*eval.Result) *Suspect {
	n := of(group, func(r *eval.Result) bool { return r.Malformed })
	if 2*n < len(group) || n == 0 {
		return nil
	}
	return &Suspect{Who: []string{Server, Model}, Ask: "-read=dialect shows what the model writes",
		Evidence: fmt.Sprintf("the server could not read %s of the %d", count.Of(n, "answer", "answers"), len(group))}
}

// atTheSlot: the answers were cut off where prompt and answer together fill the
// server's context.
func atTheSlot(_ *Run, group []*eval.Result) *Suspect {
	sums := map[int]int{}
	for _, r := range group {
		if r.CutOff {
			sums[r.Tokens()]++
		}
	}
	for sum, n := range sums {
		if sum > 0 && n > 1 && 2*n > len(group) {
			return &Suspect{Who: []string{Server},
				Evidence: fmt.Sprintf("%d answers end where prompt and answer together have %d tokens, which is the server's context and not the model's limit", n, sum)}
		}
	}
	return nil
}

// listedErrata: most cases are known to be defective, in the run's mode. A single
// one says it by itself.
func listedErrata(r *Run, group []*eval.Result) *Suspect {
	defects, err := r.Defects()
	if err != nil {
		return nil
	}
	n := of(group, func(r *eval.Result) bool { return defects[r.Case.Plain().ID] != nil })
	if 2*n < len(group) || n < 2 {
		return nil
	}
	return &Suspect{Who: []string{Benchmark}, Evidence: fmt.Sprintf("%d of the %d are listed as defective: see `bfcl errata`", n, len(group))}
}

func of(group []*eval.Result, is func(*eval.Result) bool) (n int) {
	for _, r := range group {
		if is(r) {
			n++
		}
	}
	return n
}
