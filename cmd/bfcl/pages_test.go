package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestPagesNameCommands: the commands and flags on the pages are there, and
// are not the old names of others.
func TestPagesNameCommands(t *testing.T) {
	t.Parallel()
	pages := testkit.Must(filepath.Glob(filepath.Join(testkit.ModuleRoot(t), "docs", "*.md")))(t)
	pages = append(pages, filepath.Join(testkit.ModuleRoot(t), "README.md"))
	root, lines := (&app{}).command(), 0
	for _, page := range pages {
		text := testkit.Must(os.ReadFile(page))(t)
		for _, line := range commandLines(string(text)) {
			lines++
			assert.Empty(t, wrongLine(root, line), "%s: %s", filepath.Base(page), line)
		}
	}
	assert.Greater(t, lines, 150)

	for line, want := range map[string]string{
		"bfcl run -model=x -resume":            "",
		"bfcl report x --lm-eval d; bfcl gone": "",
		"bfcl suggest x":                       "no command suggest",
		"bfcl gone":                            "no command gone",
		"bfcl run -modle=x":                    "no flag -modle",
		"bfcl report x -z page.html":           "no flag -z",
		"go test -v . -model=x -timeout=0 -run=x -tags=bedrock": "",
		"go test . -modle=x": "no flag -modle",
	} {
		assert.Equal(t, want, wrongLine(root, line), line)
	}
}

// TestTextsNameCommands: so are those of the helps' examples and of all texts of the
// program.
func TestTextsNameCommands(t *testing.T) {
	t.Parallel()
	root, examples, texts := (&app{}).command(), 0, 0
	for _, cmd := range append(root.Commands(), root) {
		for line := range strings.Lines(cmd.Example) {
			if examples++; cmd.Name() == "errata" { // which needs nothing
				s := &scene{dir: t.TempDir()}
				out, code := s.do(t, strings.Fields(line)[1:]...)
				assert.Zero(t, code, "%s: %s", line, out)
			}
			assert.Empty(t, wrongLine(root, strings.TrimSpace(line)), "%s --help: %s", cmd.Name(), line)
		}
	}
	assert.Greater(t, examples, 40)
	module := os.DirFS(testkit.ModuleRoot(t))
	require.NoError(t, fs.WalkDir(module, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".tmpl" {
			return err
		}
		text, err := fs.ReadFile(module, path)
		for _, m := range regexp.MustCompile("`(bfcl [a-z][^`\n\"]*)`").FindAllStringSubmatch(string(text), -1) {
			texts++
			assert.Empty(t, wrongLine(root, helpless.ReplaceAllString(m[1], "")), "%s: %s", path, m[1])
		}
		return err
	}))
	assert.Greater(t, texts, 50)
}

// TestThreeCounts: what docs/ci.md says that score, report.xml and gotestsum count
// of a run is so.
func TestThreeCounts(t *testing.T) {
	t.Parallel()
	dir := wholeRun(t)
	out := says(t, "score", dir)
	page := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "docs", "ci.md")))(t)
	counted := func(file, pattern string) (all, wrong string) {
		t.Helper()
		text := testkit.Must(os.ReadFile(filepath.Join(dir, file)))(t)
		m := regexp.MustCompile(pattern).FindSubmatch(text)
		require.NotNil(t, m, file)
		return string(m[1]), string(m[2])
	}
	for row, of := range map[string][2]string{
		"`report.xml`": {"report.xml", `<testsuites name="bfcl" tests="(\d+)" failures="(\d+)" errors="0"`},
		"gotestsum":    {"junit.xml", `<testsuites tests="(\d+)" failures="(\d+)" errors="0"`},
	} {
		all, wrong := counted(of[0], of[1])
		assert.Regexp(t, `(?m)^\| `+row+` \| .* \| `+all+` \| `+wrong+` \|$`, string(page))
	}
	m := regexp.MustCompile(`(?m)^Overall .* +(\d+) / +(\d+)$`).FindStringSubmatch(out)
	require.NotNil(t, m, out)
	right := testkit.Must(strconv.Atoi(m[1]))(t)
	all := testkit.Must(strconv.Atoi(m[2]))(t)
	assert.Regexp(t, fmt.Sprintf(`(?m)^\| score \| .* \| %d \| %d \|$`, all, all-right), string(page))
}

var (
	blockLine = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*(?:go run (?:-tags \S+ )?\./cmd/bfcl|bfcl|go test|- bfcl) .*`)
	spanned   = regexp.MustCompile("`((?:bfcl|go test) [^`]+)`")
	helpless  = regexp.MustCompile(` (--help|--help-all|-h)$`) // which each command has
	inQuotes  = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	environed = regexp.MustCompile(`^\s*(?:- )?(?:[A-Z_]+=\S+ )*`)
)

// commandLines are a page's lines and code spans that call the command or go
// test.
func commandLines(text string) (found []string) {
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if (fenced || strings.HasPrefix(line, "    ")) && blockLine.MatchString(strings.TrimSpace(line)) && !strings.Contains(line, "─") {
			line = environed.ReplaceAllString(line, "")
			found = append(found, regexp.MustCompile(`^go run (-tags \S+ )?\./cmd/bfcl`).ReplaceAllString(line, "bfcl"))
		}
	}
	for _, m := range spanned.FindAllStringSubmatch(text, -1) {
		found = append(found, strings.Join(strings.Fields(m[1]), " "))
	}
	return found
}

// wrongLine says what a command line names that there is not.
func wrongLine(root *cobra.Command, line string) string {
	line, _, _ = strings.Cut(inQuotes.ReplaceAllString(line, `""`), "  ") // prose beside it
	line = regexp.MustCompile(`( \|| >|;| &&| -- | #).*`).ReplaceAllString(line, "")
	words := strings.Fields(line)
	known := func(name string) bool {
		return flag.Lookup(name) != nil || flag.Lookup("test."+name) != nil || goFlags[name]
	}
	if words[0] == "bfcl" {
		cmd, _, err := root.Find(words[1:])
		if err != nil || cmd == root && !strings.HasPrefix(words[1], "-") || cmd.DisableFlagParsing {
			return "no command " + words[1]
		}
		known = func(name string) bool {
			return cmd.Flags().Lookup(name) != nil || len(name) == 1 && cmd.Flags().ShorthandLookup(name) != nil
		}
	}
	for _, word := range words[1:] {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if word == "-" || !strings.HasPrefix(word, "-") || known(name) {
			continue
		}
		return "no flag -" + name
	}
	return ""
}

// goFlags are flags of the go command itself, and of single packages' tests.
var goFlags = map[string]bool{"artifacts": true, "c": true, "C": true, "load": true, "mod": true, "race": true, "seeds": true, "tags": true, "update": true}
