// Command licence lists the licences of the modules in a build of the command,
// as Markdown, and fails if one is unknown or would bind users.
//
//	go list -deps -f '{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}' ./cmd/bfcl | sort -u | licence
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	classifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

// accepted are the licences that require only their text and the authors'
// names.
var accepted = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense", "CC0-1.0", "0BSD", "Zlib", "BlueOak-1.0.0"}

func main() {
	if err := list(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licence:", err)
		os.Exit(1)
	}
}

func list(in io.Reader, out io.Writer) error {
	known, err := assets.DefaultClassifier()
	if err != nil {
		return err
	}
	var wrong []string
	for lines := bufio.NewScanner(in); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) != 3 { // the module itself has no version
			continue
		}
		names, err := licences(known, words[2])
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "    %s %s %s\n", words[0], words[1], strings.Join(names, ", "))
		if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(accepted, name) }) {
			wrong = append(wrong, words[0])
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("licences to look at: %s", strings.Join(wrong, ", "))
	}
	return nil
}

// licences returns the licences of the files at the top of a module.
func licences(known *classifier.Classifier, dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		name := strings.ToUpper(entry.Name())
		if entry.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		for _, match := range known.Match(text).Matches {
			if match.MatchType == "License" && !slices.Contains(names, match.Name) {
				names = append(names, match.Name)
			}
		}
	}
	slices.Sort(names)
	return names, nil
}
