// Package curate looks after datasets: fetching, checking, known mistakes.
//
// It may import the wings from kit to doctor.
package curate
