//go:build unix

package plainfile

import "syscall"

func limit() (int, bool) {
	const endless = 1 << 30 // more than any run opens
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil || r.Cur >= endless {
		return 0, false
	}
	return int(r.Cur), true
}
