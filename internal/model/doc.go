// Package model knows the models and carries requests to them.
//
// It may import the wings from kit to record.
package model
