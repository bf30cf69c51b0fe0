// Package eval defines what a run is made of: Case, Request, Response,
// Verdict, Category and Adapter. Package engine leads from one to the next.
package eval
