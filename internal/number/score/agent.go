package score

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/stat"
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

// An AgentFigure is something that an agent takes for each case it solves. Less of
// any is better.
type AgentFigure struct {
	// Name is the figure's name in score.json and gate files.
	Name string
	// Title is the figure's name for people, and Help explains it.
	Title, Help string
	// Unit is "$", "s", "%", or "" for counts.
	Unit string
	// Digits is the number of decimals.
	Digits int

	of func(*eval.Result) float64 // which has an Effort
	// stated marks a value that only the agent knows. It is summed over all
	// cases, including those not solved, and 0 means not stated.
	stated bool
}

// Direction says that less is better.
const Direction = "less is better"

// perSolved describes a figure that is a mean over solved cases.
func perSolved(name, title, what string, of func(*eval.Effort) int) AgentFigure {
	return AgentFigure{
		Name: name + "_per_solved", Title: title, Help: what + ": mean over the cases that the agent solved", Digits: 2,
		of: func(r *eval.Result) float64 { return float64(of(r.Effort)) },
	}
}

// stated describes a figure that the agent states.
func stated(name, title, unit string, digits int, of func(*eval.Result) float64) AgentFigure {
	return AgentFigure{
		Name: name + "_per_solved", Title: title, Unit: unit, Digits: digits, stated: true, of: of,
		Help: "What the agent reports for all its cases, divided by the number it solved",
	}
}

var figures = [...]AgentFigure{
	perSolved("steps", "steps", "Steps: calls made together count as one, and so does the text that ends a turn", func(e *eval.Effort) int { return e.Steps }),
	perSolved("calls", "calls", "Calls", func(e *eval.Effort) int { return e.Calls }),
	perSolved("failed_calls", "failed calls", "Calls that were answered with an error", func(e *eval.Effort) int { return e.Failed }),
	perSolved("recovered_calls", "recovered calls", "Failed calls followed in their turn by a successful call to the same tool", func(e *eval.Effort) int { return e.Recovered }),
	perSolved("redundant_calls", "redundant calls", "Calls that repeat an earlier call of their turn and got the same answer", func(e *eval.Effort) int { return e.Redundant }),
	perSolved("wrong_tool_calls", "calls to wrong tools", "Calls to tools that the case did not show", func(e *eval.Effort) int { return e.WrongTools }),
	{
		Name: "seconds_per_solved", Title: "wall time", Help: "Wall time: mean over the cases that the agent solved", Unit: "s", Digits: 2,
		of: func(r *eval.Result) float64 { return r.Effort.Wall.Seconds() },
	},
	stated("cost", "cost", "$", 4, func(r *eval.Result) float64 { return r.Effort.Cost }),
	stated("input_tokens", "input tokens", "", 0, func(r *eval.Result) float64 { return float64(r.InputTokens) }),
	stated("output_tokens", "output tokens", "", 0, func(r *eval.Result) float64 { return float64(r.OutputTokens) }),
}

// AgentFigures returns all figures in the order in which they are shown.
func AgentFigures() []AgentFigure { return figures[:] }

// Text formats a value of the figure with its unit.
func (f *AgentFigure) Text(x float64) string {
	return f.withUnit(strconv.FormatFloat(x, 'f', f.Digits, 64))
}

// Exact formats a value, such as a limit, with its unit and all its digits.
func (f *AgentFigure) Exact(x float64) string { return f.withUnit(strconv.FormatFloat(x, 'f', -1, 64)) }

func (f *AgentFigure) withUnit(number string) string {
	switch f.Unit {
	case "$":
		return "$" + number
	case "", "%":
		return number + f.Unit
	}
	return number + " " + f.Unit
}

// Signed formats a difference in the figure, without its unit.
func (f *AgentFigure) Signed(x float64) string { return say.Signed("%+.*f", f.Digits, x) }

// An AgentTotal adds up what an agent took for some trials.
type AgentTotal struct {
	// Trials is the number of trials, of which Solved passed.
	Trials, Solved int

	amounts [len(figures)]amount
}

// An amount is a figure's sum over the trials that count in it.
type amount struct {
	sum float64
	// silent trials do not state theirs, or not all of it.
	silent int
}

// Add adds a trial, if it is known what it took.
func (s *AgentTotal) Add(r *eval.Result) {
	if r.Effort == nil {
		return
	}
	s.Trials++
	if r.Passed() {
		s.Solved++
	}
	for i := range figures {
		f, a := &figures[i], &s.amounts[i]
		if f.stated || r.Passed() {
			a.sum += f.of(r)
		}
		if f.stated && !r.Effort.States(f.of(r)) {
			a.silent++
		}
	}
}

// An AgentValue is the value of a figure over some trials.
type AgentValue struct {
	Value float64 `json:"value"`
	// Silent counts the trials whose part is not stated, or not in full. If
	// there are any, the value is a lower bound.
	Silent int `json:"silent,omitempty"`
}

// Value returns the value of the i-th figure; nil if no case was solved or the
// agent stated nothing.
func (s *AgentTotal) Value(i int) *AgentValue {
	if s.Solved == 0 {
		return nil
	}
	a := s.amounts[i]
	if figures[i].stated && a.sum == 0 {
		return nil
	}
	return &AgentValue{a.sum / float64(s.Solved), a.silent}
}

// Whole reports whether the value is fully known.
func (v *AgentValue) Whole() bool { return v != nil && v.Silent == 0 }

// Text formats the value as the figure does.
func (v *AgentValue) Text(f *AgentFigure) string {
	if v.Silent > 0 {
		return "at least " + f.Text(v.Value)
	}
	return f.Text(v.Value)
}

// Values returns the known figures by name.
func (s *AgentTotal) Values() map[string]AgentValue {
	out := map[string]AgentValue{}
	for i := range figures {
		if v := s.Value(i); v != nil {
			out[figures[i].Name] = *v
		}
	}
	return out
}

// Ratio returns the total as one cluster's part of the i-th figure.
func (s *AgentTotal) Ratio(i int) stat.Ratio {
	return stat.Ratio{Over: s.amounts[i].sum, Under: float64(s.Solved)}
}

// Include adds another total.
func (s *AgentTotal) Include(other *AgentTotal) {
	s.Trials += other.Trials
	s.Solved += other.Solved
	for i, a := range other.amounts {
		s.amounts[i].sum += a.sum
		s.amounts[i].silent += a.silent
	}
}
