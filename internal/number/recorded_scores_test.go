package number_test

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A model's wrong answers by category, as upstream's score files list them.
type model struct {
	name  string
	wrong map[string]map[string]bool
	total map[string]int
}

var scoreFile = regexp.MustCompile(`^(?:BFCL_v\d_)?(\w+)_score\.json$`)

// models reads every folder of score files below some roots, a model a folder.
func models(t *testing.T, roots ...string) []*model {
	t.Helper()
	byName := map[string]*model{}
	var out []*model
	for _, root := range roots {
		require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			match := scoreFile.FindStringSubmatch(filepath.Base(path))
			if err != nil || match == nil {
				return err
			}
			rel, _ := filepath.Rel(root, path)
			name := nameOf(rel)
			m := byName[name]
			if m == nil {
				m = &model{name: name, wrong: map[string]map[string]bool{}, total: map[string]int{}}
				byName[name], out = m, append(out, m)
			}
			m.read(t, path, match[1])
			return nil
		}))
	}
	return out
}

// nameOf is the model's folder: not those named score, live and the like.
func nameOf(path string) string {
	for _, part := range strings.Split(filepath.ToSlash(path), "/") {
		switch part {
		case "score", "open", "gpt-oss-120b":
		default:
			return part
		}
	}
	return path
}

func (m *model) read(t *testing.T, path, category string) {
	t.Helper()
	file := testkit.Must(os.Open(path))(t)
	defer func() { _ = file.Close() }()
	in := bufio.NewScanner(file)
	in.Buffer(nil, 64<<20)
	m.wrong[category] = map[string]bool{}
	for first := true; in.Scan(); first = false {
		var row struct {
			ID    any `json:"id"`
			Total int `json:"total_count"`
		}
		require.NoError(t, json.Unmarshal(in.Bytes(), &row), path)
		switch id := row.ID.(type) {
		case nil:
			require.True(t, first, path)
			m.total[category] = row.Total
		case float64:
			m.wrong[category][strconv.Itoa(int(id)-1)] = true
		case string:
			m.wrong[category][id] = true
		}
	}
	require.NoError(t, in.Err())
}

// right is 1 where the model was.
func (m *model) right(category, id string) float64 {
	if m.wrong[category][id] {
		return 0
	}
	return 1
}

// A full set's cases, with how much each counts.
type full struct {
	layout *score.Layout
	parts  []part
}

type part struct {
	category string
	ids      []string
}

// firstRelease is V1's full set: its score files count cases by position.
func firstRelease(m *model) full {
	f := full{layout: score.V1}
	for _, s := range score.V1.Overall.Shares(func(string) (int, bool) { return 1, true }) {
		p := part{category: s.Category}
		for i := range m.total[s.Category] {
			p.ids = append(p.ids, strconv.Itoa(i))
		}
		f.parts = append(f.parts, p)
	}
	return f
}

// current is V4's.
func current(t *testing.T) full {
	t.Helper()
	dataset := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	sel := testkit.Must(suite.Select(dataset, "all_scoring", ""))(t)
	f := full{layout: score.V4}
	for _, sp := range sel.Parts {
		p := part{category: sp.Category.Name}
		for _, c := range sp.Cases {
			p.ids = append(p.ids, c.ID)
		}
		f.parts = append(f.parts, p)
	}
	return f
}

// recordedRoots are the folders with recorded runs, by release.
func recordedRoots(t *testing.T) map[string][]string {
	t.Helper()
	recorded := testkit.Shared(t, "recorded")
	return map[string][]string{"V1": {filepath.Join(recorded, "v1")}, "V4": {filepath.Join(recorded, "v4")}}
}

// cases is how many cases a category has.
func (f full) cases(name string) int {
	for _, p := range f.parts {
		if p.category == name {
			return len(p.ids)
		}
	}
	return 0
}
