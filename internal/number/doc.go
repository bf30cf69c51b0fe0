// Package number turns verdicts into scores, intervals, comparisons and
// decisions.
//
// It may import the wings from pattern to curate.
package number
