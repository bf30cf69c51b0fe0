package record

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// Astray returns an error if a file of a run folder has answers to the wanted cases,
// by id, that are not among those that were read: they would be asked for again. The
// files of read categories need no second look.
func Astray(dir string, read []*eval.Category, wanted map[string]*eval.Category, have Answers) error {
	for trial := range have {
		placed := map[string]bool{}
		for _, cat := range read {
			placed[ResultFile(dir, cat, trial)] = true
		}
		err := filepath.WalkDir(ResultDir(dir, trial), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || placed[path] || strings.HasPrefix(entry.Name(), ".") {
				return nil
			}
			rows, err := Read(path, true)
			if err != nil {
				return nil // it holds something else
			}
			for _, row := range rows {
				_, found := have.Get(row.ID, trial)
				if cat := wanted[row.ID]; cat != nil && !found {
					return fmt.Errorf("%s holds the answer to %.100q, which would be asked for again: it belongs into %s; move it there, or away", path, row.ID, ResultFile(dir, cat, trial))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
