// Package examples has clients that Go programs use, as models for package
// bfcl: one folder each, with a model in one file and a test that runs a suite.
// It is a separate module, so that bfcl does not depend on them.
package examples
