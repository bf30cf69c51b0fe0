package test_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"html/template"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var update = flag.Bool("update", false, "write docs/wings.svg anew")

// TestPicture: docs/wings.svg is what the table draws.
func TestPicture(t *testing.T) {
	root := testkit.ModuleRoot(t)
	got := testkit.Must(draw(root))(t)
	for dec := xml.NewDecoder(strings.NewReader(string(got))); ; {
		if _, err := dec.Token(); err != nil {
			require.ErrorIs(t, err, io.EOF)
			break
		}
	}
	file := filepath.Join(root, "docs", "wings.svg")
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want := testkit.Must(os.ReadFile(file))(t)
	assert.Equal(t, string(want), string(got), "docs/wings.svg is old: go test ./internal/test -update")
}

// TestDocs: the doc.go of a wing says what the table says it may import.
func TestDocs(t *testing.T) {
	root := testkit.ModuleRoot(t)
	told := 0
	for i, wing := range wings {
		text := testkit.Must(wingDoc(root, wing))(t)
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(wing), "doc.go")); err != nil || wing == "internal/eval" {
			continue // a wing of one package
		}
		told++
		assert.Contains(t, text, "It may import the wings from pattern to "+path.Base(wings[i-1])+".", wing)
	}
	assert.Equal(t, 11, told)
}

// TestArchitecture: the page names files and packages that exist.
func TestArchitecture(t *testing.T) {
	root := testkit.ModuleRoot(t)
	page := testkit.Must(os.ReadFile(filepath.Join(root, "docs", "architecture.md")))(t)
	named := 0
	for _, name := range regexp.MustCompile("`((?:internal|fixtures|adapters|categories|cmd)/[a-z0-9_/.]+)`").FindAllStringSubmatch(string(page), -1) {
		assert.NoError(t, testkit.Err(os.Stat(filepath.Join(root, filepath.FromSlash(name[1])))))
		named++
	}
	assert.Greater(t, named, 40)
}

func TestOf(t *testing.T) {
	assert.Equal(t, 0, wingOf("internal/pattern"))
	assert.Negative(t, wingOf("internal/elsewhere"))
	assert.Greater(t, wingOf("cmd/bfcl"), wingOf("internal/number/score"))
	assert.Equal(t, len(wings)-1, wingOf(""))
}

// The sizes in the picture.
const (
	rowHeight = 34
	top       = 44
)

// A row is a wing in the picture.
type row struct {
	Name, Folder, Job string
	Y                 int
}

var picture = template.Must(template.New("picture").Parse(`<svg xmlns="http://www.w3.org/2000/svg" width="860" height="{{.Height}}" viewBox="0 0 860 {{.Height}}" role="img" aria-label="The wings of the module, each of which may import those below it">
<style>
text { font: 13px ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif; fill: #57606a }
.name { font-weight: 600; font-size: 14px; fill: #1f2328 }
.page { fill: #ffffff; stroke: #d0d7de }
.wing { fill: #f6f8fa; stroke: #d0d7de }
.way { stroke: #0969da; stroke-width: 2; fill: none }
.head { fill: #0969da }
@media (prefers-color-scheme: dark) {
text { fill: #9198a1 }
.name { fill: #f0f6fc }
.page { fill: #0d1117; stroke: #3d444d }
.wing { fill: #151b23; stroke: #3d444d }
.way { stroke: #4493f8 }
.head { fill: #4493f8 }
}
</style>
<rect class="page" x="0.5" y="0.5" width="859" height="{{.Bottom}}" rx="8"/>
<text x="24" y="28">A wing may import the wings below it, and none above.</text>
<path class="way" d="M 36 {{.First}} V {{.Last}}"/>
<path class="head" d="M 29 {{.Last}} h 14 l -7 12 z"/>
{{range .Rows}}<rect class="wing" x="64" y="{{.Y}}" width="772" height="28" rx="5"/>
<text class="name" x="78" y="{{.Y}}" dy="19">{{.Name}}</text><text x="184" y="{{.Y}}" dy="19">{{.Folder}}</text><text x="326" y="{{.Y}}" dy="19">{{.Job}}</text>
{{end}}</svg>
`))

// draw returns an SVG of the wings, the highest on top, each with the job that
// its package comment states. root is the module's folder.
func draw(root string) ([]byte, error) {
	var rows []row
	for i, wing := range slices.Backward(wings) {
		text, err := job(root, wing)
		if err != nil {
			return nil, err
		}
		folder := wing + "/"
		if wing == "" {
			folder = "."
		}
		rows = append(rows, row{wingName(wing), folder, text, top + (len(wings)-1-i)*rowHeight})
	}
	height := top + len(rows)*rowHeight + 12
	var b bytes.Buffer
	err := picture.Execute(&b, map[string]any{
		"Rows": rows, "Height": height, "Bottom": height - 1, "First": top + 4, "Last": height - 36,
	})
	return b.Bytes(), err
}
