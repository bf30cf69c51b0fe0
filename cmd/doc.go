// Package cmd holds the command.
//
// It may import the wings from kit to full.
package cmd
