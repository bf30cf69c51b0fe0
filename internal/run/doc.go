// Package run leads cases to their verdicts: selection, conversations, shards.
//
// It may import the wings from pattern to why.
package run
