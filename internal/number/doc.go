// Package number turns verdicts into scores, intervals, comparisons and
// decisions.
//
// It may import the wings from kit to curate.
package number
