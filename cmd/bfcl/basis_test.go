package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// figures are what an output says of a run: wrong answers in the overall and aside,
// errors, right answers, points lost, the overall of what ran.
type figures map[string]string

// TestNumbersAddUp: every output of a run says the same of it, and what it adds up
// adds up.
func TestNumbersAddUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	says(t, "init", filepath.Join(dir, "suite"))
	some := filepath.Join(dir, "some") // recorded answers of some of the cases
	bfcl(t, "run", "-q", "-model=heuristic", "-ids=simple_python_0,simple_python_3,irrelevance_0", "-run-dir="+some)
	t.Run("all of starter", func(t *testing.T) {
		t.Parallel()
		agree(t, outputs(t, wholeRun(t), nil))
	})
	for _, kind := range []struct {
		name   string
		flags  []string
		beside []string // flags of a second part, which is a shard
		after  []string // of what reads the run
	}{
		{"every answer right", []string{"-model=oracle", "-categories=non_live"}, nil, nil},
		{"categories", []string{"-model=heuristic", "-categories=simple_python,irrelevance,sql"}, nil, nil},
		{"a sample", []string{"-model=heuristic", "-sample=40"}, nil, nil},
		{"trials", []string{"-model=heuristic", "-categories=multiple,live_relevance", "-trials=2"}, nil, nil},
		{"only what does not count", []string{"-model=heuristic", "-categories=sql,exec_simple"}, nil, nil},
		{"conversations", []string{"-model=heuristic", "-categories=multi_turn"}, nil, nil},
		{"errors", []string{"-model=replay:" + some, "-categories=simple_python,irrelevance"}, nil, []string{"--allow-errors"}},
		{"a suite of one's own", []string{"-model=heuristic", "-dataset=" + filepath.Join(dir, "suite")}, nil, nil},
		{"two shards", []string{"-model=heuristic", "-categories=irrelevance,multi_turn_base,sql", "-shard=0/2", "-job=j"}, []string{"-model=heuristic", "-categories=irrelevance,multi_turn_base,sql", "-shard=1/2", "-job=j"}, nil},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			run := t.TempDir()
			if kind.beside == nil {
				run = filepath.Join(run, "r")
				bfcl(t, append([]string{"run", "-q", "-run-dir=" + run}, kind.flags...)...)
			} else {
				bfcl(t, append([]string{"run", "-q", "-run-dir=" + filepath.Join(run, "0")}, kind.flags...)...)
				bfcl(t, append([]string{"run", "-q", "-run-dir=" + filepath.Join(run, "1")}, kind.beside...)...)
			}
			agree(t, outputs(t, run, kind.after))
		})
	}
}

// agree fails on the first two outputs that differ in a figure that both have.
func agree(t *testing.T, said map[string]figures) {
	t.Helper()
	first := "score --json"
	require.Len(t, said[first], 6)
	compared := 0
	for _, name := range slices.Sorted(maps.Keys(said)) {
		for figure, value := range said[name] {
			compared++
			assert.Equalf(t, said[first][figure], value, "%s: %s is not that of %s", name, figure, first)
		}
	}
	t.Logf("%d figures of %d outputs", compared, len(said))
}

