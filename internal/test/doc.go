// Package test holds what tests share, and the tests of the whole.
//
// It may import the wings from pattern to gotest.
package test
