//go:build go1.27

package process

// escapes reports whether package testing escapes and marks what a test logs.
const escapes = true
