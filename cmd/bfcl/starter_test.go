package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// variedCases lists two cases of another category, which are always kept.
const variedCases = `{"simple_python": ["simple_python_0", "simple_python_3"]}` + "\n"

// writeStarter copies the starter suite to a folder, and adds the documents of the
// simulated APIs, which the suite does not have as files. It writes only the
// files of the given categories, and of each the first few cases.
func writeStarter(dir, from string, few int, categories ...string) error {
	if err := errors.Join(os.CopyFS(dir, os.DirFS(from)), writeStarterDocs(filepath.Join(dir, "multi_turn_func_doc"))); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		file, ok := strings.CutPrefix(strings.TrimSuffix(entry.Name(), ".json"), "BFCL_v4_")
		switch {
		case err != nil || !ok:
			return err
		case !slices.ContainsFunc(categories, func(name string) bool { return strings.HasPrefix(name, file) }):
			return os.Remove(path)
		}
		return shortenFile(path, few)
	})
}

// shortenFile keeps the first few lines of a file.
func shortenFile(path string, few int) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if lines := strings.SplitAfter(string(text), "\n"); len(lines) > few {
		text = []byte(strings.Join(lines[:few], ""))
	}
	if strings.Contains(path, "format_sensitivity") {
		text = []byte(variedCases)
	}
	return os.WriteFile(path, text, 0o644)
}

func writeStarterDocs(dir string) error {
	errs := []error{os.MkdirAll(dir, 0o755)}
	for _, class := range classes.With(classes.Services{}).Classes() {
		if class.DocFile != "" {
			errs = append(errs, os.WriteFile(filepath.Join(dir, class.DocFile), []byte(class.Doc), 0o644))
		}
	}
	return errors.Join(errs...)
}
