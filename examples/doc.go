// Package examples has clients that Go programs use, as models for package
// bfcl: one folder each, with a model in one file. A test runs a suite on each.
// It is a separate module, so that bfcl does not depend on them.
package examples
