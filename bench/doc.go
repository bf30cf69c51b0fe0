// Package bench holds measurements and long trials.
//
// It may import the wings from pattern to bfcl.
package bench
