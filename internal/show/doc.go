// Package show presents runs: what a terminal shows, and in the packages below
// reports, traces, and tables for other tools.
//
// It may import the wings from pattern to number.
package show
