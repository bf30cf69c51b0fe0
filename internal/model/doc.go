// Package model holds the catalogue of models and what sends requests to them.
//
// It may import the wings from pattern to record.
package model
