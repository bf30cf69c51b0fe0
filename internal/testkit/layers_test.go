package testkit_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/testkit"
)

const module = "github.com/gobfcl/bfcl"

// layers order the packages, lowest first: a package may import those of
// lower layers and, within a layer, those named before it. A pattern covers
// one package or, with /..., a tree.
var layers = [][]string{
	{"internal/near", "internal/plainfile", "internal/publicnet", "internal/yamlfile", "internal/pyval", "internal/version", "internal/option"},
	{"internal/pycall", "internal/pyliteral", "internal/xmlcall", "internal/javacall", "internal/jscall", "internal/decode", "internal/dialect"},
	{"internal/eval"},
	{"internal/judge", "internal/tool", "internal/prompt", "internal/transport", "internal/shard", "internal/page"},
	{"internal/sim", "internal/sim/filesystem", "internal/sim/mathapi", "internal/sim/message", "internal/sim/posting", "internal/sim/ticket", "internal/sim/trading", "internal/sim/travel", "internal/sim/vehicle", "internal/sim/memory", "internal/sim/websearch", "internal/sim/classes", "internal/exec", "internal/exec/live", "internal/sqlrun", "internal/judge/multiturn", "internal/judge/agentic", "internal/dialogue"},
	{"categories", "internal/ownsuite"},
	{"internal/record", "internal/engine", "fixtures", "internal/fetch"},
	{"internal/stat", "internal/score", "internal/published", "internal/chart", "internal/junit", "internal/catalog"},
	{"adapters/oracle", "adapters/heuristic", "adapters/command", "adapters/replay", "adapters/adaptertest"},
	{"adapters/provider", "adapters/provider/wiretest", "adapters/openai", "adapters/responses", "adapters/anthropic", "adapters/gemini", "adapters/bedrock", "adapters/cohere"},
	{"adapters", "internal/web/offline", "internal/web", "internal/embed"},
	{"internal/errata", "internal/execution", "internal/recall", "internal/ladder", "internal/failure", "internal/trace", "internal/suite", "internal/suitetest", "internal/evaluate", "internal/tally", "internal/table", "internal/compare", "internal/gate", "internal/validate", "internal/calllog", "internal/chaos"},
	{"internal/export", "internal/report"},
	{"internal/testkit", "internal/sim/simtest"},
	{"cmd/...", "bench/...", ""},
}

// closed are pairs that must never meet, whatever the layers say: adapters do
// not see judges or datasets, judges do not see HTTP or adapters.
var closed = []struct{ from, to string }{
	{"adapters/heuristic", "fixtures"}, {"adapters/command", "fixtures"}, {"adapters/replay", "fixtures"},
	{"adapters/...", "internal/judge"}, {"adapters/...", "categories"},
	{"internal/judge", "net/http"}, {"categories", "net/http"}, {"internal/decode", "net/http"},
	{"internal/judge", "adapters/..."},
}

type listed struct {
	ImportPath, ForTest       string
	Imports, Deps             []string
	TestGoFiles, XTestGoFiles []string
}

func goList(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,ForTest,Imports,Deps,TestGoFiles,XTestGoFiles"}, args...)...)
	cmd.Dir = testkit.ModuleRoot(t)
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		require.NoError(t, dec.Decode(&p))
		all = append(all, p)
	}
	return all
}

func matches(pattern, pkg string) bool {
	if tree, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == tree || strings.HasPrefix(pkg, tree+"/")
	}
	return pattern == pkg
}

func relative(importPath string) (string, bool) {
	if importPath == module {
		return "", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

func position(pkg string) (layer, place int, ok bool) {
	for i, patterns := range layers {
		for k, pattern := range patterns {
			if matches(pattern, pkg) {
				return i, k, true
			}
		}
	}
	return 0, 0, false
}

func TestLayers(t *testing.T) {
	for _, p := range goList(t, "./...") {
		pkg, _ := relative(p.ImportPath)
		layer, place, ok := position(pkg)
		if !assert.True(t, ok, "package %q stands in no layer: put it into the table of this test", pkg) {
			continue
		}
		for _, imported := range p.Imports {
			dep, own := relative(imported)
			if !own {
				continue
			}
			l, k, _ := position(dep)
			assert.True(t, l < layer || l == layer && k < place, "%s may not import %s", pkg, dep)
		}
		for _, c := range closed {
			if !matches(c.from, pkg) {
				continue
			}
			for _, dep := range p.Deps {
				rel, own := relative(dep)
				assert.False(t, own && matches(c.to, rel) || dep == c.to, "%s may not reach %s", pkg, c.to)
			}
		}
	}
}

// TestFlagsLinked proves that `go test ./... -model=x` dies nowhere of an
// unknown flag: every package with tests links this one.
func TestFlagsLinked(t *testing.T) {
	withTests := 0
	for _, p := range goList(t, "-test", "./...") {
		if !strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		withTests++
		assert.True(t, slices.Contains(p.Deps, module+"/internal/testkit") || strings.Contains(strings.Join(p.Deps, " "), module+"/internal/testkit "),
			"the tests of %s do not link internal/testkit: add a blank import", strings.TrimSuffix(p.ImportPath, ".test"))
	}
	assert.Greater(t, withTests, 5)
}
