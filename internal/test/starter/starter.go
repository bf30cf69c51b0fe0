// Package starter writes the starter suite as a folder, for tests that need a
// dataset of files, or one that is quickly read.
package starter

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// varied lists cases of another category, two of those that are always kept.
const varied = `{"simple_python": ["simple_python_0", "simple_python_3"]}` + "\n"

// Write copies the folder of the starter suite in the checkout root, with the
// documents of the simulated APIs, which it does not have as files. Of each
// category it keeps the first cases; with few being 0 all of them.
func Write(dir, root string, few int) error {
	from := filepath.Join(root, "fixtures", "starter")
	if err := errors.Join(os.CopyFS(dir, os.DirFS(from)), writeDocs(filepath.Join(dir, "multi_turn_func_doc"))); err != nil || few == 0 {
		return err
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(entry.Name(), "BFCL_v4_") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if lines := strings.SplitAfter(string(text), "\n"); len(lines) > few {
			text = []byte(strings.Join(lines[:few], ""))
		}
		if strings.Contains(entry.Name(), "format_sensitivity") {
			text = []byte(varied)
		}
		return os.WriteFile(path, text, 0o644)
	})
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
