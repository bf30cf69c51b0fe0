package ownsuite

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed all:example
var embedded embed.FS

// Example returns a suite that runs without changes.
func Example() fs.FS {
	files, err := fs.Sub(embedded, "example")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return files
}

// WriteExample writes the example into a folder and returns the files' names.
// It writes nothing if one of them exists already.
func WriteExample(dir string) ([]string, error) {
	files := map[string][]byte{}
	var names []string
	err := fs.WalkDir(Example(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		names = append(names, path)
		files[path], err = fs.ReadFile(Example(), path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return names, WriteNew(dir, names, files)
}

// WriteNew writes files into a folder. It writes none if one of them exists
// already.
func WriteNew(dir string, names []string, files map[string][]byte) error {
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return err
			}
			return fmt.Errorf("%s is there already: nothing was written; name another folder", path)
		}
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := writeNew(path, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// writeNew never overwrites a file, not even one that was created in the
// meantime.
func writeNew(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}
