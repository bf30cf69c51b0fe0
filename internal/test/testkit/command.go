package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Command builds the command bfcl into a folder. It uses go run, because tests of
// several packages need the command: go keeps the programs that go run has
// linked, but not those of go build, and linking is most of the work. It builds
// with the environment of the tests, whose packages are compiled already; with
// another CGO_ENABLED most of the module would be compiled again.
func Command(dir string) (path string, err error) {
	path = filepath.Join(dir, "bfcl")
	for range 2 { // go run deletes the program when it ends
		out, err := inModule("run", "-exec", "echo", "./cmd/bfcl")
		if err != nil {
			return "", err
		}
		kept, err := os.ReadFile(strings.TrimSpace(out))
		if err == nil {
			return path, os.WriteFile(path, kept, 0o755)
		}
	}
	// Go keeps programs as it likes: none if the sources changed in between.
	_, err = inModule("build", "-o", path, "./cmd/bfcl")
	return path, err
}

// inModule runs the go command in the module's root.
func inModule(args ...string) (out string, err error) {
	run := exec.Command("go", args...)
	run.Dir = moduleRoot
	var said strings.Builder
	run.Stderr = &said
	printed, err := run.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, said.String())
	}
	return string(printed), nil
}
