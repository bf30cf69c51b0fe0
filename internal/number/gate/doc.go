// Package gate decides whether a run is good enough, by a file of rules:
// floors, allowed losses against a baseline, ceilings and required cases. If
// the sample is too small for a rule, the rule is undecided, not kept.
//
//	Parse     a gate file to a Config, or an error with the lines that are wrong
//	Decide    a Config and a run, with a baseline or without, to a Decision
//	Decision  its checks as text, Markdown, JSON and annotations
//
// docs/gate.md explains the rules.
package gate
