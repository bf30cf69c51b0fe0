package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

const modulePath = "github.com/gobfcl/bfcl"

// moduleRoot is the checkout that a folder is in; ok reports whether it is in one.
func moduleRoot(dir string) (root string, ok bool, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		if ok, err := isModule(filepath.Join(at, "go.mod")); ok || err != nil {
			return at, ok, err
		}
		if at == filepath.Dir(at) {
			return "", false, nil
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
