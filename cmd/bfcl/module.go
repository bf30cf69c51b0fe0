package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const modulePath = "github.com/gobfcl/bfcl"

// moduleRoot is the checkout that a folder lies in.
func moduleRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		switch ours, err := isModule(filepath.Join(at, "go.mod")); {
		case err != nil:
			return "", err
		case ours:
			return at, nil
		case at == filepath.Dir(at):
			return "", fmt.Errorf("%s is not in a checkout of %s, whose test `bfcl run` builds: change into one, or name it with -C", dir, modulePath)
		}
	}
}

func isModule(file string) (bool, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == "module" {
			return strings.Trim(words[1], `"`) == modulePath, nil
		}
	}
	return false, nil
}
