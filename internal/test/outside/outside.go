// Package outside tests package bfcl from another module.
package outside
