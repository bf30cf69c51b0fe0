//go:build !unix

package plainfile

func limit() (int, bool) { return 0, false }
