package leaderboard_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A tally of compared rows prints itself when the test ends.
type compared struct {
	t            *testing.T
	equal, total int
}

func compare(t *testing.T) *compared {
	c := &compared{t: t}
	t.Cleanup(func() { t.Logf("%d of %d rows equal", c.equal, c.total) })
	return c
}

func (c *compared) row(name string, want, got any) {
	c.t.Helper()
	c.total++
	diff := cmp.Diff(want, got, cmpopts.EquateEmpty())
	if diff == "" {
		c.equal++
		return
	}
	c.t.Errorf("%.100q: -want +got\n%.2000q", name, diff)
}

func golden(t *testing.T, path ...string) *pyval.Dict {
	t.Helper()
	text := testkit.Must(os.ReadFile(testkit.GoldenFile(t, path...)))(t)
	v := testkit.Must(pyval.ParseJSON(string(text)))(t)
	return v.(*pyval.Dict)
}

func rows(d *pyval.Dict, name string) []*pyval.Dict {
	list, _ := testkit.Field(d, name).(*pyval.List)
	if list == nil {
		return nil
	}
	out := make([]*pyval.Dict, len(list.Items))
	for i, item := range list.Items {
		out[i] = item.(*pyval.Dict)
	}
	return out
}

func field(d *pyval.Dict, name string) *pyval.Dict {
	v, _ := testkit.Field(d, name).(*pyval.Dict)
	if v == nil {
		return pyval.NewDict(0)
	}
	return v
}

func number(v pyval.Value) float64 {
	switch v := v.(type) {
	case pyval.Float:
		return float64(v)
	case pyval.Int:
		f, _ := v.Float64()
		return f
	case pyval.Bool:
		if v {
			return 1
		}
	}
	return 0
}

func price(d *pyval.Dict, name string) *float64 {
	v, ok := d.GetStr(name)
	if !ok || v == pyval.None {
		return nil
	}
	f := number(v)
	return &f
}

func model(config *pyval.Dict) leaderboard.Model {
	return leaderboard.Model{
		Name:       testkit.Text(config, "display_name"),
		URL:        testkit.Text(config, "url"),
		Org:        testkit.Text(config, "org"),
		License:    testkit.Text(config, "license"),
		InputPrice: price(config, "input_price"), OutputPrice: price(config, "output_price"),
	}
}

func series(v pyval.Value) leaderboard.Series {
	var s leaderboard.Series
	if list, ok := v.(*pyval.List); ok {
		for _, item := range list.Items {
			if f, ok := item.(pyval.Float); ok {
				s.AddFloat(float64(f))
			} else {
				s.AddInt(int64(number(item)))
			}
		}
	}
	return s
}

func usage(cost, latency *pyval.Dict) leaderboard.Usage {
	return leaderboard.Usage{
		Input:   series(testkit.Field(cost, "input_data")),
		Output:  series(testkit.Field(cost, "output_data")),
		Latency: series(testkit.Field(latency, "data")),
	}
}

func accuracy(d *pyval.Dict) score.Accuracy {
	return score.Accuracy{
		Value: number(testkit.Field(d, "accuracy")),
		Total: int(number(testkit.Field(d, "total_count"))),
		NA:    testkit.Text(d, "display_accuracy") == "N/A",
	}
}

func entry(t *testing.T, m *pyval.Dict) (leaderboard.Entry, error) {
	t.Helper()
	e := leaderboard.Entry{Model: model(field(m, "config")), Accuracy: map[string]score.Accuracy{}}
	table := field(m, "table")
	u := usage(field(table, "cost"), field(table, "latency"))
	spend, failed := u.Spend(e.Model)
	e.Spend = spend
	for key, v := range table.All() {
		switch name := pyval.Text(key); name {
		case "cost", "latency":
		case "format_sensitivity":
			s := testkit.Must(leaderboard.ParseSensitivity(v.(*pyval.Dict)))(t)
			e.Format = s
		default:
			e.Accuracy[name] = accuracy(v.(*pyval.Dict))
		}
	}
	return e, failed
}

func TestGoldenLeaderboard(t *testing.T) {
	c := compare(t)
	for _, scenario := range rows(golden(t, "aggregate.json"), "scenarios") {
		name := testkit.Text(scenario, "name")
		var entries []leaderboard.Entry
		var failed error
		for _, m := range rows(scenario, "models") {
			e, err := entry(t, m)
			entries, failed = append(entries, e), errors.Join(failed, err)
		}
		files, err := leaderboard.Tables(entries)
		if failed != nil {
			files, err = nil, failed
		}
		raised := testkit.Field(scenario, "raised") != pyval.None
		want := map[string]string{}
		for key, v := range field(scenario, "csv").All() {
			want[pyval.Text(key)] = pyval.Text(v)
		}
		got := map[string]string{}
		for _, f := range files {
			got[f.Name] = f.Text
		}
		c.row(name, outcome{raised, want}, outcome{err != nil, got})
	}
}

type outcome struct {
	Raised bool
	Files  map[string]string
}

func TestGoldenSizes(t *testing.T) {
	c := compare(t)
	for key, v := range field(golden(t, "aggregate.json"), "default_total_count").All() {
		c.row(pyval.Text(key), int(number(v)), score.V4.Sizes[pyval.Text(key)])
	}
}

