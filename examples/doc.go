// Package examples holds clients that Go programs use, as models of package bfcl:
// one folder each, a model in one file and a test that runs a suite.
// It is a module of its own, so that bfcl does not depend on them.
package examples
