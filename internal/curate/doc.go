// Package curate looks after datasets: fetching, checking, known mistakes.
//
// It may import the wings from pattern to doctor.
package curate
