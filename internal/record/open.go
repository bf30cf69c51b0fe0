package record

import (
	"fmt"
	"io"
	"os"
)

// Open opens a file of a folder that may be a stranger's. What is no regular
// file, such as a pipe or a link to a device, is refused: to read it might
// never end.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file: remove it", path)
	}
	return os.Open(path)
}

func readFile(path string) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(file)
}
