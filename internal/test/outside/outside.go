// Package outside has tests of package bfcl as a module elsewhere uses it.
package outside
