package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
)

// root is the folder that results/ is in: the checkout, if there is one, or the current folder.
func root() (dir string, isCheckout bool, err error) {
	here, err := os.Getwd()
	if err != nil {
		return "", false, err
	}
	if dir, ok, err := moduleRoot(here); ok || err != nil {
		return dir, ok, err
	}
	return here, false, nil
}

// builtFrom refuses to run a suite that is older than the one in the checkout:
// changes made there would have no effect. What `go run` builds is always up to
// date.
func builtFrom(checkout string) error {
	if isGoRun() {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	made, err := os.Stat(self)
	if err != nil {
		return err
	}
	newer := newerSource(checkout, made.ModTime())
	if newer == "" {
		return nil
	}
	return option.Misuse("this bfcl was not built from the checkout %s as it is now (%s is newer), so it would run a different suite: rebuild it with `go build -o %s ./cmd/bfcl`, use `go run ./cmd/bfcl run …`, or run it outside the checkout",
		checkout, newer, say.ShellWord(self))
}

// sources are the parts of a checkout that the suite is built from.
var sources = []string{"adapters", "categories", "cmd", "fixtures", "internal", "go.mod"}

// newerSource is a file of the suite that was changed after a moment; "" if there is none.
func newerSource(checkout string, moment time.Time) (newer string) {
	for _, name := range sources {
		_ = filepath.WalkDir(filepath.Join(checkout, name), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil, newer != "":
				return fs.SkipAll
			case entry.IsDir() && entry.Name() == "testdata":
				return fs.SkipDir
			case entry.IsDir(), strings.HasSuffix(path, "_test.go"), strings.HasPrefix(entry.Name(), "."):
				return nil
			}
			if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(moment) {
				newer, _ = filepath.Rel(checkout, path)
			}
			return nil
		})
	}
	return newer
}

const modulePath = "github.com/gobfcl/bfcl"

// moduleRoot is the checkout that a folder is in; ok reports whether it is in one.
func moduleRoot(dir string) (root string, ok bool, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		data, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return at, false, err
		}
		for line := range strings.Lines(string(data)) {
			if words := strings.Fields(line); len(words) == 2 && words[0] == "module" && strings.Trim(words[1], `"`) == modulePath {
				return at, true, nil
			}
		}
		if at == filepath.Dir(at) {
			return "", false, nil
		}
	}
}
