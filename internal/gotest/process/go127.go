//go:build go1.27

package process

// escapes reports whether the linked package testing escapes and marks what a
// test logs.
const escapes = true
