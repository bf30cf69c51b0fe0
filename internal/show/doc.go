// Package show presents runs: charts, reports, traces, tables for other tools.
//
// It may import the wings from pattern to number.
package show
