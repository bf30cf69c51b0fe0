// Package run leads cases to their verdicts: selection, conversations, shards,
// the body of the test.
//
// It may import the wings from kit to adapters.
package run
