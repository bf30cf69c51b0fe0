package record

import (
	"path/filepath"
	"strings"
)

// v3Prefix and v2Prefix begin the names of result files of upstream's third and
// second release, which lie side by side in a model's folder.
const (
	v3Prefix = "BFCL_v3_"
	v2Prefix = "BFCL_v2_"
)

// renamed maps the third release's names of categories to today's, if they
// differ; its ids begin with the old names.
var renamed = map[string]string{"simple": "simple_python", "java": "simple_java", "javascript": "simple_javascript"}

// FromV3 reports whether a result file is one of the third or the second
// release's. It may hold cases that today's data no longer has.
func FromV3(path string) bool {
	base := filepath.Base(path)
	return strings.HasPrefix(base, v3Prefix) || strings.HasPrefix(base, v2Prefix)
}

// v3Category returns today's name of a category of the third release.
func v3Category(name string) string {
	if today := renamed[name]; today != "" {
		return today
	}
	return name
}

// v3Row parses a row of the third release as parseRow does, with today's id.
func v3Row(line string, n int) (Row, error) {
	row, err := parseRow(line, n)
	if err != nil {
		return row, err
	}
	if i := strings.LastIndexByte(row.ID, '_'); i >= 0 {
		row.ID = v3Category(row.ID[:i]) + row.ID[i:]
	}
	return row, nil
}
