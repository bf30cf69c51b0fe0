package test_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// The documentation stays short enough to be read.
const (
	wordsOfDocs   = 25_000
	linesOfReadme = 160
)

// A library is the pages of a folder and what can be linked to.
type library struct {
	root  string
	pages map[string]string
}

// TestPages: every table is well formed, every link has a target, and the pages
// together stay below their limit of words.
func TestPages(t *testing.T) {
	t.Parallel()
	l := openLibrary(t, testkit.ModuleRoot(t))
	words, links := 0, 0
	for name, text := range l.pages {
		assert.Empty(t, brokenTables(text), name)
		assert.Empty(t, l.deadLinks(name), name)
		links += len(linked(text))
		if name == "README.md" || filepath.Dir(name) == "docs" {
			words += len(strings.Fields(text))
		}
	}
	assert.Greater(t, links, 80)
	assert.LessOrEqual(t, words, wordsOfDocs, "words in README.md and docs/*.md")
	assert.LessOrEqual(t, strings.Count(l.pages["README.md"], "\n"), linesOfReadme, "lines of README.md")
}

// TestPagesNamedInCode: pages that the command and its comments mention exist.
func TestPagesNamedInCode(t *testing.T) {
	t.Parallel()
	root := testkit.ModuleRoot(t)
	l, named := openLibrary(t, root), 0
	everyFile(t, root, func(name string) {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".md") {
			return
		}
		text := testkit.Must(os.ReadFile(filepath.Join(root, name)))(t)
		for _, page := range regexp.MustCompile(`\bdocs/[a-z0-9-]+\.md(#[a-z0-9-]+)?`).FindAllString(string(text), -1) {
			named++
			assert.Empty(t, l.dead("README.md", page), name)
		}
	})
	assert.Greater(t, named, 20)
}

// TestBrokenPages: each kind of fault in a page is found.
func TestBrokenPages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"reflowed", "Rows:\n\n| a | b | |---|---:| | 1 | 2 |\n| 3 | 4 |\n", "line 4"},
		{"a heading alone", "| a | b |\n\nText.\n", "line 2"},
		{"reflowed into a paragraph", "Rows: | a | b |\n|---|---| | 1 | 2 |\n", "line 1"},
		{"no rule below the heading", "| a | b |\n| 1 | 2 |\n", "line 2"},
		{"a cell too few", "| a | b |\n|---|---|\n| 1 |\n", "line 3"},
		{"a bar in code", "| a | b |\n|---|---|\n| `x|y` | 1 |\n", "line 3"},
		{"an open row", "| a | b |\n|---|---|\n| 1 | 2\n", "line 3"},
		{"a table", "| a | b |\n|:-:|---:|\n| `x\\|y` | |\n\n```\n| any | thing\n```\n\n    | any | thing\n", ""},
	} {
		found := strings.Join(brokenTables(test.text), "\n")
		assert.Equal(t, test.want, found[:min(len(found), len(test.want))], test.name)
		assert.Equal(t, test.want == "", found == "", "%s: %s", test.name, found)
	}

	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "docs"), 0o755))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	write("docs/other.md", "# The `other` page: A-z\n\n## Twice\n\n## Twice\n\n<a id=\"own\"></a>\n")
	for _, test := range []struct{ link, want string }{
		{"docs/other.md", ""},
		{"docs/other.md#the-other-page-a-z", ""},
		{"docs/other.md#twice-1", ""},
		{"docs/other.md#own", ""},
		{"#here", ""},
		{"https://example.com/gone.md#gone", ""},
		{"docs/gone.md", "docs/gone.md"},
		{"docs/other.md#twice-2", "docs/other.md#twice-2"},
		{"#gone", "#gone"},
	} {
		write("README.md", "# Here\n\nA link whose [text is\non two lines]("+test.link+"), and `[not](a-link)`.\n")
		found := openLibrary(t, root).deadLinks("README.md")
		assert.Equal(t, test.want, strings.Join(found, " "))
	}
}

