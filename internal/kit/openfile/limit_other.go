//go:build !unix

package openfile

func limit() (int, bool) { return 0, false }
