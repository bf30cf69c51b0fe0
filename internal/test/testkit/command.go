package testkit

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Command builds the command bfcl, without cgo, into a folder. Tests of several
// packages do, and go keeps the programs that go run has linked, which is most of
// the work, but not those of go build.
func Command(dir string) (path string, err error) {
	path = filepath.Join(dir, "bfcl")
	for range 2 { // what go run has just linked is gone when it ends
		run := exec.Command("go", "run", "-exec", "echo", "./cmd/bfcl")
		run.Dir, run.Env = moduleRoot(), append(os.Environ(), "CGO_ENABLED=0")
		var said strings.Builder
		run.Stderr = &said
		out, err := run.Output()
		if err != nil {
			return "", fmt.Errorf("%w: %s", err, said.String())
		}
		kept, err := os.ReadFile(strings.TrimSpace(string(out)))
		if err == nil {
			return path, os.WriteFile(path, kept, 0o755)
		}
	}
	return "", errors.New("go run keeps no program")
}
