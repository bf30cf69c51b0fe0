package score

import (
	"strconv"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
)

// An AgentTrial is what an agent took for one trial of a case.
type AgentTrial struct {
	Effort *eval.Effort
	Solved bool
	// InputTokens and OutputTokens are what the agent states; 0 if it states
	// nothing.
	InputTokens, OutputTokens float64
}

// An AgentFigure is something that an agent takes for each case it solves. Less of
// any is better.
type AgentFigure struct {
	// Name is the figure's name in score.json and gate files.
	Name string
	// Title is the figure's name for people, and Help explains it.
	Title, Help string
	// Unit is "$", "s", or "" for counts.
	Unit string
	// Digits is the number of decimals.
	Digits int

	of func(*AgentTrial) float64
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
		of: func(t *AgentTrial) float64 { return float64(of(t.Effort)) },
	}
}

// stated describes a figure that the agent states.
func stated(name, title, unit string, digits int, of func(*AgentTrial) float64) AgentFigure {
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
		of: func(t *AgentTrial) float64 { return t.Effort.Wall.Seconds() },
	},
	stated("cost", "cost", "$", 4, func(t *AgentTrial) float64 { return t.Effort.Cost }),
	stated("input_tokens", "input tokens", "", 0, func(t *AgentTrial) float64 { return t.InputTokens }),
	stated("output_tokens", "output tokens", "", 0, func(t *AgentTrial) float64 { return t.OutputTokens }),
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
	case "":
		return number
	}
	return number + " " + f.Unit
}

// Signed formats a difference in the figure, without its unit.
func (f *AgentFigure) Signed(x float64) string { return say.Signed("%+.*f", f.Digits, x) }
