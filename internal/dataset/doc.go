// Package dataset builds datasets from users' own suites and logs.
//
// It may import the wings from pattern to categories.
package dataset