// outputs returns what all outputs say of a run.
func outputs(t *testing.T, run string, after []string) map[string]figures {
	t.Helper()
	said := map[string]figures{}
	read := func(command string, flags ...string) string {
		if command == "failures" { // it counts errors apart, whatever they count as
			return says(t, append([]string{command, run}, flags...)...)
		}
		return says(t, append(append([]string{command, run}, flags...), after...)...)
	}
	said["score --json"] = scored(t, read("score", "--json"))
	if text, err := os.ReadFile(filepath.Join(run, "score.json")); err == nil && after == nil {
		said["score.json"] = scored(t, string(text))
	}
	said["failures --json"] = failed(t, read("failures", "--json"))
	for _, command := range []string{"score", "failures"} {
		said[command] = sentence(read(command))
	}
	page := filepath.Join(t.TempDir(), "page.html")
	marked := read("report", "-o", page, "--markdown")
	html := testkit.Must(os.ReadFile(page))(t)
	said["page"] = sentence(string(html))
	if overall := regexp.MustCompile(`(?m)^\| 1 \| [^|]+\| ([\d.]+) \(`).FindStringSubmatch(marked); overall != nil {
		said["Markdown"] = figures{"overall": overall[1]}
	}
	xml := filepath.Join(t.TempDir(), "report.xml")
	bfcl(t, "score", run, "--junit", xml, "--allow-errors")
	if text, err := os.ReadFile(xml); err == nil {
		counts := regexp.MustCompile(`<testsuites [^>]*failures="(\d+)" errors="(\d+)"`).FindStringSubmatch(string(text))
		require.NotNil(t, counts)
		f := said["failures --json"]
		assert.Equal(t, []string{f["all"], f["errors"]}, counts[1:], "report.xml: failures and errors")
	}
	delete(said["failures --json"], "all")
	return said
}

// scored returns the figures of a score as JSON.
func scored(t *testing.T, text string) figures {
	t.Helper()
	var s struct {
		export.ScoreFile
		Taxonomy map[string]int `json:"taxonomy"`
		Outside  map[string]int `json:"outside"`
		Blame    *tally.Blame   `json:"blame"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	b := s.Basis
	require.NotNil(t, b)
	assert.Equal(t, b.Results, b.Answered+b.Errors+b.Missing)
	assert.Equal(t, b.Wrong, sum(s.Taxonomy), "the reasons of wrong answers add up to them")
	assert.Equal(t, b.Aside, sum(s.Outside))
	lost := 0.0
	if s.Blame != nil {
		for _, part := range s.Blame.Parts {
			lost -= part.Points
		}
		assert.InDelta(t, -s.Blame.Points, lost, 1e-9, "the evidence adds up to the points")
	}
	if b.Wrong > 0 && !s.AllowErrors && !s.Overall.NA {
		assert.InDelta(t, 100*(1-b.Ran), lost, 1e-9, "and with the overall to 100")
	}
	return figures{"wrong": fmt.Sprint(b.Wrong), "aside": fmt.Sprint(b.Aside), "errors": fmt.Sprint(b.Errors), "right": fmt.Sprint(b.Right),
		"lost": fmt.Sprintf("%.2f", lost), "overall": fmt.Sprintf("%.2f", 100*b.Ran)}
}

// failed returns the figures of failures as JSON.
func failed(t *testing.T, text string) figures {
	t.Helper()
	var f tally.Failures
	require.NoError(t, json.Unmarshal([]byte(text), &f))
	count, lost := 0, 0.0
	for _, g := range f.Groups {
		count, lost = count+g.Count, lost+g.Lost
		assert.Equal(t, g.Count, sum(g.Categories))
	}
	assert.Equal(t, f.Wrong+f.Errors, count, "the groups add up to what failed")
	assert.InDelta(t, f.Lost, lost, 1e-9)
	return figures{"wrong": fmt.Sprint(f.Wrong - f.Aside), "aside": fmt.Sprint(f.Aside), "errors": fmt.Sprint(f.Errors),
		"lost": fmt.Sprintf("%.2f", lost), "all": fmt.Sprint(f.Wrong)}
}

var cost = regexp.MustCompile(`(\d+) wrong answers? cost ([\d.]+) points(?:; (\d+) in unweighted categories)?(?:; (\d+) got no answer)?`)

// sentence returns the figures of the sentence that people read; none if nothing
// was lost.
func sentence(text string) figures {
	m := cost.FindStringSubmatch(strings.Join(strings.Fields(text), " "))
	if m == nil {
		return nil
	}
	for i := range m {
		if m[i] == "" {
			m[i] = "0"
		}
	}
	return figures{"wrong": m[1], "lost": m[2], "aside": m[3], "errors": m[4]}
}

func sum(counts map[string]int) (n int) {
	for _, k := range counts {
		n += k
	}
	return n
}
