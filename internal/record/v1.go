package record

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// v1Prefix begins the names of result files of upstream's first release.
const v1Prefix = "gorilla_openfunctions_v1_test_"

// V1Settings returns the settings of a model of the first leaderboard if the
// folder holds its answers: it has its own way of writing calls. The mode
// follows from the answers.
func (f *Folder) V1Settings(mode eval.Mode) (eval.Settings, bool) {
	known, ok := dialect.ForModel(f.Name())
	for _, path := range f.Files {
		ok = ok && Positional(path)
	}
	if !ok {
		return eval.Settings{}, false
	}
	return eval.Settings{Mode: mode, UnderscoreToDot: known.Dots, Dialect: known.Dialect.Name}, true
}

// Positional reports whether a result file is one of the first release's: its
// rows are in the dataset's order. Our own runs write rows as they come.
func Positional(path string) bool { return strings.HasPrefix(filepath.Base(path), v1Prefix) }

// categoryOf returns the category of a result file, by any release's name.
func categoryOf(name string) (category string, ok bool) {
	if FromV3(name) {
		category, ok = strings.CutSuffix(name[len(v3Prefix):], fileSuffix)
		return Today(category), ok
	}
	for _, prefix := range []string{filePrefix, v1Prefix} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return strings.CutSuffix(rest, fileSuffix)
		}
	}
	return "", false
}

// idsOf returns what tells the ids of a file's lines. Rows of the first release are
// identified by id or idx, a text or a number, or by their position alone.
func idsOf(path string) (id func(entry *pyval.Dict, n int) string, positional bool) {
	switch {
	case FromV3(path):
		return func(entry *pyval.Dict, _ int) string { // today's
			id, _ := entry.Text("id")
			if i := strings.LastIndexByte(id, '_'); i >= 0 {
				id = Today(id[:i]) + id[i:]
			}
			return id
		}, false
	case !Positional(path):
		return func(entry *pyval.Dict, _ int) string { id, _ := entry.Text("id"); return id }, false
	}
	category, _ := categoryOf(filepath.Base(path))
	return func(entry *pyval.Dict, n int) string {
		for _, field := range []string{"id", "idx"} {
			switch v, _ := entry.GetStr(field); v := v.(type) {
			case pyval.Str:
				return string(v)
			case pyval.Int:
				return category + "_" + v.String()
			}
		}
		return category + "_" + strconv.Itoa(n-1)
	}, true
}

// v3Prefix and v2Prefix begin the names of result files of upstream's third and
// second release, which lie side by side in a model's folder.
const (
	v3Prefix = "BFCL_v3_"
	v2Prefix = "BFCL_v2_"
)

// renamed maps the third release's names of categories to today's, if they differ.
var renamed = map[string]string{"simple": "simple_python", "java": "simple_java", "javascript": "simple_javascript"}

// FromV3 reports whether a result file is one of the third or the second
// release's. It may hold cases that today's data no longer has.
func FromV3(path string) bool {
	base := filepath.Base(path)
	return strings.HasPrefix(base, v3Prefix) || strings.HasPrefix(base, v2Prefix)
}

// Today returns today's name of a category of the third release.
func Today(name string) string {
	if today := renamed[name]; today != "" {
		return today
	}
	return name
}
