package gate

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"text/template"

	"github.com/gobfcl/bfcl/internal/number/plan"
)

//go:embed example.yaml.tmpl
var example string

var exampleTemplate = template.Must(template.New("gate.yaml").Parse(example))

// Example returns a gate file with comments for a dataset, which a model equal
// to its baseline passes. The comments say what the rules would find.
func Example(dataset string, b plan.Benchmark) string {
	const all, looks = 100, 20
	standardError := b.Difference(b.All(), 1)
	// By chance, each rule is broken with half the probability of its two-sided
	// level.
	kept := 1 - Level/2
	alarm := 1 - kept*kept
	text := struct {
		Dataset                         string
		Cases, Looks, MinCases          int
		Differ, Alarm, Detect, Repeated string
		Powers                          []struct{ Loss, Power string }
	}{
		Dataset: comment(dataset), Cases: b.Cases(), Looks: looks, MinCases: min(DefaultMinCases, b.Cases()),
		Differ: fmt.Sprintf("%.0f%%", all*b.Differ()), Alarm: fmt.Sprintf("at most %.1f%%", all*alarm),
		Repeated: fmt.Sprintf("up to %.0f%%", all*(1-math.Pow(1-alarm, looks))),
		Detect:   fmt.Sprintf("%g", roomy(all*plan.Detectable(standardError, Level, 0.8))),
	}
	for _, loss := range []float64{1, 2, 3, 5, 10} {
		text.Powers = append(text.Powers, struct{ Loss, Power string }{
			fmt.Sprintf("%2g", loss), fmt.Sprintf("%.0f%%", all*plan.Power(loss/all, standardError, Level)),
		})
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
