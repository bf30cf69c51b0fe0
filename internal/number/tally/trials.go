package tally

import (
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/stat"
)

// Trials are what several trials of each case tell.
type Trials struct {
	// Trials is how many there are of each case, and Cases how many cases.
	Trials int `json:"trials"`
	Cases  int `json:"cases"`
	// Pass are the estimates by k, from 1: the mean over the cases.
	Pass []PassK `json:"pass"`
	// Flaky are the cases that were right in some trials and wrong in others,
	// in the benchmark's order.
	Flaky []Flaky `json:"flaky"`
}

// PassK estimates how k trials of a case end: At least one right, pass@k, or
// all right, pass^k.
type PassK struct {
	K   int     `json:"k"`
	At  float64 `json:"pass_at_k"`
	Hat float64 `json:"pass_hat_k"`
	// Cases have that many trials with an answer.
	Cases int `json:"cases"`
}

// A Flaky case.
type Flaky struct {
	Category string `json:"category"`
	ID       string `json:"id"`
	Right    int    `json:"right"`
	Answered int    `json:"answered"`
}

// TrialsOf is nil for a run with one trial a case. Trials that ended in
// infrastructure errors are left out, unless they are to count. Categories
// outside the score do not count unless nothing else ran.
func (r *Run) TrialsOf(allowErrors bool) *Trials {
	if r.Trials < 2 {
		return nil
	}
	t := &Trials{Trials: r.Trials, Pass: make([]PassK, r.Trials), Flaky: []Flaky{}}
	onlyUnscored := r.unscored()
	for _, part := range r.Parts {
		if part.Category.Unscored && !onlyUnscored {
			continue
		}
		for from := 0; from < len(part.Results); from += r.Trials {
			t.add(part.Category, part.Results[from:from+r.Trials], allowErrors)
		}
	}
	for i := range t.Pass {
		p := &t.Pass[i]
		p.K = i + 1
		if p.Cases > 0 {
			p.At /= float64(p.Cases)
			p.Hat /= float64(p.Cases)
		}
	}
	return t
}

// unscored reports whether no category of the run counts.
func (r *Run) unscored() bool {
	for _, part := range r.Parts {
		if !part.Category.Unscored {
			return false
		}
	}
	return true
}

func (t *Trials) add(cat *eval.Category, trials []Result, allowErrors bool) {
	f := Flaky{Category: cat.Name, ID: trials[0].Case.ID}
	for i := range trials {
		if trials[i].Status == eval.Error && !allowErrors {
			continue
		}
		f.Answered++
		if trials[i].Right(cat) {
			f.Right++
		}
	}
	t.Cases++
	if f.Right > 0 && f.Right < f.Answered {
		t.Flaky = append(t.Flaky, f)
	}
	for k := 1; k <= f.Answered; k++ {
		at, _ := stat.PassAt(f.Answered, f.Right, k)
		hat, _ := stat.PassHat(f.Answered, f.Right, k)
		p := &t.Pass[k-1]
		p.At, p.Hat, p.Cases = p.At+at, p.Hat+hat, p.Cases+1
	}
}

// Write prints the estimates and the first flaky cases for a terminal.
func (t *Trials) Write(w io.Writer) error {
	const mostK, mostFlaky = 10, 10
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d trials of %s:\n        at least one right  all right\n", t.Trials, cases(t.Cases))
	for _, p := range t.Pass[:min(mostK, len(t.Pass))] {
		if p.Cases > 0 {
			fmt.Fprintf(&b, "  k=%-3d  pass@k %9.2f%%   pass^k %6.2f%%\n", p.K, 100*p.At, 100*p.Hat)
		}
	}
	fmt.Fprintf(&b, "Flaky, right in some trials and wrong in others: %s\n", cases(len(t.Flaky)))
	for _, f := range t.Flaky[:min(mostFlaky, len(t.Flaky))] {
		fmt.Fprintf(&b, "  %d of %d  %s\n", f.Right, f.Answered, safe.Plain(f.ID, 120))
	}
	if left := len(t.Flaky) - mostFlaky; left > 0 {
		fmt.Fprintf(&b, "  … and %d more in the JSON\n", left)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
