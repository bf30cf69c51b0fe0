//go:build !go1.27

package process

const escapes = false