// everyFile visits the files of a checkout, by their paths below it.
func everyFile(t *testing.T, root string, visit func(name string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if entry.IsDir() {
			if base := entry.Name(); base == ".git" || base == "testdata" || base == "node_modules" || name == "results" {
				return filepath.SkipDir
			}
			return nil
		}
		if entry.Type().IsRegular() {
			visit(filepath.ToSlash(name))
		}
		return nil
	}))
}

func openLibrary(t *testing.T, root string) library {
	t.Helper()
	l := library{root, map[string]string{}}
	everyFile(t, root, func(name string) {
		if strings.HasSuffix(name, ".md") {
			text := testkit.Must(os.ReadFile(filepath.Join(root, name)))(t)
			l.pages[name] = string(text)
		}
	})
	return l
}

// prose is a page's lines, those of code blocks empty.
func prose(text string) []string {
	lines := strings.Split(text, "\n")
	fenced, code, before := false, false, ""
	for i, line := range lines {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		code = strings.HasPrefix(line, "    ") && (code || strings.TrimSpace(before) == "")
		before = line
		if fenced || fence || code {
			lines[i] = ""
		}
		fenced = fenced != fence
	}
	return lines
}

var (
	escapedBar = regexp.MustCompile(`\\\|`)
	codeSpan   = regexp.MustCompile("`[^`]*`")
	tableRule  = regexp.MustCompile(`^\|(\s*:?-+:?\s*\|)+$`)
)

// brokenTables returns the lines that look like parts of a table but are not.
func brokenTables(text string) (found []string) {
	row, cells := 0, 0
	for i, line := range prose(text) {
		line = escapedBar.ReplaceAllString(strings.TrimSpace(line), "")
		fault := ""
		if !strings.HasPrefix(line, "|") {
			line = codeSpan.ReplaceAllString(line, "")
			switch {
			case strings.Contains(line, " | "), strings.Contains(line, "|--"):
				fault = "a row in the middle of a line"
			case row == 1:
				fault = "a row alone above"
			}
			row = 0
		} else {
			switch row++; {
			case !strings.HasSuffix(line, "|"):
				fault = "a row without its last bar"
			case row == 1:
				cells = strings.Count(line, "|")
			case row == 2 && !tableRule.MatchString(line):
				fault = "no rule below the heading"
			case strings.Count(line, "|") != cells:
				fault = "more or fewer cells than the heading"
			}
		}
		if fault != "" {
			found = append(found, fmt.Sprintf("line %d: %s: %.60s", i+1, fault, line))
		}
	}
	return found
}

var link = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)

// linked is where a page's links lead.
func linked(text string) (targets []string) {
	text = codeSpan.ReplaceAllString(strings.Join(prose(text), "\n"), "code")
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		targets = append(targets, m[1])
	}
	return targets
}

// deadLinks are the links of a page that lead nowhere in this checkout.
func (l library) deadLinks(page string) (found []string) {
	for _, target := range linked(l.pages[page]) {
		if l.dead(page, target) != "" {
			found = append(found, target)
		}
	}
	return found
}

func (l library) dead(page, target string) string {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return ""
	}
	file, anchor, _ := strings.Cut(target, "#")
	name := page
	if file != "" {
		name = filepath.ToSlash(filepath.Join(filepath.Dir(page), file))
	}
	if _, err := os.Stat(filepath.Join(l.root, name)); err != nil || anchor != "" && !anchors(l.pages[name])[anchor] {
		return target
	}
	return ""
}

var (
	heading  = regexp.MustCompile(`^#{1,6} (.*)$`)
	ownNamed = regexp.MustCompile(`<a id="([^"]+)">`)
)

// anchors are the places of a page that a link can name, as GitHub names them.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, line := range prose(text) {
		if m := ownNamed.FindStringSubmatch(line); m != nil {
			found[m[1]] = true
		}
		m := heading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, link.ReplaceAllStringFunc(m[1], func(s string) string { return s[1:strings.Index(s, "]")] }))
		for n, plain := 1, name; found[name]; n++ {
			name = fmt.Sprintf("%s-%d", plain, n)
		}
		found[name] = true
	}
	return found
}
