package test_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// An addition is what one guide adds.
type addition struct {
	guide string
	// folder is where all its files lie, list the file with its line, behind
	// the last entry of which begin is the beginning.
	folder, list, begin string
	// imports reports whether the line needs an import of the folder.
	imports bool
}

var additions = []addition{
	{"adding-a-model.md", "adapters/toy", "adapters/list.go", "var list = []Kind{", true},
	{"adding-a-category.md", "fixtures/starter", "categories/list.go", "var all = list(", false},
	{"adding-a-simulator.md", "internal/world/sim/lamp", "internal/world/sim/classes/classes.go", "var Library = sim.NewLibrary(", true},
	{"adding-a-dialect.md", "internal/read/dialect", "internal/read/dialect/wires.go", "var wires = []wire{", false},
}

// named is a block of a guide under the name of the file it is.
var (
	named   = regexp.MustCompile("(?s)\n`([^`\n]+)`:\n\n```\\w+\n(.*?)```\n")
	linesOf = regexp.MustCompile("(?s)\nIn `([^`\n]+)`[^\n]*(?:\n[^\n`]*)?:\n\n```go\n(.*?)```\n")
)

// A copied module is the module with files added and changed. It lies on top of
// the real one (go's -overlay), so that what did not change is not built again.
type copied struct {
	root, dir string
	replaced  map[string]string
	// suite is a folder outside the module with the files of a suite.
	suite string
}

func (m *copied) write(t *testing.T, file, text string) {
	t.Helper()
	under := filepath.Join(m.dir, "module", filepath.FromSlash(file))
	if strings.HasPrefix(file, "lamp-suite/") {
		under = filepath.Join(m.suite, filepath.FromSlash(file))
	} else {
		m.replaced[filepath.Join(m.root, filepath.FromSlash(file))] = under
	}
	testkit.Write(t, under, text)
}

// add does what a guide says: files in its one folder, one entry in its one
// list.
func (m *copied) add(t *testing.T, a addition) {
	t.Helper()
	text := testkit.Must(os.ReadFile(filepath.Join(m.root, "docs", a.guide)))(t)
	files := 0
	for _, block := range named.FindAllStringSubmatch(string(text), -1) {
		file := block[1]
		if !strings.HasPrefix(file, "lamp-suite/") {
			assert.True(t, strings.HasPrefix(file, a.folder+"/"), "%s has the reader touch %s, outside of %s", a.guide, file, a.folder)
			assert.NoFileExists(t, filepath.Join(m.root, filepath.FromSlash(file)))
			files++
		}
		m.write(t, file, block[2])
	}
	assert.Positive(t, files, a.guide)
	lines := linesOf.FindAllStringSubmatch(string(text), -1)
	require.Len(t, lines, 1, "%s has one list to touch", a.guide)
	require.Equal(t, a.list, lines[0][1], a.guide)
	m.write(t, a.list, a.inserted(t, m.root, lines[0][2]))
}

// inserted is the list's file with an entry behind the last.
func (a addition) inserted(t *testing.T, root, entry string) string {
	t.Helper()
	text := testkit.Must(os.ReadFile(filepath.Join(root, filepath.FromSlash(a.list))))(t)
	head, rest, ok := strings.Cut(string(text), a.begin)
	require.True(t, ok, "%s has no %s", a.list, a.begin)
	end := regexp.MustCompile(`(?m)^[)}]`).FindStringIndex(rest)
	require.NotNil(t, end)
	if a.imports {
		head = strings.Replace(head, "import (\n", "import (\n\t\""+path.Join("github.com/gobfcl/bfcl", a.folder)+"\"\n", 1)
	}
	return head + a.begin + rest[:end[0]] + entry + rest[end[0]:]
}

func (m *copied) run(t *testing.T, dir, program string, args ...string) (output string, code int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "BFCL_DATA="+filepath.Join(m.dir, "none"), "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil { // it did not start
		require.NoError(t, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// tests runs the tests that the guides name. Folders that are in the overlay
// alone cannot be entered, so their tests are built first; TestListed reads
// the folders on disk.
func (m *copied) tests(t *testing.T, overlay string) {
	t.Helper()
	for _, pkg := range []string{"adapters/toy", "internal/world/sim/lamp"} {
		binary := filepath.Join(m.dir, path.Base(pkg)+".test")
		out, code := m.run(t, m.root, "go", "test", "-overlay", overlay, "-vet=off", "-c", "-o", binary, "./"+pkg)
		require.Zero(t, code, out)
		out, code = m.run(t, m.dir, binary, "-test.v")
		assert.Zero(t, code, out)
		assert.Contains(t, out, "--- PASS", pkg)
	}
	out, code := m.run(t, m.root, "go", "test", "-overlay", overlay, "-vet=off", "-skip", "^TestListed$|^TestGolden|^Benchmark", "./internal/world/sim", "./internal/read/dialect", "./categories", "./fixtures")
	assert.Zero(t, code, out)
}

// TestGuides follows the guides of docs/: it adds an adapter, a category, a
// simulator and a dialect to a copy of the module, builds it, runs
// the additions and judges their answers.
func TestGuides(t *testing.T) {
	testkit.Extra(t, "builds the module again")
	m := &copied{root: testkit.ModuleRoot(t), dir: t.TempDir(), suite: t.TempDir(), replaced: map[string]string{}}
	for _, a := range additions {
		m.add(t, a)
	}
	overlay := testkit.Must(json.Marshal(map[string]any{"Replace": m.replaced}))(t)
	file := filepath.Join(m.dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o644))

	m.tests(t, file)
	bfcl := filepath.Join(m.dir, "bfcl")
	out, code := m.run(t, m.root, "go", "build", "-overlay", file, "-o", bfcl, "./cmd/bfcl")
	require.Zero(t, code, out)
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"run -v -categories=weather_pick -model=oracle", 0, `weather_pick .*100\.00%.* 1 / +1\b`},
		{"run -v -categories=weather_pick -model=toy", 0, `weather_pick .* 0\.00%.* 0 / +1\b`},
		{"run -dataset=lamp-suite -model=oracle", 0, `lamps .*100\.00%.* 1 / +1\b`},
		{"run -v -dataset=lamp-suite -model=toy", 0, `LampAPI\.level is 80, the ground truth has 30`},
		{"judge --id weather_pick_0 [wind.speed(city='Oslo',days=1)]", 0, "pass"},
		{"judge --id weather_pick_0 [rain.sum(city='Oslo')]", 1, "wrong_func_name"},
		{"run -model=toy:x", 3, "toy takes no argument"},
		{`judge --id simple_python_0 --dialect=arrow =>f{"a":1}`, 1, `got +\[\{'f': \{'a': 1\}\}\]`},
	} {
		out, code := m.run(t, m.suite, bfcl, strings.Fields(test.args)...)
		assert.Equal(t, test.code, code, "%s:\n%s", test.args, out)
		assert.Regexp(t, test.want, out, test.args)
	}
}
