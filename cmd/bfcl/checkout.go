package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/gotest/process"
)

// root is the folder that results/ is in: the checkout, if there is one, or the current folder.
func root() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return moduleRoot(here)
}

// moduleRoot is the checkout that a folder is in, or the folder itself.
func moduleRoot(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		data, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		for line := range strings.Lines(string(data)) {
			if words := strings.Fields(line); len(words) == 2 && words[0] == "module" && strings.Trim(words[1], `"`) == process.Module {
				return at, nil
			}
		}
		if at == filepath.Dir(at) {
			return dir, nil
		}
	}
}
