// Package test holds what tests share, and the tests of the whole.
//
// It may import the wings from kit to gotest.
package test
