package plainfile

import (
	"errors"
	"os"
	"strings"
	"syscall"
)

// OpenLimit returns how many files the process may have open; ok is false if the
// system sets no limit of its own or does not report it. Go raises the soft
// limit to the hard one when a program starts.
func OpenLimit() (n int, ok bool) { return limit() }

// OpenFiles returns how many files the process has open; 0 if the system does not
// report it.
func OpenFiles() int {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return 0
	}
	return len(entries) - 1 // the open folder itself is one of them
}

// Exhausted reports whether an error says that no more files can be opened
// because the process or the system has reached its limit.
func Exhausted(err error) bool {
	if err == nil {
		return false
	}
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE} {
		// Failed host lookups quote the reason instead of wrapping it.
		if errors.Is(err, errno) || strings.HasSuffix(err.Error(), ": "+errno.Error()) {
			return true
		}
	}
	return false
}
