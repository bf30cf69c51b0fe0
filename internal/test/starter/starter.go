// Package starter writes the starter suite as a folder, for tests that need a
// dataset of files, or one that is quickly read.
package starter

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// varied lists cases of another category, two of those that are always kept.
const varied = `{"simple_python": ["simple_python_0", "simple_python_3"]}` + "\n"

// Write copies the folder of the starter suite, with the documents of the simulated
// APIs, which it does not have as files. It keeps the files of some categories, and
// of each the first few cases; where few is 0, all of them.
func Write(dir, from string, few int, categories ...string) error {
	if err := errors.Join(os.CopyFS(dir, os.DirFS(from)), writeDocs(filepath.Join(dir, "multi_turn_func_doc"))); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		file, ok := strings.CutPrefix(strings.TrimSuffix(entry.Name(), ".json"), "BFCL_v4_")
		switch {
		case err != nil || !ok:
			return err
		case !slices.ContainsFunc(categories, func(name string) bool { return strings.HasPrefix(name, file) }):
			return os.Remove(path)
		case few > 0:
			return shorten(path, few)
		}
		return nil
	})
}

// shorten keeps the first few lines of a file.
func shorten(path string, few int) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if lines := strings.SplitAfter(string(text), "\n"); len(lines) > few {
		text = []byte(strings.Join(lines[:few], ""))
	}
	if strings.Contains(path, "format_sensitivity") {
		text = []byte(varied)
	}
	return os.WriteFile(path, text, 0o644)
}

func writeDocs(dir string) error {
	errs := []error{os.MkdirAll(dir, 0o755)}
	for _, class := range classes.With(classes.Services{}).Classes() {
		if class.DocFile != "" {
			errs = append(errs, os.WriteFile(filepath.Join(dir, class.DocFile), []byte(class.Doc), 0o644))
		}
	}
	return errors.Join(errs...)
}
