package show_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/show/chart"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

const hostileName = `</title><script>alert(1)</script>"&'<`

func marks(n int) []chart.Mark {
	out := make([]chart.Mark, n)
	for i := range out {
		out[i] = chart.Mark{Name: fmt.Sprintf("model-%d %s", i, hostileName), Index: i}
	}
	return out
}

func share(x float64) stat.Interval {
	return stat.Interval{Estimate: x, Low: x - .05, High: x + .05}
}

// scattered draws n runs, values that are no numbers among them.
func scattered(n int) *chart.Chart {
	var points []chart.Point
	for i, m := range marks(n) {
		points = append(points, chart.Point{Mark: m, Interval: share(.5), X: math.Pow(10, float64(i-2))})
	}
	if n > 1 {
		points[0].X, points[1].X = -1, math.Inf(1)
	}
	if n > 3 {
		points[3].Estimate = math.NaN()
	}
	return chart.Scatter("scatter", "Scatter", "cost", func(x float64) string { return fmt.Sprint(x) }, points)
}

// TestWellFormed: every chart is XML, and no name becomes an element.
func TestWellFormed(t *testing.T) {
	for _, n := range []int{0, 1, 3, 25} {
		c := scattered(n)
		text := string(c.HTML())
		elements := wellFormed(t, c.Name, text)
		assert.NotContains(t, elements, "script")
		assert.Contains(t, elements, "title")
		assert.NotContains(t, text, "NaN")
		assert.NotContains(t, text, "Inf")
		assert.NotContains(t, text, "<style", "the page's policy would refuse it")
		assert.NotContains(t, text, "style=")
	}
}

func wellFormed(t *testing.T, name, text string) map[string]int {
	t.Helper()
	elements := map[string]int{}
	for dec := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		require.NoError(t, err, "%s: %.300s", name, text)
		if start, ok := token.(xml.StartElement); ok {
			elements[start.Name.Local]++
		}
	}
}

// TestInsideTheFrame: what is drawn lies in the picture.
func TestInsideTheFrame(t *testing.T) {
	text := string(scattered(14).HTML())
	size := regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`).FindStringSubmatch(text)
	w, _ := strconv.ParseFloat(size[1], 64)
	found := regexp.MustCompile(`<(?:text|rect)[^>]* x="(-?[\d.]+)"`).FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, found)
	for _, x := range found {
		v, err := strconv.ParseFloat(x[1], 64)
		require.NoError(t, err)
		assert.True(t, v >= 0 && v <= w, "x=%v of %v", v, w)
	}
}

// TestRunsDiffer: no two of twenty runs look the same.
func TestRunsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range marks(20) {
		look := string(m.Swatch().HTML())
		assert.False(t, seen[look], "run %d looks like another", m.Index)
		seen[look] = true
	}
	assert.NotContains(t, string(chart.Mark{Name: "x"}.Swatch().HTML()), "<title", "a legend's symbol says nothing that does not stand beside it")
}

// TestLabelsDoNotMeet: twenty points in one place all have labels, of which most stand
// apart with a line that leads to them.
func TestLabelsDoNotMeet(t *testing.T) {
	var points []chart.Point
	for i := range 20 {
		points = append(points, chart.Point{Mark: chart.Mark{Name: fmt.Sprintf("a-rather-long-name-%d", i), Index: i}, Interval: share(.5), X: 1})
	}
	text := string(chart.Scatter("s", "t", "x", func(x float64) string { return "" }, points).HTML())
	labels := regexp.MustCompile(`x="([\d.]+)" y="([\d.]+)">a-rather`).FindAllStringSubmatch(text, -1)
	assert.NotEmpty(t, labels)
	assert.Len(t, labels, 20)
	assert.Positive(t, strings.Count(text, `class="leader"`))
	places := map[string]bool{}
	for _, l := range labels {
		assert.False(t, places[l[1]+" "+l[2]])
		places[l[1]+" "+l[2]] = true
	}
}

// TestScale: whatever the points, each axis has two ticks or more.
func TestScale(t *testing.T) {
	for _, points := range [][]chart.Point{
		{{Mark: chart.Mark{Name: "a"}, Interval: stat.Interval{}, X: 3}},
		{{Mark: chart.Mark{Name: "a"}, Interval: stat.Interval{Estimate: 1, Low: 1, High: 1}, X: 1.2}, {Mark: chart.Mark{Name: "b", Index: 1}, Interval: stat.Interval{Estimate: 1, Low: 1, High: 1}, X: 1.3}},
		{{Mark: chart.Mark{Name: "a"}, Interval: share(.5), X: 0.0007}, {Mark: chart.Mark{Name: "b", Index: 1}, Interval: share(.5), X: 0.00071}},
	} {
		text := string(chart.Scatter("s", "t", "x", func(x float64) string { return fmt.Sprint(x) }, points).HTML())
		assert.GreaterOrEqual(t, strings.Count(text, `class="soft small mid"`), 2, "%v", points)
		assert.GreaterOrEqual(t, strings.Count(text, `class="soft small end"`), 2, "%v", points)
		assert.NotContains(t, text, "NaN")
	}
}
