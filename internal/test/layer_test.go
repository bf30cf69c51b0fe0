package test_test

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// wings are the parts of the module, lowest first: a package may import
// packages of lower wings and of its own. Each wing is a folder, most of them
// below internal/; "" is the root. A new package needs no line here.
var wings = []string{
	"internal/pattern", "internal/parallel", "internal/version", "internal/say", "internal/plainfile", "internal/child", "internal/option",
	"internal/python", "internal/source", "internal/cause", "internal/eval", "internal/pose", "internal/read",
	"internal/record", "internal/model", "internal/world", "internal/judge", "categories", "internal/dataset",
	"fixtures", "adapters", "internal/why", "internal/run", "internal/doctor", "internal/curate", "internal/number", "internal/show", "internal/gotest", "internal/test",
	"full", "cmd/bfcl", "",
}

// within reports whether a package is in a folder or below it. Both are paths
// from the root of the module.
func within(folder, pkg string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

// wingOf returns the position of a package's wing; -1 if it is in none.
func wingOf(pkg string) int {
	return slices.IndexFunc(wings, func(folder string) bool { return within(folder, pkg) })
}

// wingDoc returns the comment of the package that a wing is named after.
func wingDoc(root, wing string) (string, error) {
	dir := filepath.Join(root, filepath.FromSlash(wing))
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		if text := file.Doc.Text(); strings.HasPrefix(text, "Package ") || strings.HasPrefix(text, "Command ") {
			return text, nil
		}
	}
	return "", fmt.Errorf("%s: no file says what the package is for", dir)
}

// job returns what a wing does, from the beginning of its package comment.
func job(root, wing string) (string, error) {
	text, err := wingDoc(root, wing)
	if err != nil {
		return "", err
	}
	text = new(doc.Package).Synopsis(text)
	if _, rest, ok := strings.Cut(text, " "); ok {
		_, text, _ = strings.Cut(rest, " ") // without "Package name"
	}
	text, _, _ = strings.Cut(text, ": ")
	return strings.TrimSuffix(text, "."), nil
}

// wingName returns the name of a wing for people.
func wingName(wing string) string {
	if wing == "" {
		return "bfcl"
	}
	return path.Base(wing)
}
