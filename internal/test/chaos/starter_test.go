package chaos

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// writeStarter copies the starter suite to a folder, and adds the documents of
// the simulated APIs, which the suite does not have as files. It writes only the
// files of the given categories.
func writeStarter(dir, from string, categories ...string) error {
	docs := filepath.Join(dir, "multi_turn_func_doc")
	errs := []error{os.CopyFS(dir, os.DirFS(from)), os.MkdirAll(docs, 0o755)}
	for _, class := range classes.With(classes.Services{}).Classes() {
		if class.DocFile != "" {
			errs = append(errs, os.WriteFile(filepath.Join(docs, class.DocFile), []byte(class.Doc), 0o644))
		}
	}
	return errors.Join(append(errs, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		file, ok := strings.CutPrefix(strings.TrimSuffix(entry.Name(), ".json"), "BFCL_v4_")
		if err == nil && ok && !slices.ContainsFunc(categories, func(name string) bool { return strings.HasPrefix(name, file) }) {
			return os.Remove(path)
		}
		return err
	}))...)
}
