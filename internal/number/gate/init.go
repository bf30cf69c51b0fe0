package gate

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"strings"
	"text/template"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/number/compare"
)

//go:embed example.yaml.tmpl
var example string

var exampleTemplate = template.Must(template.New("gate.yaml").Parse(example))

// Template returns a gate file for n cases of a dataset's categories, 0 for all.
// If memory is among others, its rule is about the others.
func Template(dataset, data, categories string, n int) (string, error) {
	b, err := compare.Open(dataset, data, categories)
	if err != nil {
		return "", misuse.Errorf("--dataset: %w", err)
	}
	all := b.Cases()
	if n = cmp.Or(n, all); n < len(b) {
		return "", misuse.Errorf("--cases must be %d or more, one of each category", len(b))
	}
	var others []string
	for _, c := range b {
		if c.Unit != "scenario" {
			others = append(others, c.Name)
		}
	}
	if len(others) == 0 || len(others) == len(b) {
		return Example(dataset, b, n, "overall"), nil
	}
	if b, err = compare.Open(dataset, data, strings.Join(others, ",")); err != nil {
		return "", err
	}
	return Example(dataset, b, max(len(b), n*b.Cases()/all), ButMemory), nil
}

// Example returns a gate file with comments for n cases of a dataset, which a
// model equal to its baseline passes. The comments say what the rules would
// find, and pass. The target is "overall" or ButMemory.
func Example(dataset string, b compare.Benchmark, n int, target string) string {
	const all, looks = 100, 20
	worse, smallest := b.Worse(n, Level)
	// By chance, each rule is broken with half the probability of its two-sided
	// level.
	kept := 1 - Level/2
	alarm := 1 - kept*kept
	text := struct {
		Dataset                         string
		Cases, Looks, MinCases          int
		Differ, Alarm, Detect, Repeated string
		Smallest, Target                string
		ButMemory                       bool
		Worse                           []struct{ Loss, Passes string }
	}{
		Target: target, ButMemory: target == ButMemory,
		Dataset: comment(dataset), Cases: n, Looks: looks, MinCases: min(DefaultMinCases, n),
		Differ: fmt.Sprintf("%.0f%%", all*b.Differ()), Alarm: fmt.Sprintf("at most %.1f%%", all*alarm),
		Repeated: fmt.Sprintf("up to %.0f%%", all*(1-math.Pow(1-alarm, looks))),
		Detect:   fmt.Sprintf("%g", roomy(smallest)), Smallest: fmt.Sprintf("%.1f", smallest),
	}
	for _, w := range worse {
		text.Worse = append(text.Worse, struct{ Loss, Passes string }{fmt.Sprintf("%2g", w.Loss), fmt.Sprintf("%.0f%%", all*w.Passes)})
	}
	var out strings.Builder
	if err := exampleTemplate.Execute(&out, text); err != nil {
		panic(err)
	}
	return out.String()
}

// roomy returns a loss, in half points, with room for runs that differ on twice
// as many cases.
func roomy(points float64) float64 { return math.Ceil(2*points*math.Sqrt2) / 2 }

// comment makes a dataset's name safe for a line of comment.
func comment(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, name)
}
