package score

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
)

// An AgentEffort says what an agent took for a run's cases.
type AgentEffort struct {
	// Cases is the number of cases for which this is known, and Solved the
	// number of those that passed.
	Cases  int `json:"cases"`
	Solved int `json:"solved"`
	// Figures are what the agent took per solved case, by name; see the
	// function Figures. Unknown figures are left out.
	Figures map[string]AgentValue `json:"figures"`
	// Cost is the cost of all cases as far as the agent states it. Silent is
	// the number of cases for which it does not, or not in full.
	Cost   float64 `json:"cost,omitempty"`
	Silent int     `json:"cases_without_cost,omitempty"`
	// The calls are sums over all cases; see eval.Effort.
	Calls      int `json:"calls"`
	Failed     int `json:"failed_calls"`
	Recovered  int `json:"recovered_calls"`
	Redundant  int `json:"redundant_calls"`
	WrongTools int `json:"wrong_tool_calls"`
	Late       int `json:"late_calls"`
	// Exceeded is the number of cases that the limit of calls ended.
	Exceeded int `json:"cases_over_the_limit"`
	// Again is the number of answered cases that had no answer at first, and
	// Attempts how often they had none: such a case counts as one of several
	// tries.
	Again    int `json:"cases_asked_again"`
	Attempts int `json:"attempts_without_answer"`
	// NotIsolated is why the agent could have read the possible answers; "" if
	// it could not, or if it is not known.
	NotIsolated string `json:"not_isolated,omitempty"`
	// Official reports whether the cases are the published board's.
	Official bool `json:"official_data"`
	// Comparable are the categories with accuracies that are comparable with
	// the published board's, and Others the rest.
	Comparable []string `json:"comparable"`
	Others     []string `json:"not_comparable"`
}

// Add adds what was taken for a result of a category. Conversations are comparable:
// the agent acts on the same world as a model, and is judged by what it did there. In
// other categories a model answers once and sees no results, and the published board of
// V4 has no executable ones.
func (a *AgentEffort) Add(cat *eval.Category, e *eval.Effort) {
	list := &a.Others
	if cat.MultiTurn() && !cat.Unscored && !cat.Unused && cat.Group != eval.GroupOwn {
		list = &a.Comparable
	}
	if !slices.Contains(*list, cat.Name) {
		*list = append(*list, cat.Name)
	}
	a.Cases++
	a.Cost += e.Cost
	if !e.States(e.Cost) {
		a.Silent++
	}
	a.Calls += e.Calls
	a.Failed += e.Failed
	a.Recovered += e.Recovered
	a.Redundant += e.Redundant
	a.WrongTools += e.WrongTools
	a.Late += e.Late
	if e.Exceeded {
		a.Exceeded++
	}
}

// Write prints the figures for a terminal.
func (a *AgentEffort) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "agent    %d of %d cases solved\n", a.Solved, a.Cases)
	var took []string
	for _, f := range AgentFigures() {
		if v, known := a.Figures[f.Name]; known {
			took = append(took, v.Text(&f)+" "+f.Title)
		}
	}
	if len(took) > 0 {
		took[0] = "for each case solved: " + took[0]
	}
	wrapped(&b, "took     ", took)
	fmt.Fprintf(&b, "calls    %d: %d failed (%d recovered), %d redundant, %d to wrong tools\n", a.Calls, a.Failed, a.Recovered, a.Redundant, a.WrongTools)
	if a.Calls == 0 {
		b.WriteString("         no call arrived: does the agent use the tools at the address of \"mcp\"?\n")
	}
	if a.Late > 0 {
		fmt.Fprintf(&b, "         %d more came when no turn was open and were not carried out\n", a.Late)
	}
	if a.Exceeded > 0 {
		fmt.Fprintf(&b, "         the limit of calls ended %s\n", say.Cases(a.Exceeded))
	}
	if a.Again > 0 {
		fmt.Fprintf(&b, "again    %s asked again after %s without an answer: read the\n         accuracy as pass@k\n", say.Cases(a.Again), say.Count(a.Attempts, "attempt", "attempts"))
	}
	if a.NotIsolated != "" {
		fmt.Fprintf(&b, "isolated no: the agent could have read the possible answers:\n         %s\n", say.Plain(a.NotIsolated, 200))
	}
	how := "comparable with the published board"
	if !a.Official {
		how = "would be comparable with the published board if this were its data"
	}
	for _, board := range []struct {
		names []string
		what  string
	}{{a.Comparable, how}, {a.Others, "not comparable: there a model answers once and sees no result"}} {
		if len(board.names) > 0 {
			wrapped(&b, "board    ", board.names)
			fmt.Fprintf(&b, "         %s\n", board.what)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrapped prints words, separated by commas, in lines that fit a terminal.
func wrapped(b *strings.Builder, title string, words []string) {
	const width = 78
	line := title
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		if len(line)+1+len(word) > width {
			fmt.Fprintln(b, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", len(title))
		}
		if !strings.HasSuffix(line, " ") {
			line += " "
		}
		line += word
	}
	if len(words) > 0 {
		fmt.Fprintln(b, line)
	}
}
