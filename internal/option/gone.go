package option

import "fmt"

// upstream are flags of upstream's that nothing here replaces, with the reason.
var upstream = map[string]string{
	"exclude-state-log": "the records of conversations always have the simulators' states",
	"include-input-log": "bfcl run -dry-run shows what a model is sent",
}

// Gone are commands and flags of earlier versions, with what to use instead.
var Gone = map[string]string{
	"bfcl plan": "bfcl gate --init says which losses a gate finds, docs/statistics.md what a number of cases shows, bfcl run -dry-run how many requests there are",
	"-check":    "go test ./internal/curate -run Errata proves the list of defects",
	"-export":   "bfcl errata --json has the list",
	"-format":   "a log of calls makes no suite any more: bfcl init --from takes a file of tools, an OpenAPI document or an MCP server",
	"-jsonl":    "score.json and score.jsonl have the figures, the result files of the run each answer, report --lm-eval each sample",
	"-variant":  "write the cases that you want to put differently as a suite of your own (docs/own-suite.md)",
}

// Refused says what to use instead of an unknown flag, if upstream or an earlier
// version has it; "" for others.
func Refused(name string) string {
	if why := upstream[name]; why != "" {
		return fmt.Sprintf("-%s is a flag of upstream's: %s", name, why)
	}
	if instead := Gone["-"+name]; instead != "" {
		return fmt.Sprintf("-%s is gone: %s", name, instead)
	}
	return ""
}
