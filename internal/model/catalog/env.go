package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/joho/godotenv"

	"github.com/gobfcl/bfcl/internal/plainfile"
)

// maxEnvBytes is the largest .env that is read.
const maxEnvBytes = 64 << 10

// ReadEnv reads a file of NAME=value lines. Its errors name the line but do not
// show it, because it may hold a key.
func ReadEnv(path string) (map[string]string, error) {
	file, err := plainfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxEnvBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxEnvBytes {
		return nil, fmt.Errorf("%s: larger than %d bytes", plainfile.Printable(path), maxEnvBytes)
	}
	values, err := parseEnv(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: not a line of the form NAME=value", plainfile.Printable(path), faultyLine(data))
	}
	return values, nil
}

var errEnv = errors.New("not an environment file")

func parseEnv(data []byte) (values map[string]string, err error) {
	defer func() {
		if recover() != nil { // the library slices at positions that it does not check
			values, err = nil, errEnv
		}
	}()
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, errEnv
	}
	values, err = godotenv.UnmarshalBytes(data)
	if err != nil {
		return nil, errEnv
	}
	for name := range values {
		if !variableName().MatchString(strings.ReplaceAll(name, ".", "_")) {
			return nil, errEnv
		}
	}
	return values, nil
}

// faultyLine returns the line on which the first statement that cannot be read
// begins. A quoted value may span lines.
func faultyLine(data []byte) int {
	const longest = 200 // lines of one value
	lines := bytes.SplitAfter(data, []byte("\n"))
	for start := 0; start < len(lines); {
		end := start + 1
		for end < len(lines) && end < start+longest && bytes.ContainsAny(lines[start], `'"`) && !reads(lines[start:end]) {
			end++
		}
		if !reads(lines[start:end]) {
			return start + 1
		}
		start = end
	}
	return len(lines)
}

func reads(lines [][]byte) bool {
	_, err := parseEnv(bytes.Join(lines, nil))
	return err == nil
}

// LoadEnv reads a file such as .env, if it exists, into the environment of this
// process. A variable that is already set, even if it is empty, is not changed.
// LoadEnv returns the names of the added variables.
func LoadEnv(path string) ([]string, error) {
	values, err := ReadEnv(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var added []string
	for _, name := range sorted(values) {
		if _, set := os.LookupEnv(name); set {
			continue
		}
		if err := os.Setenv(name, values[name]); err != nil {
			return added, fmt.Errorf("%s: %s cannot be set", plainfile.Printable(path), plainfile.Printable(name))
		}
		added = append(added, name)
	}
	return added, nil
}