func TestGoldenAverages(t *testing.T) {
	c := compare(t)
	for _, r := range rows(golden(t, "aggregate.json"), "averages") {
		var parts []score.Accuracy
		for _, in := range rows(r, "input") {
			parts = append(parts, accuracy(in))
		}
		weights := series(testkit.Field(r, "weights")).Values
		for rule, got := range map[string]score.Accuracy{
			"weighted":            score.WeightedMean(parts...),
			"unweighted":          score.Mean(parts...),
			"percentage_weighted": score.PercentMean(weights, parts...),
		} {
			// Where upstream's display_na_if_category_missing is off, a
			// table calls Percent instead of String.
			if !testkit.Flag(r, "display_na_if_category_missing") {
				got.NA = false
			}
			c.row(rule, accuracy(field(r, rule)), got)
		}
	}
}

func TestGoldenSpend(t *testing.T) {
	c := compare(t)
	for _, r := range rows(golden(t, "aggregate.json"), "cost_latency") {
		u := usage(field(r, "cost_data"), field(r, "latency_data"))
		spend := testkit.Must(u.Spend(model(field(r, "config"))))(t)
		c.row(pyval.Repr(r), texts(testkit.Field(r, "csv_text")), printed(spend))
	}
}

func texts(v pyval.Value) []string {
	var out []string
	for _, item := range v.(*pyval.List).Items {
		out = append(out, pyval.Text(item))
	}
	return out
}

func printed(s leaderboard.Spend) []string {
	return []string{s.Cost.String(), s.Mean.String(), s.StdDev.String(), s.P95.String()}
}

func TestGoldenRecord(t *testing.T) {
	c := compare(t)
	for _, r := range rows(golden(t, "aggregate.json"), "record_cost_latency") {
		var u leaderboard.Usage
		for _, e := range rows(r, "entries") {
			u.Record(e)
		}
		c.row(pyval.Repr(r), usage(field(r, "cost"), field(r, "latency")), u)
	}
}

func TestGoldenSensitivity(t *testing.T) {
	c := compare(t)
	for _, r := range rows(golden(t, "aggregate.json"), "format_sensitivity_header") {
		var configs []leaderboard.Config
		for key, v := range field(r, "correct_by_config").All() {
			right := series(v)
			configs = append(configs, leaderboard.Config{
				Name: pyval.Text(key), Correct: int(right.Sum()), Total: len(right.Values),
			})
		}
		head := leaderboard.NewSensitivity(configs).Header()
		c.row(testkit.Text(r, "name"), pyval.Repr(field(r, "header")), pyval.Repr(head))
	}
}

func TestGoldenSpendV1(t *testing.T) {
	c := compare(t)
	prices := golden(t, "cost", "cost.json")
	for _, r := range rows(prices, "examples") {
		u := leaderboard.Usage{
			Input:   series(testkit.Field(r, "input_tokens")),
			Output:  series(testkit.Field(r, "output_tokens")),
			Latency: series(testkit.Field(r, "latencies")),
		}
		spend, err := u.SpendV1(v1Model(prices, testkit.Text(r, "model")))
		why := testkit.Text(r, "why")
		if field(r, "raises").Len() > 0 {
			c.row(why, true, err != nil)
			continue
		}
		require.NoError(t, err)
		c.row(why, texts(testkit.Field(r, "printed")), printed(spend))
	}
}

func v1Model(prices *pyval.Dict, name string) leaderboard.Model {
	m := leaderboard.Model{
		Name:         name,
		InputPrice:   price(field(prices, "input_price_per_million_tokens"), name),
		OutputPrice:  price(field(prices, "output_price_per_million_tokens"), name),
		BatchSeconds: number(testkit.Field(field(prices, "oss_batch_latency_seconds"), name)),
	}
	for _, v := range testkit.Field(prices, "no_cost_models").(*pyval.List).Items {
		m.NoCost = m.NoCost || pyval.Text(v) == name
	}
	return m
}

var v1Categories = []string{
	"simple", "multiple_function", "parallel_function", "parallel_multiple_function", "java", "javascript",
	"executable_simple", "executable_multiple_function", "executable_parallel_function",
	"executable_parallel_multiple_function", "rest", "relevance",
}

func TestGoldenOverallV1(t *testing.T) {
	c := compare(t)
	text := testkit.Must(os.ReadFile(testkit.Shared(t, "recorded", "v1", "accuracy.tsv")))(t)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	head := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		want := map[string]float64{}
		cells := strings.Split(line, "\t")
		for i, cell := range cells[1:] {
			v := testkit.Must(pyval.ParseJSON(cell))(t)
			want[head[i+1]] = number(v)
		}
		table := map[string]score.Accuracy{}
		for _, name := range v1Categories {
			table[name] = score.Accuracy{Value: want[name], Total: v1Size(t, cells[0], name)}
		}
		groups := score.V1.Evaluate(table)
		ast, exec := score.V1Summaries(groups)
		c.row(cells[0]+" overall", want["overall"], groups["overall"].Value)
		c.row(cells[0]+" ast", want["ast_summary"], ast.Value)
		c.row(cells[0]+" exec", want["exec_summary"], exec.Value)
	}
}

func v1Size(t *testing.T, model, category string) (n int) {
	t.Helper()
	first := true
	testkit.Rows(t, testkit.Shared(t, "recorded", "v1", model, "score", category+"_score.json"),
		func(_ int, head *pyval.Dict) {
			if first {
				n = int(number(testkit.Field(head, "total_count")))
			}
			first = false
		})
	return n
}
