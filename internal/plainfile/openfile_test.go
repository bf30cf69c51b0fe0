package plainfile_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/plainfile"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestOpenfileLimit(t *testing.T) {
	n, ok := plainfile.OpenLimit()
	if runtime.GOOS == "windows" {
		assert.False(t, ok)
		return
	}
	if ok {
		assert.Greater(t, n, plainfile.OpenFiles())
	}
}

func TestOpenfileOpen(t *testing.T) {
	before := plainfile.OpenFiles()
	if before == 0 {
		t.Skip("this system does not tell")
	}
	const more = 5
	for range more {
		f, err := os.Open(os.DevNull)
		require.NoError(t, err)
		defer func() { _ = f.Close() }()
	}
	assert.Equal(t, before+more, plainfile.OpenFiles())
}

func TestOpenfileExhausted(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("too many requests"), false},
		{os.ErrNotExist, false},
		{syscall.EMFILE, true},
		{fmt.Errorf("record: %w", &os.PathError{Op: "open", Path: "x", Err: syscall.ENFILE}), true},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("socket", syscall.EMFILE)}, true},
		{&net.DNSError{Err: "dial udp: socket: " + syscall.EMFILE.Error(), Name: "h"}, true},
		{errors.New("the model said too many open files"), false},
	} {
		assert.Equalf(t, c.want, plainfile.Exhausted(c.err), "%v", c.err)
	}
}
