// Command v1board evaluates recorded answers of the first release and prints
// its leaderboard as Markdown, with published accuracies, what the answers
// cost, and how long they took.
//
//	go run ./bench/v1board -data DIR -results DIR -replay a.jsonl,b.jsonl -published accuracy.tsv
package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/leaderboard"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/run/execution"
)

func main() {
	data := flag.String("data", "", "the `folder` that holds v1/")
	results := flag.String("results", "", "the `folder` of the models' result files")
	replay := flag.String("replay", "", "`files` of recorded API answers, comma separated")
	published := flag.String("published", "", "a `table` of published accuracies, tab separated")
	flag.Parse()
	if err := run(*data, *results, strings.Split(*replay, ","), *published); err != nil {
		fmt.Fprintln(os.Stderr, "v1board:", err)
		os.Exit(2)
	}
}

// A row is a model's accuracies by column.
type row struct {
	name   string
	values map[string]float64
}

func run(data, results string, replay []string, published string) error {
	theirs, columns, err := table(published)
	if err != nil {
		return err
	}
	dataset, err := fixtures.Open("v1", data)
	if err != nil {
		return err
	}
	env, _, err := execution.Environment(dataset, execution.Replay, replay)
	if err != nil {
		return err
	}
	report, err := evaluate.Run(evaluate.Options{
		Dataset: dataset, ResultDir: results, Executor: execution.New(context.Background(), dataset, env),
	})
	if err != nil {
		return err
	}
	var rows []row
	for _, m := range report.Models {
		rows = append(rows, measured(m))
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		switch {
		case a.values["overall"] > b.values["overall"]:
			return -1
		case a.values["overall"] < b.values["overall"]:
			return 1
		}
		return 0
	})
	write(rows, theirs, columns)
	if err := writeSpends(report, rows); err != nil {
		return err
	}
	writeAbilities(report, rows)
	return nil
}

// abilities are what a model can do, by the column that shows it: a model has
// an ability if any of its answers is right.
var abilities = []string{"multiple_function", "parallel_function", "parallel_multiple_function", "java", "javascript", "rest"}

// writeAbilities prints how the models write calls, and in which categories any
// of their answers is right.
func writeAbilities(report *evaluate.Report, rows []row) {
	fmt.Printf("\n| model | writes calls as | %s |\n|---|---|%s\n", strings.Join(abilities, " | "), strings.Repeat("---|", len(abilities)))
	for _, r := range rows {
		i := slices.IndexFunc(report.Models, func(m *evaluate.Model) bool { return m.Name == r.name })
		fmt.Printf("| %s | %s |", r.name, report.Models[i].Settings.Dialect)
		for _, name := range abilities {
			word := "yes"
			if r.values[name] == 0 {
				word = "no"
			}
			fmt.Printf(" %s |", word)
		}
		fmt.Println()
	}
}

// writeSpends prints what is known about the models and what their answers
// took.
func writeSpends(report *evaluate.Report, rows []row) error {
	fmt.Print("\n| model | organization | license | cost per 1,000 calls ($) | latency mean (s) | standard deviation (s) | 95th percentile (s) |\n|---|---|---|---:|---:|---:|---:|\n")
	for _, r := range rows {
		i := slices.IndexFunc(report.Models, func(m *evaluate.Model) bool { return m.Name == r.name })
		usage := report.Models[i].Usage()
		model, terms := leaderboard.V1Terms(r.name)
		spend, err := usage.SpendV1(model, terms)
		if err != nil {
			return err
		}
		fmt.Printf("| [%s](%s) | %s | %s | %s | %s | %s | %s |\n", r.name, model.URL, model.Org, model.License, spend.Cost, spend.Mean, spend.StdDev, spend.P95)
	}
	return nil
}

func measured(m *evaluate.Model) row {
	r := row{name: m.Name, values: map[string]float64{}}
	groups := score.V1.Evaluate(m.Accuracies())
	ast, exec := score.V1Summaries(groups)
	r.values["overall"], r.values["ast_summary"], r.values["exec_summary"] = groups["overall"].Value, ast.Value, exec.Value
	for _, c := range m.Categories {
		r.values[c.Name] = c.Accuracy()
	}
	return r
}

// table reads accuracies by model; the first line names the columns.
func table(path string) (map[string]map[string]float64, []string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }()
	in := csv.NewReader(file)
	in.Comma = '\t'
	lines, err := in.ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, nil, fmt.Errorf("%s: no table: %w", path, err)
	}
	out := map[string]map[string]float64{}
	for _, line := range lines[1:] {
		values := map[string]float64{}
		for i, text := range line[1:] {
			if values[lines[0][i+1]], err = strconv.ParseFloat(text, 64); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		out[line[0]] = values
	}
	return out, lines[0][1:], nil
}

// write prints each accuracy in percent, with the published one in parentheses
// if it differs.
func write(rows []row, theirs map[string]map[string]float64, columns []string) {
	fmt.Printf("| model | %s |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---:|", len(columns)))
	equal, cells := 0, 0
	for _, r := range rows {
		fmt.Printf("| %s |", r.name)
		for _, column := range columns {
			ours := fmt.Sprintf("%.2f", 100*r.values[column])
			wanted, known := theirs[r.name][column]
			want := fmt.Sprintf("%.2f", 100*wanted)
			cells++
			switch {
			case !known:
				want = "?"
			case ours == want:
				equal++
				fmt.Printf(" %s |", ours)
				continue
			}
			fmt.Printf(" %s (%s) |", ours, want)
		}
		fmt.Println()
	}
	fmt.Printf("\n%d of %d figures are the published ones.\n", equal, cells)
}
