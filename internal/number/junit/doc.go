// Package junit reads the JUnit XML that gotestsum writes for a run, with the
// test cases' properties, and writes the report that people read in their CI's
// test view.
//
//	Read, ReadFile  gotestsum's XML to test cases
//	Log             what the test itself logged in a test case's output
//	Report, Write   the report for people
//
// It knows nothing of categories or verdicts.
package junit
