package test_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var (
	inPackage = regexp.MustCompile("^`([a-z0-9/]+)`: (.*)$")
	declared  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// TestSecurityTestsExist: the tests that docs/security.md names for each threat
// exist.
func TestSecurityTestsExist(t *testing.T) {
	root := testkit.ModuleRoot(t)
	text := testkit.Must(os.ReadFile(filepath.Join(root, "docs", "security.md")))(t)
	_, table, found := strings.Cut(string(text), "| from | what it may try | what prevents it | tests |\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	rows, named := 0, 0
	for i, line := range strings.Split(table, "\n") {
		if i == 0 || !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if !assert.Lenf(t, cells, 4, "%s", line) {
			continue
		}
		rows++
		for _, group := range strings.Split(cells[3], "; ") {
			m := inPackage.FindStringSubmatch(group)
			if !assert.NotNilf(t, m, "%q: want `package`: TestName, TestName", group) {
				continue
			}
			have := testsOf(t, filepath.Join(root, m[1]))
			for _, name := range strings.Split(m[2], ", ") {
				named++
				assert.Truef(t, have[name], "%s has no %s: %s", m[1], name, line)
			}
		}
	}
	assert.Greater(t, rows, 30)
	t.Logf("%d threats, %d tests", rows, named)
}

// testsOf are the names of a package's tests.
func testsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files := testkit.Must(filepath.Glob(filepath.Join(dir, "*_test.go")))(t)
	out := map[string]bool{}
	for _, file := range files {
		text := testkit.Must(os.ReadFile(file))(t)
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			out[m[1]] = true
		}
	}
	return out
}
