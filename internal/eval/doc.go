// Package eval defines the elements of a run: Case, Request, Response, Verdict,
// Category and Adapter. Package engine connects them.
package eval
