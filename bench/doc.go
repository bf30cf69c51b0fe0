// Package bench holds measurements and long trials.
//
// It may import the wings from kit to cmd.
package bench
