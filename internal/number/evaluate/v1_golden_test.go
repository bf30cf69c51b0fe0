package evaluate_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// v1AST are the first release's categories that are judged without running
// anything.
var v1AST = []string{
	"simple", "java", "javascript", "multiple_function", "parallel_function", "parallel_multiple_function", "relevance",
}

func v1Dataset(t testing.TB) *fixtures.Dataset {
	t.Helper()
	d, err := fixtures.Open("v1", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	return d
}

// TestGoldenV1 evaluates the published answers of the first leaderboard's
// models: accuracy, failing cases, error types and texts are upstream's.
func TestGoldenV1(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v1")
	published := v1Published(t, recorded)
	out := t.TempDir()
	report, err := evaluate.Run(tally.Folders{
		Dataset: v1Dataset(t), ResultDir: recorded, Categories: strings.Join(v1AST, ","),
	}, out)
	require.NoError(t, err)
	assert.Len(t, report.Models, len(published))
	var all v1Tally
	for _, m := range report.Models {
		for _, c := range m.Parts {
			assert.InDelta(t, published[m.Name][c.Category.Name], c.Accuracy(), 0, "accuracy.tsv, %s of %s", c.Category.Name, m.Name)
			file := c.Category.Name + "_score.json"
			all.compare(t, m.Name+"/"+file, filepath.Join(recorded, m.Name, "score", file), filepath.Join(out, m.Name, file))
			all.cases += len(c.Results)
		}
	}
	assert.Equal(t, len(published)*len(v1AST), all.files)
	assert.Equal(t, all.failed, all.lines+all.texts)
	t.Logf("%d cases of %d models in %d score files compared: %d wrong answers; %d of their lines are identical to the byte, %d but for CPython's words for what cannot be parsed; %d files are identical",
		all.cases, len(report.Models), all.files, all.failed, all.lines, all.texts, all.identical)
	v1Table(t, published, filepath.Join(out, "data.csv"))
}

// A v1Tally counts what was compared;
// texts are lines that differ in nothing but the words of a failure to decode:
// those are CPython's parsers'.
type v1Tally struct{ files, identical, cases, failed, lines, texts int }

func (n *v1Tally) compare(t *testing.T, name, want, got string) {
	theirs, ours := v1Lines(t, want), v1Lines(t, got)
	n.files++
	n.failed += len(theirs) - 1
	if v1Bytes(t, want) == v1Bytes(t, got) {
		n.identical++
		n.lines += len(theirs) - 1
		return
	}
	assert.Equal(t, theirs["header"], ours["header"], "header of %s", name)
	delete(theirs, "header")
	delete(ours, "header")
	for id, line := range theirs {
		if ours[id] == line {
			n.lines++
			continue
		}
		if !assert.NotEmpty(t, ours[id], "%s: %s is right here and wrong there: %.600q", name, id, line) {
			continue
		}
		if field(t, line, "error_type") == cpythonText && withoutError(t, line) == withoutError(t, ours[id]) {
			n.texts++
			continue
		}
		assert.Equal(t, line, ours[id], "%s: %s", name, id)
	}
	for id, line := range ours {
		assert.Contains(t, theirs, id, "%s: %s is wrong here and right there: %.600q", name, id, line)
	}
}

func v1Bytes(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// v1Lines are a score file's lines by case; the first is "header".
func v1Lines(t *testing.T, path string) map[string]string {
	out := map[string]string{}
	for i, line := range lines(t, path) {
		id := "header"
		if i > 0 {
			id = "case " + field(t, line, "id")
		}
		out[id] = line
	}
	return out
}

// withoutError is a score line without its error texts.
func withoutError(t *testing.T, line string) string {
	v, err := pyval.ParseJSON(line)
	require.NoError(t, err)
	row := v.(*pyval.Dict)
	row.Delete(pyval.Str("error"))
	return pyval.Repr(row)
}

// v1Published are the published accuracies: model, then column.
func v1Published(t *testing.T, recorded string) map[string]map[string]float64 {
	rows := lines(t, filepath.Join(recorded, "accuracy.tsv"))
	titles := strings.Split(rows[0], "\t")
	out := map[string]map[string]float64{}
	for _, row := range rows[1:] {
		cells := strings.Split(row, "\t")
		columns := map[string]float64{}
		for i := 1; i < len(cells); i++ {
			v, err := strconv.ParseFloat(cells[i], 64)
			require.NoError(t, err)
			columns[titles[i]] = v
		}
		out[cells[0]] = columns
	}
	return out
}

// v1Columns are the table's columns that these categories reach, with those
// of the published accuracies.
var v1Columns = map[string]string{
	"AST Summary": "ast_summary", "Python Simple Function AST": "simple", "Java Simple Function AST": "java",
	"JavaScript Simple Function AST": "javascript", "Multiple Functions AST": "multiple_function",
	"Parallel Functions AST": "parallel_function", "Parallel Multiple AST": "parallel_multiple_function",
	"Relevance Detection": "relevance",
}

func v1Table(t *testing.T, published map[string]map[string]float64, path string) {
	cells := 0
	for model, want := range published {
		got := table(t, path, model)
		for title, column := range v1Columns {
			assert.Equal(t, strconv.FormatFloat(want[column]*100, 'f', 2, 64)+"%", got[title], "%s of %s", title, model)
			cells++
		}
	}
	t.Logf("%d cells of %s compared", cells, filepath.Base(path))
}
